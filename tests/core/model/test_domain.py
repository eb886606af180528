"""Conditions one value at a time: what holds, which values tell conditions apart, and whether exactly one applies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import ModelError
from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Clause,
    Conjunction,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Special,
)
from scrutable.model.conditions import ClauseCondition, Closed, describe_alike, describe_all
from scrutable.model.domain import clause_holds, holds, witnesses
from scrutable.model.exactly_one import check_one_applies
from scrutable.testing.strategies import numbers, texts
from scrutable.testing.strategies.conditions import clauses, conjunctions, partitions
from scrutable.testing.strategies.values import Domain, domain_lists, domains

AGE = Feature(name="age", kind="numeric", special_codes=(-9.0,))
JOB = Feature(name="job", kind="categorical", special_codes=("?",))
quick = settings(max_examples=100, deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize(
    ("condition", "feature", "inside", "outside"),
    [
        (Interval(0, 1), AGE, (0.0, -0.0, math.nextafter(1, 0)), (1.0, -5e-324, -9.0, None, math.inf, -math.inf)),
        (Interval(0, 1, "right"), AGE, (5e-324, 1.0), (0.0, -9.0, None)),
        (Interval(0, 1, "both"), AGE, (0.0, 1.0), (-9.0, None)),
        (Interval(0, 1, "neither"), AGE, (0.5,), (0.0, 1.0)),
        (Interval(), AGE, (math.inf, -math.inf, 0.0), (-9.0, None)),
        (Interval(closed="neither"), AGE, (math.inf, -math.inf), (-9.0, None)),
        (Interval(math.inf, math.inf, "right"), AGE, (math.inf,), (1.7976931348623157e308,)),
        (Interval(-math.inf, -math.inf), AGE, (-math.inf,), (-1.7976931348623157e308,)),
        (Categories((1, 2)), AGE, (1.0, 2.0), (3.0, None, -9.0)),
        (Categories((1,), negated=True), AGE, (3.0, math.inf), (1.0, None, -9.0)),
        (Categories(("a",)), JOB, ("a",), ("A", "a ", "", None, "?")),
        (Categories(("a",), negated=True), JOB, ("A", "a ", ""), ("a", None, "?")),
        (Special((-9,)), AGE, (-9.0,), (9.0, None)),
        (Missing(), JOB, (None,), ("", "?", "NULL")),
    ],
)
def test_holds(
    condition: ClauseCondition, feature: Feature, inside: Sequence[float | str], outside: Sequence[float | str | None]
) -> None:
    assert all(holds(condition, feature, value) for value in inside)
    assert not any(holds(condition, feature, value) for value in outside)


@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
@pytest.mark.parametrize("lower", [-math.inf, -1.0, 0.0, 5e-324, 1.0, math.inf])
@pytest.mark.parametrize("upper", [-math.inf, 0.0, 5e-324, 1.0, math.nextafter(1, 2), math.inf])
def test_an_interval_is_refused_exactly_when_nothing_is_inside(lower: float, upper: float, closed: Closed) -> None:
    candidates = [
        v for end in (lower, upper) for v in (math.nextafter(end, -math.inf), end, math.nextafter(end, math.inf))
    ]
    above = [v for v in candidates if v > lower or (v == lower and (closed in ("left", "both") or math.isinf(v)))]
    inside = [v for v in above if v < upper or (v == upper and (closed in ("right", "both") or math.isinf(v)))]
    if inside:
        interval = Interval(lower, upper, closed)
        assert [v for v in candidates if holds(interval, Feature(name="x", kind="numeric"), v)] == inside
    else:
        with pytest.raises(ModelError, match="the interval holds no number"):
            Interval(lower, upper, closed)


@quick
@given(domains(), st.data())
def test_witnesses_reach_every_part_of_the_domain(domain: Domain, data: st.DataObject) -> None:
    feature = domain.feature
    conditions = [c for clause in data.draw(st.lists(clauses(domain), min_size=1, max_size=3)) for c in clause.any_of]
    parts = {tuple(holds(c, feature, value) for c in conditions) for value in witnesses(feature, conditions)}
    anything = numbers() | st.floats(allow_nan=False) if feature.kind == "numeric" else texts()
    for value in data.draw(st.lists(st.none() | anything, min_size=20, max_size=20)):
        assert tuple(holds(c, feature, value) for c in conditions) in parts


@st.composite
def lists_of_conjunctions(draw: st.DrawFn) -> tuple[dict[str, Feature], list[Conjunction]]:
    """Partitions, whole or with one conjunction left out, repeated or replaced."""
    pool = draw(domain_lists(plain_names=True, max_size=2))
    listed = draw(partitions(pool))
    change = draw(st.sampled_from(["none", "none", "drop", "repeat", "replace", "add"]))
    position = draw(st.integers(0, len(listed) - 1))
    if change == "drop" and len(listed) > 1:
        del listed[position]
    elif change == "repeat":
        listed.append(listed[position])
    elif change == "replace":
        listed[position] = draw(conjunctions(pool))
    elif change == "add":
        listed.append(draw(conjunctions(pool)))
    return {domain.feature.name: domain.feature for domain in pool}, listed


@settings(quick, max_examples=150)
@given(lists_of_conjunctions())
def test_exactly_one_applies_as_brute_force_says(drawn: tuple[dict[str, Feature], list[Conjunction]]) -> None:
    features, listed = drawn
    conditions = {name: [c for w in listed for cl in w if cl.feature == name for c in cl.any_of] for name in features}
    rows = itertools.product(*(witnesses(features[name], conditions[name]) for name in features))
    counts = set()
    for values in rows:
        row = dict(zip(features, values, strict=True))
        counts.add(sum(all(clause_holds(cl, features[cl.feature], row[cl.feature]) for cl in w) for w in listed))
    if counts == {1}:
        check_one_applies(listed, features, "here")
    else:
        gap, overlap = 0 in counts, max(counts) > 1
        told = "|".join(["leaves a gap"] * gap + ["overlaps"] * overlap)
        with pytest.raises(ModelError, match=rf"here: the list ({told}); got .*; allowed: exactly one applies"):
            check_one_applies(listed, features, "here")


def test_an_empty_list_applies_to_nobody() -> None:
    with pytest.raises(ModelError, match="nothing applies to any row"):
        check_one_applies([], {"age": AGE}, "here")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Interval(2, 1), r"interval: the interval holds no number; got '\[2, 1\)'"),
        (
            lambda: Interval(math.nan, 1),
            "lower end of an interval: NaN is not a number .*Fix: use the Missing condition",
        ),
        (lambda: Interval("1", 2), "lower end of an interval: expected a number; got '1'"),
        (lambda: Interval(0, 1, "open"), "unknown closed; got 'open'; allowed: left, right, both, neither"),
        (lambda: Categories(()), "no category is listed"),
        (lambda: Categories(("a", "a")), "categories: listed twice; got 'a'"),
        (lambda: Categories((math.nan,)), "NaN is not a number"),
        (lambda: Categories(("\x00",)), "NUL or a lone surrogate"),
        (lambda: Special(()), "no special code is listed"),
        (lambda: Special((1, 1.0)), "special: listed twice"),
        (lambda: Clause("age", ()), "clause on 'age': no condition is listed"),
        (lambda: Clause("age", (Otherwise(),)), "Otherwise has no meaning outside a scorecard"),
        (lambda: Interval(0, 1).check(JOB), "feature 'job': an interval needs a numeric feature; got 'categorical'"),
        (lambda: Categories((1,)).check(JOB), "feature 'job': expected text; got 1.0"),
        (lambda: Categories(("a",)).check(AGE), "feature 'age': expected a number; got 'a'"),
        (lambda: Categories((-9,)).check(AGE), "a special code cannot be a category; got -9.0"),
        (lambda: Special((-8,)).check(AGE), r"not a special code of the feature; got -8.0; allowed: \[-9.0\]"),
        (
            lambda: Clause("agee", (Missing(),)).check({"age": AGE}, "here"),
            r"here: unknown feature.*did you mean 'age'\?",
        ),
        (lambda: Feature(name="", kind="numeric"), "a name may not be empty"),
        (lambda: Feature(name="a", kind="integer"), "unknown kind; got 'integer'; allowed: 'numeric' or 'categorical'"),
        (lambda: Feature(name="a", kind="numeric", special_codes=(1, 1)), "special codes of feature 'a': listed twice"),
        (lambda: Feature(name="a", kind="numeric", special_codes=(math.inf,)), "expected a finite number"),
        (lambda: Feature(name="a", kind="numeric", special_codes=("x",)), "expected a number; got 'x'"),
        (lambda: Feature(name="a", kind="categorical", special_codes=(1,)), "expected text; got 1"),
    ],
)
def test_refusals(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ModelError, match=message):
        make()


def test_descriptions() -> None:
    assert Clause("age", (Interval(18, 25), Special((-9,)))).describe() == "age in [18, 25) or special code -9"
    assert Clause("age", (Interval(upper=0.1, closed="right"),)).describe("Age") == "Age <= 0.1"
    assert Clause("job", (Categories(("a", "b"), negated=True), Missing())).describe() == (
        "job is missing or neither 'a' nor 'b'"
    )
    assert describe_all((Clause("x", (Categories((1, 2, 3), negated=True),)), Clause("job", (Missing(),)))) == (
        "(x is none of 1, 2, 3) and job is missing"
    )
    assert Interval().describe() == "any number"


ZERO = 1.0000000180025095e-35  # LightGBM's


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval(upper=47.500000000000014), "<= 47.5"),
        (Interval(upper=47.500000000000014, closed="right"), "<= 47.5"),
        (Interval(47.500000000000014, 56.500000000000014), "(47.5, 56.5]"),
        (Interval(47.49999999999999, 56.49999999999999), "[47.49999999999999, 56.49999999999999)"),
        (Interval(47.49999999999999, 56.49999999999999, "right"), "[47.5, 56.5)"),
        (Interval(lower=47.49999999999999, closed="right"), ">= 47.5"),
        (Interval(20.000000000000004, 30), "[20.000000000000004, 30)"),
        (Interval(47.49999999999999, 56.5, "right"), "(47.49999999999999, 56.5]"),
        (Interval(5, math.nextafter(5, 6)), "[5, 5.000000000000001)"),
        (Interval(math.nextafter(5, 4), math.nextafter(5, 6)), "[4.999999999999999, 5.000000000000001)"),
        (Interval(5.000000000000001, 5.000000000000002), "[5.000000000000001, 5.000000000000002)"),
        (Interval(upper=47.50000000000004), "< 47.50000000000004"),  # six doubles away
        (Interval(upper=1 / 3), "< 0.3333333333333333"),
        (Interval(lower=4e15 + 1), ">= 4000000000000001.0"),
        (Interval(upper=ZERO, closed="right"), "<= 0"),
        (Interval(-ZERO, math.nextafter(ZERO, 1)), "[0, 0]"),
        (Interval(upper=-ZERO), "< 0"),
        (Interval(2e-35, 3e-35), "[2e-35, 3e-35)"),
    ],
)
def test_limits_next_to_short_decimals_are_told_by_them(interval: Interval, words: str) -> None:
    assert interval.describe() == words


@pytest.mark.parametrize(
    ("cuts", "words"),
    [
        ([0.2, 0.7904800000000001], ["< 0.2", "[0.2, 0.7904800000000001)", ">= 0.7904800000000001"]),
        ([18.000000000000004, 25.000000000000004], ["<= 18", "(18, 25]", "> 25"]),
        ([0.3, 0.30000000000000004], ["< 0.3", "[0.3, 0.30000000000000004)", ">= 0.30000000000000004"]),
        (
            [2.7857142857142865, 6.500000000000002],
            ["< 2.7857142857142865", "[2.7857142857142865, 6.500000000000002)", ">= 6.500000000000002"],
        ),
        ([math.nextafter(ZERO, 1), 2.5000000000000004], ["<= 0", "(0, 2.5]", "> 2.5"]),
        ([-ZERO, 2.5], ["< 0", "[0, 2.5)", ">= 2.5"]),
        ([-ZERO, math.nextafter(ZERO, 1)], ["< 0", "[0, 0]", "> 0"]),
    ],
)
def test_intervals_of_one_feature_are_of_one_kind(cuts: list[float], words: list[str]) -> None:
    parts = [Interval(*ends) for ends in itertools.pairwise([-math.inf, *cuts, math.inf])]
    assert describe_alike(parts) == words
    assert describe_alike(parts[1:2], parts) == words[1:2]
    attributes = tuple(Attribute(condition=each, points=1) for each in (*parts, Missing()))
    assert Characteristic(feature="age", attributes=attributes).titles == (*words, "missing")


near_decimals = st.tuples(st.sampled_from([0.0, ZERO, 0.1, 2.5, 47.5, 1e15]), st.integers(-6, 6), st.booleans())


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.lists(near_decimals, min_size=1, max_size=6))
def test_words_tell_attributes_apart_and_hold_for_the_decimals_in_them(cuts: list[tuple[float, int, bool]]) -> None:
    limits = sorted({(-1 if minus else 1) * (at + steps * math.ulp(at)) for at, steps, minus in cuts})
    parts = [Interval(low, high) for low, high in itertools.pairwise([-math.inf, *limits, math.inf]) if low < high]
    for said in ([part.describe() for part in parts], describe_alike(parts)):
        assert len(set(said)) == len(said)
        for part, words in zip(parts, said, strict=True):
            for decimal in (0.1, 2.5, 47.5, -0.1, -2.5, -47.5, 0.25, 60.0):
                assert said_of(words, decimal) == holds(part, AGE, decimal), (words, decimal)


def said_of(words: str, value: float) -> bool:
    """Whether the words say that the value is in the interval."""
    if words == "any number":
        return True
    if words[0] in "<>":
        sign, limit = words.split()
        beyond = value < float(limit) if sign[0] == "<" else value > float(limit)
        return beyond or (sign[1:] == "=" and value == float(limit))
    low, high = map(float, words[1:-1].split(", "))
    return low < value < high or (words[0] == "[" and value == low) or (words[-1] == "]" and value == high)
