"""Group metrics against fairlearn and against counting by hand; intervals against drawing rows one by one."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn import metrics as fm
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from scrutable.data.attribute import ProtectedAttribute
from scrutable.errors import InputError, KindError
from scrutable.fairness import GroupMetrics, Groups, approval_threshold, fairness_report, group_metrics
from scrutable.fairness.rates import cell_rates, compared, fairlearn_rates
from scrutable.fairness.replicates import Replicates
from scrutable.fairness.report import operating_points
from scrutable.measures import resampling
from scrutable.measures.resampling import MAX_PACKETS, dealt

RATES = (
    "approval_rate",
    "approval_gap",
    "adverse_impact_ratio",
    "opportunity",
    "opportunity_gap",
    "false_approval_rate",
    "false_approval_gap",
    "bad_rate_among_approved",
)


def sample(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, Groups]:
    """Outcomes, scores and two attributes that are related to each other."""
    generator = np.random.default_rng(seed)
    sex = generator.choice(["f", "m"], rows, p=[0.4, 0.6])
    race = generator.choice(["a", "b", "c"], rows, p=[0.2, 0.5, 0.3])
    score = np.round(600 + 40 * generator.normal(size=rows) + 15 * (sex == "m"))
    y = generator.random(rows) < 1 / (1 + np.exp(-(score - 590) / 40))
    return y, score, Groups.from_frame({"sex": sex, "race": race}, min_group_size=0)


def by_name(found: tuple[GroupMetrics, ...]) -> dict[tuple[str, str], GroupMetrics]:
    return {(each.attribute, each.group): each for each in found}


@pytest.mark.parametrize("weighted", [False, True])
def test_rates_equal_fairlearns_own_metrics(weighted: bool) -> None:
    y, score, groups = sample(800, seed=1)
    decision = score >= 595
    weight = np.random.default_rng(2).random(800) if weighted else None
    found = by_name(group_metrics(y, decision, groups, sample_weight=weight))
    for name in groups.names:
        labels, reference = groups.labels_of(name), groups[name].reference
        parameters = {"sample_weight": weight} if weighted else None
        frame = fm.MetricFrame(
            metrics={
                "approval_rate": fm.selection_rate,
                "opportunity": fm.true_positive_rate,
                "false_approval_rate": fm.false_positive_rate,
            },
            y_true=y,
            y_pred=decision,
            sensitive_features=labels,
            sample_params=parameters
            and dict.fromkeys(("approval_rate", "opportunity", "false_approval_rate"), parameters),
        ).by_group
        for label in groups[name].labels:
            own, other = found[name, label], frame.loc[label]
            assert own.approval_rate == pytest.approx(other["approval_rate"])
            assert own.opportunity == pytest.approx(other["opportunity"])
            assert own.false_approval_rate == pytest.approx(other["false_approval_rate"])
            base = frame.loc[reference]
            assert own.adverse_impact_ratio == pytest.approx(other["approval_rate"] / base["approval_rate"])
            assert own.approval_gap == pytest.approx(other["approval_rate"] - base["approval_rate"])
            assert own.opportunity_gap == pytest.approx(other["opportunity"] - base["opportunity"])
            assert own.false_approval_gap == pytest.approx(other["false_approval_rate"] - base["false_approval_rate"])


def test_two_groups_equal_fairlearns_ratio_and_differences() -> None:
    y, score, groups = sample(500, seed=3)
    decision = score >= 600
    labels = groups.labels_of("sex")
    female = by_name(group_metrics(y, decision, groups))["sex", "f"]
    smaller = min(female.adverse_impact_ratio, 1 / female.adverse_impact_ratio)
    assert smaller == pytest.approx(fm.demographic_parity_ratio(y, decision, sensitive_features=labels))
    assert abs(female.approval_gap) == pytest.approx(
        fm.demographic_parity_difference(y, decision, sensitive_features=labels)
    )
    assert max(abs(female.opportunity_gap), abs(female.false_approval_gap)) == pytest.approx(
        fm.equalized_odds_difference(y, decision, sensitive_features=labels)
    )


def test_a_case_counted_by_hand() -> None:
    # f: good 4, of them approved 3; bad 2, approved 1. m: good 5, approved 5; bad 5, approved 1.
    sex = ["f"] * 6 + ["m"] * 10
    y = [True] * 4 + [False] * 2 + [True] * 5 + [False] * 5
    decision = [True] * 3 + [False] + [True, False] + [True] * 5 + [True] + [False] * 4
    female, male = group_metrics(y, decision, Groups.from_frame({"sex": sex}, min_group_size=0))
    assert (female.group, female.reference, female.size, female.is_reference) == ("f", "m", 6.0, False)
    assert female.approval_rate == pytest.approx(4 / 6)
    assert female.adverse_impact_ratio == pytest.approx((4 / 6) / (6 / 10))
    assert female.approval_gap == pytest.approx(4 / 6 - 6 / 10)
    assert (female.opportunity, female.opportunity_gap) == (0.75, -0.25)
    assert (female.false_approval_rate, female.false_approval_gap) == (0.5, pytest.approx(0.3))
    assert female.bad_rate_among_approved == 0.25
    assert male.is_reference
    assert (male.adverse_impact_ratio, male.approval_gap, male.opportunity_gap) == (1.0, 0.0, 0.0)
    assert male.bad_rate_among_approved == pytest.approx(1 / 6)


def test_swapping_the_favourable_side_swaps_the_error_rates() -> None:
    y, score, groups = sample(300, seed=4)
    decision = score >= 600
    for straight, turned in zip(group_metrics(y, decision, groups), group_metrics(~y, ~decision, groups), strict=True):
        assert turned.approval_rate == pytest.approx(1 - straight.approval_rate)
        assert turned.opportunity == pytest.approx(1 - straight.false_approval_rate)
        assert turned.false_approval_rate == pytest.approx(1 - straight.opportunity)


def test_a_higher_cutoff_never_approves_more() -> None:
    y, score, groups = sample(300, seed=5)
    reports = [fairness_report(y, score, cutoff, groups, n_boot=1) for cutoff in (560, 600, 640)]
    for low, high in itertools.pairwise(reports):
        for easier, harder in zip(low.at_cutoff.groups, high.at_cutoff.groups, strict=True):
            assert easier.approval_rate >= harder.approval_rate


def test_known_labels_give_the_same_as_probabilities_of_zero_and_one() -> None:
    y, score, groups = sample(200, seed=6)
    one_hot = pd.DataFrame(groups["race"].membership, columns=list(groups["race"].labels))
    soft = Groups.from_probabilities({"race": one_hot}, min_group_size=0)
    hard = Groups((groups["race"],))
    assert group_metrics(y, score > 600, soft, score=score) == group_metrics(y, score > 600, hard, score=score)


def test_probabilities_count_as_weights() -> None:
    y = np.array([True, False, True])
    decision = np.array([True, True, False])
    share = np.array([0.9, 0.5, 0.2])
    groups = Groups.from_probabilities(
        {"race": {"a": share, "b": 1 - share}}, reference={"race": "b"}, min_group_size=0
    )
    a, b = group_metrics(y, decision, groups, sample_weight=[1, 2, 1])
    assert a.size == pytest.approx(0.9 + 1.0 + 0.2)
    assert a.approval_rate == pytest.approx(1.9 / 2.1)
    assert a.opportunity == pytest.approx(0.9 / 1.1)
    assert a.bad_rate_among_approved == pytest.approx(1.0 / 1.9)
    assert b.approval_rate == pytest.approx((0.1 + 1.0) / (0.1 + 1.0 + 0.8))
    assert a.adverse_impact_ratio == pytest.approx(a.approval_rate / b.approval_rate)


def test_the_auc_is_that_within_each_group() -> None:
    y, score, groups = sample(300, seed=7)
    weight = np.random.default_rng(8).random(300)
    for each in group_metrics(y, score >= 600, groups, score=score, sample_weight=weight):
        inside = groups.labels_of(each.attribute) == each.group
        assert each.auc == pytest.approx(roc_auc_score(y[inside], score[inside], sample_weight=weight[inside]))
    assert all(math.isnan(each.auc) for each in group_metrics(y, score >= 600, groups))


def test_what_is_undefined_is_nan_in_silence_and_null_in_json() -> None:
    y = [True, True, False, False]
    groups = Groups.from_frame(["a", "a", "b", "b"], reference={"group": "b"}, min_group_size=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = fairness_report(y, [2, 3, 1, 1], 2, groups, n_boot=50)
    a, b = report.at_cutoff.groups
    assert math.isnan(a.adverse_impact_ratio)
    assert all(math.isnan(bound) for bound in a.intervals["adverse_impact_ratio"])
    assert math.isnan(b.bad_rate_among_approved)
    assert math.isnan(a.false_approval_rate)
    assert math.isnan(a.auc)
    stored = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    first = stored["at_cutoff"]["groups"][0]
    assert first["adverse_impact_ratio"] is None
    assert first["intervals"]["adverse_impact_ratio"] == [None, None]
    assert first["approval_rate"] == 1.0


def test_nobody_approved_has_no_bad_rate() -> None:
    y, score, groups = sample(100, seed=9)
    point = fairness_report(y, score, 10_000, groups, n_boot=5).at_cutoff
    assert point.approval_rate == 0
    assert math.isnan(point.bad_rate_among_approved)


def test_a_group_that_a_subset_left_empty_is_reported_with_nothing() -> None:
    y, score, groups = sample(100, seed=10)
    men = groups.labels_of("sex") == "m"
    female, male = group_metrics(y[men], score[men] >= 600, Groups((groups.subset(men)["sex"],)))
    assert (female.size, male.size) == (0, men.sum())
    assert math.isnan(female.approval_rate)


def test_the_fixed_approval_rate_survives_a_shift_of_the_score_and_the_cutoff_does_not() -> None:
    y, score, groups = sample(400, seed=11)
    one = fairness_report(y, score, 600, groups, approval_rate=0.4, n_boot=20)
    other = fairness_report(y, score + 50, 600, groups, approval_rate=0.4, n_boot=20)
    assert other.at_approval_rate.threshold == one.at_approval_rate.threshold + 50
    assert other.at_approval_rate.groups == one.at_approval_rate.groups
    assert other.at_cutoff.approval_rate > one.at_cutoff.approval_rate


def test_the_default_approval_rate_is_the_share_of_good_payers() -> None:
    y, score, groups = sample(400, seed=12)
    report = fairness_report(y, score, 600, groups, n_boot=5)
    assert report.requested_approval_rate == y.mean()
    assert report.at_approval_rate.approval_rate >= y.mean()
    assert report.at_approval_rate.threshold == approval_threshold(score, y.mean())


def test_point_estimates_of_the_report_are_those_of_group_metrics() -> None:
    y, score, groups = sample(300, seed=13)
    weight = np.random.default_rng(14).random(300)
    report = fairness_report(y, score, 605, groups, n_boot=20, sample_weight=weight)
    for point in (report.at_cutoff, report.at_approval_rate):
        approved = score >= point.threshold
        plain = group_metrics(y, approved, groups, score=score, sample_weight=weight)
        for with_intervals, without in zip(point.groups, plain, strict=True):
            assert {name: getattr(with_intervals, name) for name in (*RATES, "auc", "size")} == {
                name: getattr(without, name) for name in (*RATES, "auc", "size")
            }
            assert set(with_intervals.intervals) == set(RATES)
            assert without.intervals == {}
        assert point.approval_rate == pytest.approx(weight[approved].sum() / weight.sum())
        assert point.bad_rate_among_approved == pytest.approx(weight[approved & ~y].sum() / weight[approved].sum())


def test_drawing_counts_is_the_same_as_weighing_rows() -> None:
    y, score, groups = sample(300, seed=15)
    decision, attribute = score >= 600, groups["race"]
    options = (y, decision, attribute)
    by_count = Replicates.draw(*options, None, 20_000, np.random.default_rng(16))
    by_row = Replicates.draw(y, decision, _barely_probable(attribute), None, 20_000, np.random.default_rng(17))
    reference = attribute.reference_index
    by_rows = compared(by_row.rates, reference)
    for name, values in compared(by_count.rates, reference).items():
        other = by_rows[name]
        spread = values.std(axis=0)
        np.testing.assert_allclose(values.mean(axis=0), other.mean(axis=0), atol=0.05 * spread.max() + 1e-12)
        np.testing.assert_allclose(spread, other.std(axis=0), rtol=0.05, atol=1e-12)
        for level in (0.025, 0.5, 0.975):
            ours, theirs = np.quantile(values, level, axis=0), np.quantile(other, level, axis=0)
            np.testing.assert_allclose(ours, theirs, atol=0.1 * spread.max() + 1e-12)
    np.testing.assert_allclose(
        np.corrcoef(by_count.rates["approval_rate"].T), np.corrcoef(by_row.rates["approval_rate"].T), atol=0.04
    )
    for name, sizes in by_count.sizes.items():
        np.testing.assert_allclose(sizes, by_row.sizes[name], rtol=1e-6)


def test_row_weights_count_by_sample_weight_and_membership() -> None:
    """The standard error is that of a weighted mean, linearised."""
    y, score, groups = sample(400, seed=18)
    weight = np.random.default_rng(19).random(400)
    soft = groups["race"].membership * 0.8 + 0.2 / 3
    attribute = Groups.from_probabilities({"race": dict(zip("abc", soft.T, strict=True))}, min_group_size=0)["race"]
    decision = score >= 600
    drawn = Replicates.draw(y, decision, attribute, weight, 20_000, np.random.default_rng(20)).rates["approval_rate"]
    for place in range(3):
        counted = weight * soft[:, place]
        rate = np.average(decision, weights=counted)
        error = math.sqrt((counted**2) @ (decision - rate) ** 2) / counted.sum()
        assert drawn[:, place].mean() == pytest.approx(rate, abs=0.1 * error)
        assert drawn[:, place].std() == pytest.approx(error, rel=0.06)


def test_every_row_is_dealt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "_CHUNK", 7)
    count = np.array([3, 0, 19, 1])
    kinds, packets = map(np.concatenate, zip(*dealt(count, np.random.default_rng(0)), strict=True))
    assert np.bincount(kinds).tolist() == count.tolist()
    assert packets.min() >= 0
    assert packets.max() < MAX_PACKETS


def _barely_probable(attribute: ProtectedAttribute) -> ProtectedAttribute:
    """Groups that are not quite known, so that rows are weighed."""
    little = attribute.membership + 1e-9
    return replace(attribute, membership=little / little.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("rows", [400, 3 * MAX_PACKETS])
def test_rows_that_are_counted_spread_as_rows_do(rows: int) -> None:
    """Each row stands for several, of weights that differ; the standard error is that of all of them."""
    y, score, groups = sample(rows, seed=31)
    generator = np.random.default_rng(32)
    weight, count = generator.random(rows) + 0.2, generator.integers(1, 9, rows)
    decision = score >= 600
    for attribute in (groups["race"], _barely_probable(groups["race"])):
        drawn = Replicates.draw(y, decision, attribute, weight, 4000, np.random.default_rng(33), count=count)
        for place, member in enumerate(attribute.membership.T):
            counted = weight * member
            rate = np.average(decision, weights=counted * count)
            error = math.sqrt((count * counted**2) @ (decision - rate) ** 2) / (counted @ count)
            assert drawn.rates["approval_rate"][:, place].std() == pytest.approx(error, rel=0.08)


def test_weighing_packets_spreads_as_weighing_rows_does() -> None:
    y, score, groups = sample(5 * MAX_PACKETS, seed=26)
    weight = np.random.default_rng(27).exponential(size=y.size)
    decision, attribute = score >= 600, _barely_probable(groups["race"])
    drawn = Replicates.draw(y, decision, attribute, weight, 2000, np.random.default_rng(28)).rates["approval_rate"]
    for place, member in enumerate(attribute.membership.T):
        counted = weight * member
        rate = np.average(decision, weights=counted)
        error = math.sqrt((counted**2) @ (decision - rate) ** 2) / counted.sum()
        assert drawn[:, place].std() == pytest.approx(error, rel=0.1)


@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.25]), min_size=4, max_size=4), min_size=2, max_size=4).filter(
        lambda cells: np.sum(cells) > 0
    )
)
@settings(deadline=None, derandomize=True, max_examples=30)
def test_fairlearns_rates_are_those_that_replicates_get(cells: list[list[float]]) -> None:
    table = np.array(cells).reshape(-1, 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours, theirs = cell_rates(table), fairlearn_rates(table)
    assert list(ours) == list(theirs)
    for name in ours:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-12)


def test_intervals_cover_what_theory_says() -> None:
    y, score, groups = sample(2000, seed=21)
    female = by_name(fairness_report(y, score, 600, groups, n_boot=4000).at_cutoff.groups)["sex", "f"]
    half = 1.96 * math.sqrt(female.approval_rate * (1 - female.approval_rate) / female.size)
    low, high = female.intervals["approval_rate"]
    assert low == pytest.approx(female.approval_rate - half, abs=0.1 * half)
    assert high == pytest.approx(female.approval_rate + half, abs=0.1 * half)
    reference = by_name(fairness_report(y, score, 600, groups, n_boot=50).at_cutoff.groups)["sex", "m"]
    assert reference.intervals["adverse_impact_ratio"] == (1.0, 1.0)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_seed_gives_the_same_report_and_a_wider_confidence_a_wider_interval(weighted: bool) -> None:
    y, score, groups = sample(200, seed=22)
    weight = np.random.default_rng(23).random(200) if weighted else None

    def report(**options: float) -> str:
        return json.dumps(fairness_report(y, score, 600, groups, n_boot=200, sample_weight=weight, **options).to_dict())

    assert report(seed=3) == report(seed=3)
    assert report(seed=3) != report(seed=4)
    narrow, wide = json.loads(report(confidence=0.5)), json.loads(report(confidence=0.99))
    for one, other in zip(narrow["at_cutoff"]["groups"], wide["at_cutoff"]["groups"], strict=True):
        low, high = one["intervals"]["approval_rate"]
        wider_low, wider_high = other["intervals"]["approval_rate"]
        assert wider_low < low < high < wider_high


def test_rows_of_the_report_make_a_flat_table() -> None:
    y, score, groups = sample(200, seed=24)
    report = fairness_report(y, score, 600, groups, n_boot=20)
    table = pd.DataFrame(report.rows)
    assert len(table) == 2 * 5
    assert list(table["basis"].unique()) == ["cutoff", "approval rate"]
    assert {f"{name}{end}" for name in RATES for end in ("", "_low", "_high")} <= set(table)
    first = report.at_cutoff.groups[0]
    assert table.loc[0, "opportunity_low"] == first.intervals["opportunity"][0]
    assert table.loc[0, "group"] == first.group


def test_results_of_one_input_compare_equal_and_can_be_put_into_sets() -> None:
    y, score, groups = sample(200, seed=25)
    assert fairness_report(y, score, 600, groups, n_boot=20) == fairness_report(y, score, 600, groups, n_boot=20)
    assert len({fairness_report(y, score, 600, groups, n_boot=20) for _ in range(2)}) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cutoff": float("nan")}, "cutoff: expected a finite number; got nan"),
        ({"approval_rate": 0.0}, r"approval_rate: expected a share; got 0\.0; allowed: a number above 0"),
        ({"approval_rate": 1.5}, r"approval_rate: expected a share; got 1\.5"),
        ({"confidence": 1}, r"confidence: expected a share; got 1; .*below 1"),
        ({"n_boot": 0}, "n_boot: expected a number of bootstrap replicates; got 0; allowed: a whole number from 1"),
        ({"seed": -1}, "seed: expected a seed; got -1; allowed: a whole number from 0 on"),
        ({"y": [True] * 3}, "y: the number of rows differs; got 3; allowed: 4 rows"),
        (
            {"score": [1, 2, None, 4]},
            r"score, row 2: expected finite numbers, but 1 of 4 are missing .*Fix: score every",
        ),
        ({"score": [1, 2, float("inf"), 4]}, r"score, row 2: .*got inf"),
        ({"score": np.ones((4, 1))}, r"score: expected one value per row; got 'an array of shape \(4, 1\)'"),
        ({"sample_weight": [1, -1, 1, 1]}, r"sample_weight, row 1: weights may not be negative.*got -1\.0"),
        ({"sample_weight": [0, 0, 0, 0]}, r"sample_weight: .*one of them above 0"),
        ({"y": [False] * 4}, r"y: no outcome is favourable, .*Fix: give approval_rate"),
    ],
)
def test_errors_of_the_report(options: dict[str, Any], message: str) -> None:
    groups = Groups.from_frame(["a", "a", "b", "b"], min_group_size=0)
    arguments: dict[str, Any] = {"y": [True, False, True, False], "score": [1, 2, 3, 4], "cutoff": 2, **options}
    with pytest.raises(InputError, match=message):
        fairness_report(groups=groups, **arguments)


def test_operating_points_are_those_of_a_report_at_each_threshold() -> None:
    draw = np.random.default_rng(2)
    y, score = draw.random(400) < 0.6, draw.integers(500, 700, 400)
    groups = Groups.from_frame({"sex": draw.choice(["f", "m"], 400), "area": draw.choice(["a", "b", "c"], 400)})
    thresholds = {"strict": 650, "cutoff": 600, "lenient": 520}
    found = operating_points(y, score, thresholds, groups, n_boot=20)
    assert [(point.basis, point.threshold) for point in found] == list(thresholds.items())
    for point in found:
        alone = fairness_report(y, score, point.threshold, groups, n_boot=1).at_cutoff
        assert point.approval_rate == alone.approval_rate == (score >= point.threshold).mean()
        for ours, theirs in zip(point.groups, alone.groups, strict=True):
            assert ours.adverse_impact_ratio == theirs.adverse_impact_ratio
            assert ours.auc == theirs.auc
    report = fairness_report(y, score, 650, groups, approval_rate=0.5, n_boot=20)
    second = report.at_approval_rate.threshold
    assert operating_points(y, score, {"cutoff": 650, "approval rate": second}, groups, n_boot=20) == (
        report.at_cutoff,
        report.at_approval_rate,
    )
    with pytest.raises(InputError, match="lenient: expected a finite number; got nan"):
        operating_points(y, score, {"lenient": float("nan")}, groups)


@pytest.mark.parametrize("bad", [[1, 0, 1, 0], ["yes", "no", "yes", "no"], [True, None, True, False]])
def test_numbers_are_not_taken_for_outcomes_or_decisions(bad: list[object]) -> None:
    groups, good = Groups.from_frame(["a", "a", "b", "b"], min_group_size=0), [True, False, True, False]
    with pytest.raises(KindError, match=r"y: expected booleans, True for the favourable outcome"):
        group_metrics(bad, good, groups)
    with pytest.raises(KindError, match=r"decision: expected booleans.*Fix: compare with the favourable class first"):
        group_metrics(good, bad, groups)


@pytest.mark.parametrize(
    "make", [list, pd.Series, lambda v: pd.Series(v, dtype="boolean"), lambda v: pd.Series(v, dtype=object)]
)
def test_booleans_of_any_container_are_taken(make: Any) -> None:
    groups, values = Groups.from_frame(["a", "a", "b", "b"], min_group_size=0), [True, False, True, True]
    found = group_metrics(make(values), make(values), groups)
    assert [each.approval_rate for each in found] == [0.5, 1.0]
