"""Intervals of few rows: Jeffreys' for rates, none for what compares groups of fewer rows than the constant says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scrutable.data.sizes import MIN_GROUP_SIZE
from scrutable.fairness import GroupMetrics, Groups, fairness_report
from scrutable.fairness.replicates import Replicates
from scrutable_lifecycle.calibration import reliability
from scrutable_lifecycle.validation.smd import mean_differences

COMPARED = ("adverse_impact_ratio", "approval_gap", "opportunity_gap", "false_approval_gap")
RATES = ("approval_rate", "opportunity", "false_approval_rate", "bad_rate_among_approved")


def decided(*groups: tuple[str, int, int, int, int]) -> tuple[np.ndarray, np.ndarray, Groups]:
    """Rows of groups: name, good and approved, good and declined, bad and approved, bad and declined."""
    y, approved, label = [], [], []
    for name, *counts in groups:
        for count, (good, yes) in zip(counts, ((1, 1), (1, 0), (0, 1), (0, 0)), strict=True):
            y += [good] * count
            approved += [yes] * count
            label += [name] * count
    return np.array(y, bool), np.array(approved, bool), Groups.from_frame({"g": label}, min_group_size=0)


def metrics(*groups: tuple[str, int, int, int, int], **options: Any) -> dict[str, GroupMetrics]:
    y, approved, made = decided(*groups)
    report = fairness_report(y, approved.astype(float), 0.5, made, n_boot=20_000, **options)
    return {each.group: each for each in report.at_cutoff.groups}


def test_two_people_get_no_interval_of_a_ratio_and_a_wide_one_of_a_rate() -> None:
    found = metrics(("many", 500, 60, 150, 90), ("two", 2, 0, 0, 0))
    two = found["two"]
    assert two.adverse_impact_ratio == pytest.approx(1 / (650 / 800))
    assert two.small
    assert two.effective_size == 2
    assert not found["many"].small
    for name in COMPARED:
        assert all(map(math.isnan, two.intervals[name])), name
    low, high = two.intervals["approval_rate"]
    assert low < 0.45
    assert high > 0.99
    assert two.to_dict()["intervals"]["adverse_impact_ratio"] == [None, None]
    assert two.to_dict()["small"] is True


@pytest.mark.parametrize("counts", [(2, 0, 0, 0), (0, 3, 0, 5), (30, 0, 10, 0), (7, 3, 2, 4), (400, 100, 50, 50)])
def test_intervals_of_rates_are_jeffreys(counts: tuple[int, int, int, int]) -> None:
    its = metrics(("a", *counts), ("many", 500, 60, 150, 90))["a"].intervals
    good_yes, good_no, bad_yes, bad_no = counts
    cases = {
        "approval_rate": (good_yes + bad_yes, good_no + bad_no),
        "opportunity": (good_yes, good_no),
        "false_approval_rate": (bad_yes, bad_no),
        "bad_rate_among_approved": (bad_yes, good_yes),
    }
    for name, (events, others) in cases.items():
        if not events + others:
            assert all(map(math.isnan, its[name]))
            continue
        expected = stats.beta.ppf([0.025, 0.975], events + 0.5, others + 0.5)
        assert its[name] == pytest.approx(expected, abs=0.012)


def test_a_ratio_of_a_group_that_is_approved_whole_is_not_sure() -> None:
    """All of forty approved: the bootstrap of rows would leave the reference's uncertainty alone."""
    its = metrics(("all", 40, 0, 0, 0), ("many", 500, 60, 150, 90))["all"]
    draw = np.random.default_rng(0)
    quotient = draw.beta(40.5, 0.5, 200_000) / draw.beta(650.5, 150.5, 200_000)
    assert its.intervals["adverse_impact_ratio"] == pytest.approx(np.quantile(quotient, [0.025, 0.975]), abs=0.006)
    exact = stats.binomtest(40, 40).proportion_ci(method="exact")
    assert its.intervals["approval_rate"][0] == pytest.approx(exact.low, abs=0.04)


def test_intervals_do_not_leave_out_their_own_figure() -> None:
    """That of a rate of 0 begins at 0 and that of 1 ends there, as Jeffreys' do by convention."""
    many = ("many", 500, 60, 150, 90)
    none, every = metrics(("none", 0, 30, 0, 10), many)["none"], metrics(("every", 2, 0, 0, 0), many)["every"]
    assert none.adverse_impact_ratio == none.intervals["adverse_impact_ratio"][0] == 0.0
    assert none.approval_rate == none.intervals["approval_rate"][0] == 0.0
    assert every.bad_rate_among_approved == every.intervals["bad_rate_among_approved"][0] == 0.0
    assert every.approval_rate == every.intervals["approval_rate"][1] == 1.0
    assert 0.4 < every.intervals["bad_rate_among_approved"][1] < 0.8


