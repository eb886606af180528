"""Columns in [0, 1] and back: training rows fall as in the scaled column, and what is said may change is what may."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.training import TrainingData, read_training
from scrutable.errors import InputError
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable_fcca.changes import Changes
from scrutable_fcca.cuts import short_cut
from scrutable_fcca.inputs import IndicatorColumn, Inputs, NumberColumn

pytestmark = pytest.mark.filterwarnings("ignore:column '.*'. every value")  # a column of one value is among the cases

DOUBLES = st.floats(allow_nan=False, width=64)
X = pd.DataFrame(
    {
        "age": [20.0, 60.0, np.nan, 30.0, -9.0, 41.0],
        "home": ["own", "rent", "own", None, "free", "rent"],
        "sex": ["f", "m", "f", "m", "f", "f"],
        "same": [1.0] * 6,
    }
)
Y = [0, 1, 1, 0, 1, 0]


def read(X: Any, y: Any = None, **options: Any) -> TrainingData:
    return read_training(X, np.arange(len(next(iter(X.values())))) % 2 if y is None else y, **options)


def described(inputs: Inputs) -> list[str]:
    return [
        column.condition.describe() if isinstance(column, IndicatorColumn) else column.feature.name
        for column in inputs.columns
    ]


@given(low=DOUBLES, high=DOUBLES)
@settings(deadline=None, max_examples=300)
def test_a_short_cut_parts_its_neighbours(low: float, high: float) -> None:
    low, high = np.clip(sorted([low, high]), -1.7976931348623157e308, 1.7976931348623157e308).tolist()
    if low < high:
        assert low < short_cut(low, high) <= high


@given(low=st.integers(-4000, 4000), gap=st.integers(1, 3000), scale=st.integers(0, 4))
def test_no_coarser_decimal_lies_between(low: int, gap: int, scale: int) -> None:
    cut = round(short_cut(low / 10**scale, (low + gap) / 10**scale) * 10**scale)
    zeros = math.inf if cut == 0 else len(str(cut)) - len(str(cut).rstrip("0"))
    fewest = max(e for e in range(9) if (low + gap) // 10**e > low // 10**e)
    assert zeros >= fewest


@pytest.mark.filterwarnings("ignore:column 'x'")  # of numbers such as 999, which may stand for no information
@given(values=st.lists(DOUBLES, min_size=2, max_size=12), share=st.floats(0, 1))
@settings(deadline=None, max_examples=300)
def test_training_rows_fall_as_in_the_scaled_column(values: list[float], share: float) -> None:
    data = read({"x": np.array(values)})
    finite = np.clip(values, -1.7976931348623157e308, 1.7976931348623157e308)
    if len(set(finite)) == 1:
        return
    inputs = Inputs.of(data)
    [column], [scaled] = inputs.columns, inputs.encode(data.columns).T
    assert isinstance(column, NumberColumn)
    assert 0 <= scaled.min() < scaled.max() <= 1
    assert (np.diff(scaled[np.argsort(finite)]) >= 0).all()
    [snapped] = inputs.snap(np.array([0]), np.array([share]))
    above = scaled > share
    assert np.isnan(snapped) == (not above.any())
    if np.isnan(snapped):
        return
    assert ((scaled > snapped) == above).all()
    assert ((np.array(values) >= column.cut(share)) == above).all()
    assert column.cut(share) == column.cut(snapped)


def test_infinities_stand_apart_from_finite_values() -> None:
    x = np.array([-np.inf, 0.0, 5.0, 10.0, np.inf])
    column = Inputs.of(read({"x": x})).columns[0]
    assert isinstance(column, NumberColumn)
    assert column.scale(x).tolist() == pytest.approx([0, 0.1, 0.5, 0.9, 1])
    assert column.scale(np.array([-1e300, 1e300])).tolist() == pytest.approx([0.1, 0.9])


def test_columns_of_numbers_categories_codes_and_missing_values() -> None:
    data = read(X, Y, special_codes={"age": [-9, -8]})
    inputs = Inputs.of(data)
    names = ["age", "special code -9", "missing", "'free'", "'own'", "'rent'", "missing", "'m'"]
    assert described(inputs) == names
    points = inputs.encode(data.columns)
    assert points[:, 0].tolist() == [0, 1, 0.25, 0.25, 0.25, 0.525]  # without a value: the median, 30
    assert points[:, 1:].astype(int).tolist() == [
        [0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 1],
        [0, 1, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1],
        [1, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0],
    ]
    fixed = inputs.fixed(data.columns)
    assert fixed[:, 0].tolist() == [False, False, True, False, True, False]
    assert fixed[:, [1, 2, 6]].all()
    assert fixed[:, 3].tolist() == [False, False, False, True, False, False]


def test_clauses_hold_for_the_rows_above_thresholds() -> None:
    data = read(X, Y, special_codes={"age": [-9]})
    inputs = Inputs.of(data)
    points = inputs.encode(data.columns)
    masks = ClauseMasks(data.features, data.columns, len(X))
    for j, column in enumerate(inputs.columns):
        for threshold in (0.0, 0.2, 0.25, 0.5):
            assert masks.clause(column.above(threshold)).tolist() == (points[:, j] > threshold).tolist()
    assert [inputs.columns[0].above(t).describe() for t in (0.2, 0.25)] == [
        "age >= 30 or special code -9 or missing",
        "age >= 40",
    ]


def test_rare_categories_have_no_column() -> None:
    kinds = ["a"] * 60 + ["b"] * 37 + ["c"] * 3
    data = read({"kind": kinds})
    assert described(Inputs.of(data, rare_share=0.03)) == ["'a'", "'b'", "'c'"]
    assert described(Inputs.of(data, rare_share=0.04)) == ["'a'", "'b'"]


def test_numbers_that_are_categories_have_columns_each() -> None:
    data = read({"code": np.array([1.0, 2.0, 3.0, np.inf] * 3)})
    assert described(Inputs.of(data, categorical=("code",))) == ["1", "2", "3"]


def test_rows_without_weight_do_not_count() -> None:
    x, home = np.array([1.0, 2.0, 3.0, 90.0, np.nan, -9.0]), ["a", "b", "b", "c", None, "a"]
    weight = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    inputs = Inputs.of(read({"x": x, "home": home}, sample_weight=weight, special_codes={"x": [-9]}))
    assert described(inputs) == ["x", "'a'"]
    column = inputs.columns[0]
    assert isinstance(column, NumberColumn)
    assert column.values.tolist() == [1, 2, 3]


def test_the_median_is_weighted() -> None:
    data = read({"x": np.array([0.0, 4.0, 8.0, np.nan])}, sample_weight=np.array([1.0, 1.0, 5.0, 1.0]))
    assert Inputs.of(data).encode(data.columns)[:, 0].tolist() == [0, 0.5, 1, 1]


def test_nothing_to_tell_applicants_apart() -> None:
    with pytest.raises(InputError, match=r"X: no column tells applicants apart; allowed: numbers with two values"):
        Inputs.of(read({"same": np.ones(6), "kind": ["a"] * 6}))


# --- what may change ------------------------------------------------------------------------------------------------


def plausible(changes: Changes) -> Any:
    data = read(X, Y, special_codes={"age": [-9]})
    return changes.plausible(Inputs.of(data), data.columns)


def test_by_default_all_but_missing_and_special_may_change() -> None:
    found = plausible(Changes())
    may = [True, False, False, True, True, True, False, True]
    assert found.rises.tolist() == found.falls.tolist() == may
    assert found.binary.tolist() == [False] + [True] * 7
    assert found.one_of == ((3, 4, 5),)
    assert found.lower.tolist() == [0] * 8
    assert found.upper.tolist() == [1] * 8


def test_immutable_directions_and_ranges() -> None:
    found = plausible(Changes(immutable=["home", "same"], directions={"age": "up"}, ranges={"age": (25, 40)}))
    assert found.rises.tolist() == [True] + [False] * 6 + [True]
    assert found.falls.tolist() == [False] * 7 + [True]
    assert (found.lower[0], found.upper[0]) == (0.125, 0.5)
    down = plausible(Changes(directions={"age": "down"}))
    assert (down.rises[0], down.falls[0]) == (False, True)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"immutable": "age"}, r"immutable: expected a list of features; got 'age'\. Fix: immutable=\['age'\]"),
        (
            {"directions": {"age": "rising"}},
            "directions, feature 'age': unknown direction; got 'rising'; allowed: 'up' or",
        ),
        (
            {"ranges": {"age": (40, 25)}},
            r"ranges, feature 'age': unusable range; got \(40, 25\); allowed: the least and",
        ),
        ({"ranges": {"age": (1, 2, 3)}}, r"ranges, feature 'age': unusable range; got \(1, 2, 3\)"),
        ({"immutable": ["agee"]}, "immutable: unknown column; got 'agee'. Fix: did you mean 'age'?"),
        ({"directions": {"agee": "up"}}, "directions: unknown column; got 'agee'. Fix: did you mean 'age'?"),
        ({"ranges": {"home": (0, 1)}}, "ranges: the column is categorical; got 'home'. Fix: use immutable for"),
        ({"directions": {"sex": "up"}}, "directions: the column is categorical; got 'sex'"),
    ],
)
def test_changes_that_mean_nothing(options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        plausible(Changes(**options))
