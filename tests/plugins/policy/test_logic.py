"""What conditions imply, beside trying every value of small domains."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.model import (
    Categories,
    Clause,
    Conjunction,
    Feature,
    Interval,
    Missing,
    Special,
    clause_holds,
    read_conditions,
)
from scrutable_policy.logic import can_hold, implies, impossible_feature

FEATURES = {
    "x": Feature(name="x", kind="numeric", special_codes=(-9,)),
    "job": Feature(name="job", kind="categorical", special_codes=("?",)),
}
#: Every value that tells the drawn conditions apart: their ends are whole, their texts among these.
VALUES = {
    "x": [None, -9.0, *(half / 2 for half in range(-12, 13))],
    "job": [None, "?", "a", "b", "c", "none of them"],
}
ENDS = st.integers(-4, 4)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(ENDS), draw(ENDS)))
    closed = draw(st.sampled_from(["left", "right", "both", "neither"] if low < high else ["both"]))
    return Interval(low, high, closed)


NUMERIC = intervals() | st.just(Missing()) | st.just(Special((-9,)))
NUMERIC |= st.builds(lambda value, negated: Categories((value,), negated), ENDS.map(float), st.booleans())
TEXTS = st.just(Missing()) | st.just(Special(("?",)))
TEXTS |= st.builds(
    lambda values, negated: Categories(tuple(values), negated),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True),
    st.booleans(),
)
CLAUSES = st.builds(lambda tests: Clause("x", tuple(tests)), st.lists(NUMERIC, min_size=1, max_size=2, unique=True))
CLAUSES |= st.builds(lambda tests: Clause("job", tuple(tests)), st.lists(TEXTS, min_size=1, max_size=2, unique=True))
WHENS = st.lists(CLAUSES, min_size=1, max_size=3).map(tuple)


def satisfying(when: Conjunction) -> set[tuple[object, object]]:
    return {
        (x, job)
        for x, job in itertools.product(VALUES["x"], VALUES["job"])
        if all(clause_holds(each, FEATURES[each.feature], x if each.feature == "x" else job) for each in when)
    }


@settings(deadline=None, derandomize=True, database=None, max_examples=150)
@given(one=WHENS, other=WHENS)
def test_implications_are_those_of_all_values(one: Conjunction, other: Conjunction) -> None:
    first, second = satisfying(one), satisfying(other)
    assert can_hold(one, FEATURES) == bool(first)
    assert implies(one, other, FEATURES) == (first <= second)


def test_the_feature_that_has_no_value_is_named() -> None:
    assert impossible_feature(read_conditions("x < 1 and job = 'a' and job is missing"), FEATURES) == "job"
    assert impossible_feature(read_conditions("x < 1 and job = 'a'"), FEATURES) is None


def test_special_codes_lie_in_no_interval() -> None:
    assert implies(read_conditions("x < -8"), read_conditions("x < 0"), FEATURES)
    assert not implies(read_conditions("x is special [-9]"), read_conditions("x < 0"), FEATURES)
