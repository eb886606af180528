"""A cohort counts as a loop and as pandas do, in any order of the rows, and reads what is odd."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.cohort import BAD, GOOD, UNKNOWN, Cohort
from scrutable.data.groups import Groups
from scrutable.errors import InputError, KindError
from scrutable.model import Outcome, Quantity

PROVEN = settings(deadline=None, derandomize=True, max_examples=80)
RISK = Outcome(classes=(0, 1), favourable=0)
#: Part from -1 (none) to 3, outcome, weight, and the probability of the first group, in tenths.
ROWS = st.lists(
    st.tuples(
        st.integers(-1, 3),
        st.sampled_from((GOOD, BAD, UNKNOWN)),
        st.floats(0.0, 1e12, allow_subnormal=False),
        st.integers(0, 10),
    ),
    min_size=1,
    max_size=40,
)


def columns(rows: list[Any]) -> list[np.ndarray[Any, Any]]:
    return [np.array(column) for column in zip(*rows, strict=True)]


def cohort_of(rows: list[Any]) -> tuple[np.ndarray[Any, Any], Cohort]:
    """The part of each row, and the cohort, in two groups by probability."""
    part, outcome, weight, tenths = columns(rows)
    membership = np.column_stack([tenths / 10, 1 - tenths / 10])
    groups = Groups((ProtectedAttribute("race", ("a", "b"), "b", membership),))
    return part, Cohort(outcome=outcome, weight=weight, weighted=True, groups=groups)


@PROVEN
@given(rows=ROWS, seed=st.integers(0, 9))
def test_tallies_are_the_rounded_true_sums_in_every_order_of_the_rows(rows: list[Any], seed: int) -> None:
    part, cohort = cohort_of(rows)
    tally = cohort.tally(part, 4)
    for i in range(4):
        for outcome in (GOOD, BAD, UNKNOWN):
            true = math.fsum(weight for at, its, weight, _ in rows if (at, its) == (i, outcome))
            assert abs(tally[i, outcome] - true) <= math.ulp(true)
        true = math.fsum(weight for at, _, weight, _ in rows if at == i)
        assert abs(cohort.sizes(part, 4)[i] - true) <= math.ulp(true)
    order = np.random.default_rng(seed).permutation(len(rows))
    again = cohort.subset(order)
    np.testing.assert_array_equal(again.tally(part[order], 4), tally)
    assert again.total == cohort.total
    for one, other in zip(cohort.by_group(), again.by_group(), strict=True):
        np.testing.assert_array_equal(other.cohort.tally(part[order], 4), one.cohort.tally(part, 4))


@PROVEN
@given(rows=ROWS)
def test_tallies_equal_those_of_pandas_overall_and_by_group(rows: list[Any]) -> None:
    part, cohort = cohort_of(rows)
    frame = pd.DataFrame({"part": part, "outcome": cohort.outcome, "weight": cohort.weight})
    assert cohort.groups is not None
    membership = cohort.groups["race"].membership

    def pivoted(weight: Any) -> Any:
        table = frame.assign(weight=weight).pivot_table("weight", "part", "outcome", "sum", fill_value=0.0)
        return table.reindex(index=range(4), columns=range(3), fill_value=0.0).to_numpy()

    np.testing.assert_allclose(cohort.tally(part, 4), pivoted(cohort.weight), rtol=1e-12)
    members = list(cohort.by_group())
    assert [member[:3] for member in members] == [("race", "a", "b"), ("race", "b", "b")]
    for place, member in enumerate(members):
        expected = pivoted(cohort.weight * membership[:, place])
        np.testing.assert_allclose(member.cohort.tally(part, 4), expected, rtol=1e-12)


@PROVEN
@given(rows=ROWS)
def test_rows_that_are_left_out_are_those_in_no_part(rows: list[Any]) -> None:
    part, cohort = cohort_of(rows)
    known = cohort.known
    chosen = cohort.sizes(part, 4, known)
    np.testing.assert_array_equal(chosen, cohort.sizes(np.where(known, part, -1), 4))
    if known.any():
        np.testing.assert_array_equal(chosen, cohort.subset(known).sizes(part[known], 4))


def test_what_belongs_to_the_rows_goes_with_them() -> None:
    groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    cohort = Cohort.read({"x": [1.0, 2.0, 3.0]}, [0, 1, None], outcome=RISK, groups=groups, sample_weight=[1, 2, 3])
    part = cohort.subset(np.array([False, True, True]))
    assert part.groups is not None
    assert part.table.column("x").values.tolist() == [2.0, 3.0]
    assert part.outcome.tolist() == [BAD, UNKNOWN]
    assert part.weight.tolist() == [2.0, 3.0]
    assert part.groups.labels_of("sex").tolist() == ["m", "m"]
    assert part.weighted
    assert Cohort.read({"x": [1.0]}).sample_weight is None


@pytest.mark.parametrize(
    ("good", "codes"),
    [
        (None, [UNKNOWN] * 3),
        ([None, np.nan, pd.NA], [UNKNOWN] * 3),
        ([True, None, False], [GOOD, UNKNOWN, BAD]),
        (pd.Series([True, pd.NA, False], dtype="boolean"), [GOOD, UNKNOWN, BAD]),
        (np.array([True, True, False]), [GOOD, GOOD, BAD]),
    ],
    ids=["none", "missing", "list", "nullable", "array"],
)
def test_booleans_may_be_missing(good: Any, codes: list[int]) -> None:
    assert Cohort.read(3, good).outcome.tolist() == codes


@pytest.mark.parametrize("good", [[1, 0, 1], ["yes", "no", None], [1.0, np.nan, 0.0]])
def test_what_is_no_boolean_is_not_taken_for_one(good: Any) -> None:
    with pytest.raises(KindError, match="good: expected booleans, True for the favourable outcome"):
        Cohort.read(3, good)


def test_what_does_not_belong_to_the_rows_is_refused() -> None:
    X = {"x": [1.0, 2.0]}
    with pytest.raises(InputError, match="late: the number of outcomes differs from the number of rows"):
        Cohort.read(X, [0], outcome=RISK, where="late")
    with pytest.raises(InputError, match="y, row 1: an outcome is missing; got '1 of 2 rows without one'"):
        Cohort.read(X, [0, None], outcome=RISK, complete=True)
    with pytest.raises(InputError, match="sample_weight, row 1: weights may not be negative"):
        Cohort.read(X, sample_weight=[1, -1])
    with pytest.raises(InputError, match="nor all be zero"):
        Cohort.read(X, sample_weight=[0, 0])
    with pytest.raises(InputError, match="expected finite numbers, but 1 of 2 are missing or infinite"):
        Cohort.read(X, sample_weight=[1, math.nan])
    with pytest.raises(InputError, match="groups: expected groups"):
        Cohort.read(X, groups=pd.DataFrame({"sex": ["f", "m"]}))  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="the number of rows differs from the data's"):
        Cohort.read(X, groups=Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0))


def test_a_cohort_that_is_made_is_taken_as_it_is_and_keeps_its_weights_and_groups() -> None:
    cohort = Cohort.read({"x": [1.0, 2.0]}, [0, 1], outcome=RISK, sample_weight=[1, 2])
    assert Cohort.read(cohort) is cohort
    assert Cohort.read(2, cohort) is cohort
    with pytest.raises(InputError, match="cohort: the number of rows differs; got 2; allowed: 3 rows"):
        Cohort.read(3, cohort)
    with pytest.raises(InputError, match="sample_weight: the cohort has its own, so it can no longer be chosen"):
        Cohort.read(cohort, sample_weight=[1, 1])
    with pytest.raises(InputError, match="groups: the cohort has its own"):
        Cohort.read(2, cohort, groups=Groups.from_frame({"sex": ["f", "m"]}, min_group_size=0))


def test_quantities_are_known_and_neither_good_nor_bad() -> None:
    cohort = Cohort.read(2, [0.5, 2.0], outcome=Quantity(target="loss"))
    assert cohort.values.tolist() == [0.5, 2.0]
    assert cohort.known.all()
    assert not cohort.good.any()
    with pytest.raises(AssertionError, match="which outcomes are good"):
        cohort.tally(np.zeros(2, dtype=np.intp), 1)


def test_nobody_is_a_cohort_too() -> None:
    groups = Groups.from_frame({"sex": ["f", "m"]}, min_group_size=0)
    nobody = Cohort.read({"x": [1.0, 2.0]}, [0, 1], outcome=RISK, groups=groups).subset(np.zeros(2, dtype=bool))
    assert (nobody.rows, nobody.total, nobody.groups) == (0, 0.0, None)
    assert math.isnan(nobody.mean(np.array([]), np.array([], dtype=bool)))