@pytest.mark.parametrize(("rows", "small"), [(200, False), (140, True)])
def test_members_by_probability_are_gated_alike_everywhere(rows: int, small: bool) -> None:
    """At a probability of 0.2 for each, 200 rows are forty members and 140 rows 28."""
    member, good = np.full(rows, 0.2), np.arange(rows) % 2 == 0
    groups = Groups.from_probabilities({"g": {"a": member, "b": 1 - member}}, min_group_size=0)
    point = fairness_report(good, good.astype(float), 0.5, groups, n_boot=50).at_cutoff.groups[0]
    [difference] = mean_differences(np.arange(rows) % 7, groups)
    curve = reliability(np.where(good, 0.4, 0.6), np.arange(rows) % 3 == 0, groups=groups).groups[0].curve
    assert (point.small, curve.small) == (small, small)
    assert point.effective_size == pytest.approx(0.2 * rows) == pytest.approx(curve.effective_size)
    ends = point.intervals["adverse_impact_ratio"], difference.interval, curve.expected_over_observed_interval
    assert [math.isnan(low) for low, _ in ends] == [small] * 3


def test_ratios_of_many_rows_have_the_interval_of_the_logarithm() -> None:
    its = metrics(("a", 300, 100, 60, 40), ("many", 1000, 160, 200, 140))["a"]
    expected = stats.contingency.relative_risk(360, 500, 1200, 1500).confidence_interval()
    assert its.intervals["adverse_impact_ratio"] == pytest.approx((expected.low, expected.high), abs=0.004)


@pytest.mark.parametrize("rows", [MIN_GROUP_SIZE - 1, MIN_GROUP_SIZE])
def test_the_stated_count_is_where_intervals_begin(rows: int) -> None:
    found = metrics(("a", rows - 10, 10, 0, 0), ("many", 500, 60, 150, 90))["a"]
    assert found.small is (rows < MIN_GROUP_SIZE)
    assert math.isnan(found.intervals["adverse_impact_ratio"][0]) is (rows < MIN_GROUP_SIZE)


def test_a_small_reference_leaves_no_ratio_an_interval() -> None:
    y, approved, made = decided(("few", 10, 5, 5, 0), ("many", 500, 60, 150, 90))
    groups = Groups.from_frame({"g": made.labels_of("g")}, reference={"g": "few"}, min_group_size=0)
    many = fairness_report(y, approved.astype(float), 0.5, groups).at_cutoff.groups[1]
    assert many.group == "many"
    assert all(map(math.isnan, many.intervals["adverse_impact_ratio"]))
    assert not many.small


def test_heavy_weights_make_no_rows() -> None:
    """Two rows that weigh a thousand each are two rows."""
    y, approved, groups = decided(("many", 500, 60, 150, 90), ("two", 2, 0, 0, 0))
    weight = np.where(groups.labels_of("g") == "two", 1000.0, 1.0)
    report = fairness_report(y, approved.astype(float), 0.5, groups, sample_weight=weight)
    [two] = [each for each in report.at_cutoff.groups if each.group == "two"]
    assert (two.size, two.effective_size, two.small) == (2000, 2, True)
    assert two.intervals["approval_rate"][0] < 0.5


def test_few_good_payers_leave_the_gap_among_them_without_interval() -> None:
    found = metrics(("a", 10, 5, 100, 100), ("many", 500, 60, 150, 90))["a"]
    assert all(map(math.isnan, found.intervals["opportunity_gap"]))
    assert not math.isnan(found.intervals["false_approval_gap"][0])
    assert not found.small


@pytest.mark.parametrize("weighted", [False, True])
def test_weighted_rows_spread_as_counted_ones(weighted: bool) -> None:
    """Equal weights change nothing but the draws; probabilities spread by the rows that they share."""
    y, approved, groups = decided(("a", 30, 8, 7, 5), ("b", 60, 10, 20, 10))
    weight = np.full(150, 2.0) if weighted else None
    drawn = Replicates.draw(y, approved, groups["g"], weight, 20_000, np.random.default_rng(1)).rates
    for place, (events, others) in enumerate(((37, 13), (80, 20))):
        expected = stats.beta(events + 0.5, others + 0.5)
        assert drawn["approval_rate"][:, place].std() == pytest.approx(expected.std(), rel=0.03)
        assert drawn["approval_rate"][:, place].mean() == pytest.approx(expected.mean(), abs=0.003)


def test_probabilities_move_both_groups_together() -> None:
    """Where every row is half of either group, both rates are the same figure, but for the half rows added."""
    draw = np.random.default_rng(2)
    approved = draw.random(400) < 0.6
    half = Groups.from_probabilities({"g": {"a": [0.5] * 400, "b": [0.5] * 400}})
    found = Replicates.draw(approved, approved, half["g"], None, 2000, np.random.default_rng(3)).rates["approval_rate"]
    assert np.corrcoef(found.T)[0, 1] > 0.95
    assert found[:, 0].std() == pytest.approx(math.sqrt(0.24 / 400), rel=0.1)
