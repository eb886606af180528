"""Classes are of the type that the outcomes have, whatever holds these; types that are written alike are not mixed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.targets import read_classes
from scrutable.errors import InputError


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.Series([True, False, True], dtype="boolean"), (False, True)),
        (pd.Series([1, 0, 1], dtype="Int64"), (0, 1)),
        (pd.Series([1.0, 2.0], dtype="Float64"), (1.0, 2.0)),
        (pd.Series(["b", "a"], dtype="string"), ("a", "b")),
        (pd.Series(["b", "a"], dtype="category"), ("a", "b")),
        (pd.Series([True, False], dtype="bool[pyarrow]"), (False, True)),
        (pd.Series([2, 1], dtype="int64[pyarrow]"), (1, 2)),
        (np.array([True, False], dtype=object), (False, True)),
        ([np.int64(2), 1], (1, 2)),
        ([1, 2.0], (1.0, 2.0)),
        (["b", np.str_("a")], ("a", "b")),
    ],
    ids=repr,
)
def test_classes_are_of_the_outcomes_type(y: Any, classes: tuple[Any, ...]) -> None:
    outcome, _, label = read_classes(y, None, False)
    assert outcome.classes == classes
    assert [type(each) for each in outcome.classes] == [type(each) for each in classes]
    assert [classes[place] for place in label] == list(y)


@pytest.mark.parametrize("y", [[1, "1", 0], [True, 1, 0], np.array([0, "0"], dtype=object), ["a", False]], ids=repr)
def test_types_that_are_written_alike_are_not_mixed(y: Any) -> None:
    with pytest.raises(InputError, match="y: outcomes are of several types, and some of them are written alike; got"):
        read_classes(y, None, False)


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "string"])
def test_missing_outcomes_of_nullable_types_are_named_by_their_row(dtype: str) -> None:
    y = pd.Series([0, 1, None, 1], dtype="Int64").astype(dtype)
    with pytest.raises(InputError, match="y, row 2: Input y contains NaN"):
        read_classes(y, None, False)
