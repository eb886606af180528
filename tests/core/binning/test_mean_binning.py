"""Tables of means: against pandas, whatever the order of the rows, and what is said of attributes never seen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.binning.mean_binning import MeanTable, tabulate_means
from scrutable.binning.tables import intervals
from scrutable.data.frames import Column, as_table, select
from scrutable.model import Feature

pytestmark = pytest.mark.usefixtures("everybody_told")

X = Feature(name="x", kind="numeric", special_codes=(-9,))
ROWS = st.lists(
    st.tuples(st.sampled_from([-9.0, 0.0, 1.0, 2.0, 3.0, np.nan]), st.floats(-1e3, 1e3), st.floats(0.25, 8)),
    min_size=2,
    max_size=40,
)


def numeric(values: object) -> Column:
    """The column `x` as a model reads it: numbers, even where every one is missing."""
    return select(as_table({"x": values}), [("x", "numeric")])["x"]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(rows=ROWS, seed=st.integers(0, 5))
def test_means_are_those_of_pandas_in_any_order(rows: list[tuple[float, float, float]], seed: int) -> None:
    conditions = intervals([1, 2.5], X)

    def made(some: list[tuple[float, float, float]]) -> MeanTable:
        values, y, weight = (np.array(column) for column in zip(*some, strict=True))
        return tabulate_means(X, conditions, numeric(values), y, weight)

    table = made(rows)
    shuffled = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
    assert made(shuffled) == table
    frame = pd.DataFrame(rows, columns=["x", "y", "w"])
    frame["bin"] = table.index(numeric(frame["x"]))
    overall = np.average(frame["y"], weights=frame["w"])
    between = 0.0
    for position, statistics in enumerate(table.statistics):
        part = frame[frame["bin"] == position]
        expected = np.average(part["y"], weights=part["w"]) if len(part) else overall
        assert statistics.mean == pytest.approx(expected, abs=1e-9)
        assert statistics.count == pytest.approx(part["w"].sum())
        between += part["w"].sum() * (expected - overall) ** 2
    total = ((frame["y"] - overall) ** 2 * frame["w"]).sum()
    if total > 1e-6:
        assert table.explained == pytest.approx(between / total, abs=1e-9)


def test_a_target_without_variance_explains_nothing() -> None:
    column = as_table({"x": [0.0, 2.0]}).column("x")
    table = tabulate_means(X, intervals([1], X), column, np.array([0.1, 0.1]), np.array([0.1, 0.7]))
    assert table.explained == 0
    assert table.means.tolist() == pytest.approx([0.1] * 4)


@pytest.mark.parametrize("unit", [5e-324, 1e-209, 1.0, 1e200])
def test_what_is_explained_does_not_depend_on_the_unit_of_the_target(unit: float) -> None:
    table = tabulate_means(X, intervals([1], X), numeric([0.0, 0.0, 2.0]), np.array([0, 2, 4]) * unit, np.ones(3))
    assert table.explained == pytest.approx(0.75)
