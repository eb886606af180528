"""Weights over rows say what a bound says, counted row by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups, RateBound
from scrutable.fairness.contrast import Contrast, events_of
from scrutable.fairness.kept_bounds import measure_bounds

Row = tuple[Any, Any, str, float]
CLASSES = ["late", "default", "paid"]


def rows_of(classes: list[Any]) -> st.SearchStrategy[list[Row]]:
    """Rows of outcome, prediction, group and weight, of each outcome in two of the groups at least."""
    outcome = st.sampled_from(classes)
    row = st.tuples(outcome, outcome, st.sampled_from("abc"), st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    needed = (
        st.tuples(st.just(actual), outcome, st.just(group), st.sampled_from([0.5, 1.0, 3.0]))
        for actual in classes
        for group in "ab"
    )
    return st.builds(lambda some, others: [*some, *others], st.tuples(*needed), st.lists(row, max_size=19))


def groups_of(rows: list[Row]) -> Groups:
    return Groups.from_frame({"g": [row[2] for row in rows]}, min_group_size=0)


def naive_rate(rows: list[Row], rate: str, given: Any, group: str | None) -> float:
    """The definition, counted one row at a time."""
    total = happened = 0.0
    for actual, predicted, label, weight in rows:
        if (group is None or label == group) and (given is None or actual == given):
            total += weight
            happened += weight * (predicted is True if rate == "approval" else predicted != actual)
    return happened / total if total else math.nan


def bounds_on(rate: Any, classes: list[Any]) -> st.SearchStrategy[RateBound]:
    limit = st.sampled_from([{"slack": 0.1}, {"slack": 0.0}, {"ratio": 0.8}, {"ratio": 1.0}])
    reference = st.sampled_from(["b", None])
    return st.builds(
        lambda given, reference, limit: RateBound(
            rate=rate, attribute="g", group="a", reference=reference, given=given, **limit
        ),
        st.sampled_from([None, *classes]),
        reference,
        limit,
    )


def check(rows: list[Row], bound: RateBound) -> None:
    own = naive_rate(rows, bound.rate, bound.given, "a")
    other = naive_rate(rows, bound.rate, bound.given, bound.reference)
    y, predicted = [row[0] for row in rows], [row[1] for row in rows]
    contrast = bound.contrast(y, groups_of(rows), sample_weight=[row[3] for row in rows])
    assert contrast.event == bound.rate
    value = contrast.value(events_of(contrast.event, y, predicted))
    if bound.slack is None:
        assert value == pytest.approx(own - (bound.ratio or 0) * other, abs=1e-12)
        assert (contrast.low, contrast.high) == (0, math.inf)
    else:
        assert value == pytest.approx(own - other, abs=1e-12)
        assert (contrast.low, contrast.high) == (-bound.slack, bound.slack)
    for weight, (actual, _, label, given_weight) in zip(contrast.weights, rows, strict=True):
        counts = given_weight > 0 and bound.given in (None, actual)
        if not counts or (label != "a" and bound.reference not in (None, label)):
            assert weight == 0
    if bound.reference == "b":
        assert all((w > 0) == (r[2] == "a") for w, r in zip(contrast.weights, rows, strict=True) if w)


@given(rows_of([True, False]), st.sampled_from(["approval", "error"]).flatmap(lambda r: bounds_on(r, [True, False])))
def test_two_classes_as_counted_row_by_row(rows: list[Row], bound: RateBound) -> None:
    check(rows, bound)


@given(rows_of(CLASSES), bounds_on("error", CLASSES))
def test_many_classes_as_counted_row_by_row(rows: list[Row], bound: RateBound) -> None:
    check(rows, bound)


@given(
    rows_of([True, False]),
    st.sampled_from(["approval", "error"]).flatmap(lambda r: bounds_on(r, [True, False])),
)
def test_approvals_and_errors_are_two_readings_of_one_inequality(rows: list[Row], bound: RateBound) -> None:
    y, predicted = [row[0] for row in rows], [row[1] for row in rows]
    contrast = bound.contrast(y, groups_of(rows))
    turned = contrast.counted_in("error" if bound.rate == "approval" else "approval", y)
    here, there = (each.value(events_of(each.event, y, predicted)) for each in (contrast, turned))
    assert here - contrast.low == pytest.approx(there - turned.low, abs=1e-12)
    assert contrast.high - here == pytest.approx(turned.high - there, abs=1e-12)
    assert contrast.counted_in(bound.rate, y) is contrast
    np.testing.assert_array_equal(turned.counted_in(bound.rate, y).weights, contrast.weights)


@given(rows_of(CLASSES))
def test_approvals_of_good_payers_are_errors_of_one_class_of_many(rows: list[Row]) -> None:
    y, predicted = (np.array([row[i] for row in rows]) for i in (0, 1))
    bound = RateBound(rate="approval", given=True, attribute="g", group="a", reference="b", slack=0.1)
    contrast = bound.contrast(y == "paid", groups_of(rows))
    turned = contrast.counted_in("error", y == "paid")
    here, there = contrast.value(predicted == "paid"), turned.value(predicted != y)
    assert here - contrast.low == pytest.approx(there - turned.low, abs=1e-12)
    assert contrast.high - here == pytest.approx(turned.high - there, abs=1e-12)


def test_errors_of_many_classes_stay_as_they_are_and_approvals_need_a_favourable_one() -> None:
    errors = RateBound(rate="error", given="late", attribute="g", group="a", reference="b", slack=0.1)
    y = ["late", "paid", "late", "default"]
    contrast = errors.contrast(y, GROUPS)
    assert contrast.counted_in("error", y) is contrast
    approvals = RateBound(rate="approval", attribute="g", group="a", reference="b", slack=0.1).contrast(y, GROUPS)
    with pytest.raises(KindError, match=r"y: expected booleans, .*Fix: compare with the favourable class"):
        approvals.counted_in("error", y)
    with pytest.raises(InputError, match=r"y: the number of rows differs; got 3; allowed: 4 rows"):
        approvals.counted_in("error", [True, False, True])


@settings(max_examples=40)
@given(rows_of([True, False]), st.lists(st.floats(0, 1), min_size=25, max_size=25))
def test_membership_probabilities_are_weights(rows: list[Row], shares: list[float]) -> None:
    share = np.array(shares[: len(rows)])
    y, predicted, weight = (np.array([row[i] for row in rows]) for i in (0, 1, 3))
    counted = weight * y
    assume((counted * share).sum() > 1e-6)
    assume((counted * (1 - share)).sum() > 1e-6)
    groups = Groups.from_probabilities({"g": {"a": share, "b": 1 - share}}, min_group_size=0)
    bound = RateBound(rate="approval", given=True, attribute="g", group="a", reference="b", slack=0.1)
    expected = np.average(predicted, weights=counted * share) - np.average(predicted, weights=counted * (1 - share))
    found = bound.contrast(y, groups, sample_weight=weight).value(predicted)
    assert found == pytest.approx(expected, abs=1e-9)
    [measured] = measure_bounds([bound], y, predicted, groups, sample_weight=weight)
    assert measured.gap == pytest.approx(found, abs=1e-12)


def test_everyone_includes_rows_of_unknown_membership() -> None:
    groups = Groups.from_frame({"g": np.array(["a", "b", None, None], dtype=object)}, min_group_size=0)
    bound = RateBound(rate="error", attribute="g", group="a", reference=None, slack=0.1)
    assert bound.contrast([True] * 4, groups).weights.tolist() == [0.75, -0.25, -0.25, -0.25]


GROUPS = Groups.from_frame({"g": ["a", "a", "b", "b"]}, min_group_size=0)


@pytest.mark.parametrize(
    ("given_class", "y", "error", "message"),
    [
        (True, [1, 0, 1, 1], KindError, r"group 'a': the bound and the outcomes .*got 'outcomes of int64 for the c.*T"),
        (1, [True, False, True, True], KindError, r"got 'outcomes of bool for the class 1'"),
        (True, [False, False, True, True], InputError, r"'g', group 'a': a rate .*without rows whose class is True"),
        ("late", ["late", "late", "paid", "paid"], InputError, r"'g', group 'b': .*whose class is 'late'\..*merge"),
        ("late", ["late", "late", "paid"], InputError, r"y: the number of rows differs; got 3; allowed: 4 rows"),
    ],
)
def test_bounds_that_mean_nothing_on_these_rows(given_class: Any, y: Any, error: type[Exception], message: str) -> None:
    bound = RateBound(rate="error", attribute="g", group="a", reference="b", given=given_class, slack=0.1)
    with pytest.raises(error, match=message):
        bound.contrast(y, GROUPS)


def test_an_unknown_attribute_or_group_is_an_error() -> None:
    y = [True] * 4
    with pytest.raises(InputError, match="there is no such protected attribute"):
        RateBound(rate="error", attribute="h", group="a", reference="b", slack=0.1).contrast(y, GROUPS)
    with pytest.raises(InputError, match=r"group 'c': a rate is not defined without rows\."):
        RateBound(rate="error", attribute="g", group="c", reference="b", slack=0.1).contrast(y, GROUPS)


@pytest.mark.parametrize(
    ("rate", "y", "predicted", "error", "message"),
    [
        ("approval", ["a", "b"], ["a", "b"], KindError, r"predicted: expected booleans"),
        ("approval", [True, False], [True], InputError, r"predicted: the number of rows differs; got 1"),
        ("error", [True, False], ["a", "b"], KindError, r"predicted: outcomes and predictions are of different kinds"),
        ("error", ["a", "b"], [0, 1], KindError, r"predicted: .* got 'numbers for outcomes that are text'"),
        ("error", [1.0, 0.0], [True, False], KindError, r"got 'booleans for outcomes that are numbers'"),
        ("error", ["a", "b"], ["a", None], InputError, r"predicted, row 1: an outcome is missing"),
    ],
)
def test_events_need_predictions_of_the_outcomes_kind(
    rate: Any, y: Any, predicted: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        events_of(rate, y, predicted)


def test_weights_cannot_be_changed() -> None:
    contrast = RateBound(rate="error", attribute="g", group="a", reference="b", slack=0.1).contrast([True] * 4, GROUPS)
    assert isinstance(contrast, Contrast)
    with pytest.raises(ValueError, match="read-only"):
        contrast.weights[0] = 1
