"""What a booster is trained on stands for the values of the columns, in training rows and in any later ones."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable.data.frames import as_table
from scrutable.errors import InputError, KindError
from scrutable.model import Feature
from scrutable_fairgbm.handover.inputs import BoosterInputs, booster_inputs


def coded(values: list[object], *, min_share: float = 0.0, nominal: bool = False, codes: tuple = ()) -> BoosterInputs:
    column = as_table({"x": values}).column("x")
    kind = "numeric" if column.kind == "numeric" else "categorical"
    feature = Feature(name="x", kind=kind, special_codes=codes)
    return booster_inputs([feature], {"x": column}, categorical=["x"] if nominal else (), min_share=min_share)


def encoded(inputs: BoosterInputs, values: list[object]) -> list[float]:
    return inputs.encode(as_table({"x": values}))[:, 0].tolist()


def test_numbers_stand_for_themselves() -> None:
    values = [1.5, -9.0, np.inf, -np.inf, -0.0, 5e-324, 1e6 + 0.01]
    inputs = coded(values, codes=(-9,))
    assert inputs.nominal == []
    assert encoded(inputs, values) == values
    assert encoded(inputs, [True, False]) == [1.0, 0.0]
    np.testing.assert_array_equal(encoded(inputs, [None, 2.0]), [np.nan, 2.0])


def test_texts_are_numbered_with_others_and_special_codes_after_them() -> None:
    inputs = coded(["b", "a", None, "refused", "b", ""], codes=("refused", "expired"))
    assert inputs.nominal == [0]
    assert inputs.columns[0].categories == ("", "a", "b")
    later = ["", "a", "b", "B", "never seen", "refused", "expired", None]
    np.testing.assert_array_equal(encoded(inputs, later), [0, 1, 2, 3, 3, 4, 5, np.nan])


def test_numbers_that_are_categories() -> None:
    inputs = coded([20.0, 10.5, -0.0, 99.0, np.inf, None], nominal=True, codes=(99,))
    assert inputs.columns[0].categories == (0.0, 10.5, 20.0)
    later = [0.0, -0.0, 10.5, 20.0, 10.0, np.inf, -np.inf, 99.0, None]
    np.testing.assert_array_equal(encoded(inputs, later), [0, 0, 1, 2, 3, 3, 3, 4, np.nan])


def test_rare_categories_share_the_number_of_those_never_seen() -> None:
    values: list[object] = ["a"] * 6 + ["b"] * 3 + ["c"]
    inputs = coded(values, min_share=0.2)
    assert inputs.columns[0].categories == ("a", "b")
    assert encoded(inputs, ["a", "b", "c", "d"]) == [0, 1, 2, 2]
    assert coded(values, min_share=0.1).columns[0].categories == ("a", "b", "c")


def test_later_rows_are_checked() -> None:
    inputs = coded([1.0, 2.0])
    with pytest.raises(InputError, match="column 'x': missing column"):
        inputs.encode(as_table({"y": [1.0]}))
    with pytest.raises(KindError, match="numbers when the model was fitted, text now"):
        inputs.encode(as_table({"x": ["a"]}))
    assert np.isnan(encoded(inputs, [None, None])).all()
    for share in (-0.1, 1.0):
        with pytest.raises(InputError, match="min_share: unusable number"):
            coded(["a"], min_share=share)
