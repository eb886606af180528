"""Monitoring of a scorecard by hand, and what holds for it whatever the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import binomtest

from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups
from scrutable.model import Scorecard, SegmentedModel, fingerprint
from scrutable.testing.contract.examples.models import models_named
from scrutable_lifecycle.monitoring import Monitoring, Thresholds, monitor

BASE = {"age": [20.0, 30.0, 30.0, 30.0], "housing": ["own", "own", "own", "rent"]}
#: Scores 540, 570, 570, 540 of the baseline; 540, 510, 520, 530, 540 of the new applicants, the last knocked out.
NEW = {"age": [20.0, 20.0, None, -9.0, 17.0], "housing": ["own", "rent", None, "own", "own"]}


def _many(rows: dict[str, list[Any]], times: int) -> dict[str, list[Any]]:
    return {name: values * times for name, values in rows.items()}


def _status(found: Monitoring, figure: str, period: str = "new") -> dict[str, str]:
    return {check.subject: check.status for check in found.checks if (check.figure, check.period) == (figure, period)}


def test_by_hand(card: Scorecard) -> None:
    found = monitor(card, BASE, NEW, n_boot=10)
    [part] = found.parts
    age, housing = part.characteristics
    assert [(band.name, band.baseline, band.new) for band in age.bands] == [
        ("< 25", 0.25, 0.6),
        (">= 25", 0.75, 0.0),
        ("missing", 0.0, 0.2),
        ("special code -9", 0.0, 0.2),
    ]
    contributions = [band.contribution for band in age.bands]
    assert contributions[1] == pytest.approx((0.1 - 0.75) * math.log(0.1 / 0.75))  # half of five rows' share
    assert contributions[2] == pytest.approx((0.2 - 0.125) * math.log(0.2 / 0.125))
    assert age.index == pytest.approx(0.35 * math.log(2.4) + sum(contributions[1:]))
    assert (age.shift, housing.shift) == (3.5 - 30 + 4 + 0, -4.5)
    assert (part.baseline_mean, part.new_mean) == (555.0, 528.0)
    assert age.shift + housing.shift == part.new_mean - part.baseline_mean
    assert found.baseline.approval_rate == 1.0
    assert found.new.approval_rate == 0.4  # 540 and 530 reach the cutoff; the minor is knocked out
    assert (found.model_sha256, found.target, found.favourable) == (fingerprint(card), "loan", "good")


def test_bands_of_the_score(card: Scorecard) -> None:
    [part] = monitor(card, BASE, NEW, n_boot=10).parts
    assert part.score is not None
    assert [(band.name, band.baseline, band.new) for band in part.score.bands] == [
        ("below 570", 0.5, 0.8),
        ("570 or more", 0.5, 0.0),
        ("declined anyway", 0.0, 0.2),
    ]


def test_identical_samples_are_still(card: Scorecard) -> None:
    rows = _many({name: BASE[name] + NEW[name] for name in BASE}, 20)
    y = ["good", "bad", "good"] * 60
    sexes = {"sex": ["f", "m"] * 90}
    groups = Groups.from_frame(sexes)
    found = monitor(card, rows, rows, y_baseline=y, y=y, groups_baseline=groups, groups=groups, n_boot=50)
    [part] = found.parts
    assert found.reasons is not None
    indices = [part.score, *part.characteristics, found.reasons.first]
    assert [each.index for each in indices if each is not None] == [0.0] * 4
    assert [each.shift for each in part.characteristics] == [0.0, 0.0]
    assert [check.value for check in found.checks if check.figure == "auc-drop"] == [0.0]
    assert not any(check.status == "alert" for check in found.checks if check.figure in ("psi", "csi", "auc-drop"))


def test_drift_into_missing_special_and_unseen_values_is_seen(card: Scorecard) -> None:
    rows = _many({"age": [30.0], "housing": ["own"]}, 100)
    for change in (
        {"age": [None] * 100},
        {"age": [-9.0] * 100},
        {"housing": ["boat"] * 100},
        {"housing": [None] * 100},
    ):
        found = monitor(card, rows, rows | change, n_boot=10)
        [name] = [check.subject for check in found.alerts if check.figure == "csi"]
        assert name == next(iter(change)).title()


def test_reasons_by_hand(card: Scorecard) -> None:
    before = {"age": [20.0, 20.0, 17.0, 30.0], "housing": ["rent", "rent", "own", "own"]}
    now = {"age": [30.0, 17.0, 20.0, None], "housing": [None, "rent", "rent", "rent"]}
    drift = monitor(replace(card, cutoff=545, reasons=replace_cutoff(card, 545)), before, now, n_boot=10).reasons
    assert drift is not None
    assert (drift.baseline_declined, drift.new_declined) == (3, 4)
    shares = {each.code: (each.first_baseline, each.first_new, each.any_baseline, each.any_new) for each in drift.codes}
    # before: R1 and R2 twice, equal shortfalls going to R1, and the minor's K1, alone as 540 < 545 adds R1 (30 short)
    assert shares["K1"] == (1 / 3, 0.25, 1 / 3, 0.25)
    assert shares["R1"] == (2 / 3, 0.25, 1.0, 0.75)
    assert shares["R2"] == (0.0, 0.5, 2 / 3, 0.75)
    assert drift.codes[0].code == "R2"
    assert {each.code: each.text for each in drift.codes}["K1"] == "Under age"


def replace_cutoff(card: Scorecard, cutoff: float) -> Any:
    assert card.reasons is not None
    return replace(card.reasons, cutoff=cutoff)


def test_periods_by_hand(card: Scorecard) -> None:
    y = ["good", "bad", None, "good", "bad"]
    dates = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01", "2026-02-02"]
    found = monitor(card, BASE, NEW, y=y, dates=dates, n_boot=10)
    january, february = found.periods
    assert (january.name, january.rows, january.outcomes, january.bad_rate) == ("2026-01", 3, 2.0, 0.5)
    assert (january.approval_rate, january.bad_rate_among_approved) == (1 / 3, 0.0)
    # PD is 1 - (0.005 score - 2.2): 0.5 at 540, 0.65 at 510, 0.6 at 520
    assert january.mean_pd == pytest.approx((0.5 + 0.65 + 0.6) / 3)
    assert january.calibrated is not None
    assert january.calibrated.expected == pytest.approx(0.575)
    assert january.calibrated.ratio == pytest.approx(0.5 / 0.575)
    assert all(map(math.isnan, (january.calibrated.p_value, *january.calibrated.interval)))
    assert january.performance is not None
    assert january.performance.auc == 1.0
    assert february.performance is not None
    assert february.performance.auc == 0.0
    assert february.psi is not None
    assert [band.new for band in february.psi.bands] == [0.5, 0.0, 0.5]


def test_calibration_by_hand(card: Scorecard) -> None:
    many = _many({"age": [30.0, 20.0], "housing": ["rent", "rent"]}, 15)  # PD 0.5 and 0.65
    found = monitor(card, BASE, many, y=["good", "bad"] * 15, n_boot=10).new.calibrated
    assert found is not None
    z = 15 * (1.15 - 1) / math.sqrt(15 * (0.25 + 0.65 * 0.35))
    assert found.p_value == pytest.approx(math.erfc(z / math.sqrt(2)))
    assert found.interval == pytest.approx([end / 0.575 for end in binomtest(15, 30).proportion_ci(method="wilson")])


def test_calibration_of_few_outcomes_has_no_interval_and_no_p_value(card: Scorecard) -> None:
    """As those of `scrutable validate`: 29 rows are too few, and so are two that weigh a thousand."""
    rows = {"age": [20.0], "housing": ["own"]}
    for n, weight in ((2, None), (29, None), (2, [1000.0] * 2)):
        y = ["bad"] * n
        found = monitor(card, BASE, _many(rows, n), y=y, sample_weight=weight, n_boot=10)
        told = found.new.to_dict()["calibration"]
        assert (told["interval"], told["p_value"]) == ([None, None], None)
        [check] = [check for check in found.checks if check.figure == "calibration"]
        assert (check.status, check.note) == ("note", "expected 50.0%, observed 100.0%, too few outcomes to tell")


def test_groups_known_by_probabilities_are_gated_by_the_size_that_is_told(card: Scorecard) -> None:
    """Of 200 rows with a probability of 0.2 forty are members, of 140 only 28."""
    for rows, few in ((200, False), (140, True)):
        many = _many({"age": [30.0, 20.0], "housing": ["rent", "rent"]}, rows // 2)
        share = np.full(rows, 0.2)
        groups = Groups.from_probabilities({"sex": {"f": share, "m": 1 - share}}, min_group_size=0)
        found = monitor(card, BASE, many, y=["good", "bad"] * (rows // 2), groups=groups, n_boot=10)
        group = found.new.groups[0]
        assert (group.group, group.small, group.few_outcomes) == ("f", few, few)
        assert group.effective_size == pytest.approx(0.2 * rows)
        assert group.performance is not None
        assert group.calibrated is not None
        assert group.performance.small is few
        assert math.isnan(group.calibrated.interval[0]) is few
        assert math.isnan(group.impact_ratio_interval[0]) is few


def test_a_weight_of_two_is_a_row_given_twice(card: Scorecard) -> None:
    sexes = ["f", "m", "f", "m", "f"]
    more = {"age": [30.0, *NEW["age"]], "housing": ["own", *NEW["housing"]]}  # no band is empty
    twice = {name: values + values[:2] for name, values in more.items()}
    y, sexes = ["good", "good", "bad", None, "good", "bad"], ["m", *sexes]
    weight = [2, 2, 1, 1, 1, 1]
    once = monitor(card, more, more, y=y, sample_weight=weight, groups=_groups(sexes), n_boot=10)
    both = monitor(card, more, twice, y=y + y[:2], groups=_groups(sexes + sexes[:2]), n_boot=10)
    assert _without_draws(once.to_dict()) == _without_draws(both.to_dict())


def test_weights_of_one_change_nothing(card: Scorecard) -> None:
    rows = _many(BASE, 10)
    plain = monitor(card, rows, rows, n_boot=10)
    weighted = monitor(card, rows, rows, weight_baseline=[1] * 40, sample_weight=[1.0] * 40, n_boot=10)
    assert weighted.to_dict() == plain.to_dict()


def test_the_order_of_the_rows_does_not_matter(card: Scorecard) -> None:
    order = [4, 2, 0, 3, 1]
    weight = np.array([0.1, 0.2, 0.3, 0.4, 0.7])
    shuffled = {name: [values[i] for i in order] for name, values in NEW.items()}
    found = [
        monitor(card, BASE, rows, sample_weight=its, n_boot=10)
        for rows, its in ((NEW, weight), (shuffled, weight[order]))
    ]
    assert [part.characteristics for part in found[0].parts] == [part.characteristics for part in found[1].parts]


def test_certain_probabilities_are_hard_labels(card: Scorecard) -> None:
    sexes = ["f", "m", "f", "m", "f"] * 20
    certain = {"sex": {"f": [float(s == "f") for s in sexes], "m": [float(s == "m") for s in sexes]}}
    hard = Groups.from_frame({"sex": sexes}, reference={"sex": "m"})
    soft = Groups.from_probabilities(certain, reference={"sex": "m"})
    y = ["good", "bad", "good", None, "bad"] * 20
    rows = _many(NEW, 20)
    found = [monitor(card, BASE, rows, y=y, groups=groups, n_boot=50).to_dict() for groups in (hard, soft)]
    assert found[0] == found[1]


@pytest.mark.usefixtures("everybody_told")
def test_probabilities_count_as_weights(card: Scorecard) -> None:
    half = Groups.from_probabilities(
        {"sex": {"f": [1.0, 0.5, 0.0, 0.25, 0.0], "m": [0.0, 0.5, 1.0, 0.75, 1.0]}},
        reference={"sex": "m"},
        min_group_size=0,
    )
    female, male = monitor(card, BASE, NEW, groups=half, n_boot=10).new.groups
    assert (female.size, male.size) == (1.75, 3.25)
    assert female.approval_rate == pytest.approx(1.25 / 1.75)  # of approved rows 0 and 3
    assert male.approval_rate == pytest.approx(0.75 / 3.25)
    assert female.impact_ratio == pytest.approx(female.approval_rate / male.approval_rate)


def test_frames_of_every_library_give_the_same(card: Scorecard) -> None:
    makers = (dict, pd.DataFrame, pl.DataFrame)
    found = [monitor(card, make(BASE), make(NEW), n_boot=10).to_dict() for make in makers]
    assert found[0] == found[1] == found[2]


def test_ratios_are_judged_from_thirty_on(card: Scorecard) -> None:
    """Approved are 1 of 2 women and 2 of 2 men; twenty of each are too few, forty are not."""
    rows = {"age": [30.0, 20.0, 30.0, 30.0], "housing": ["own", "rent", "own", "own"]}
    for kind in ("four-fifths", "adverse-impact"):
        seen = []
        for times in (10, 20):
            groups = _groups(["f", "f", "m", "m"] * times)
            both = {"groups_baseline": groups, "groups": groups, "thresholds": {"ratio": kind}}
            found = monitor(card, _many(rows, times), _many(rows, times), n_boot=50, **both)
            [check] = [check for check in found.checks if check.figure == f"{kind}-ratio"]
            if kind == "adverse-impact" or times == 20:
                assert (check.subject, check.value, check.threshold) == ("sex: f / m", 0.5, 0.8)
                assert "baseline 0.500" in check.note
            else:
                assert math.isnan(check.value)
                assert "fewer than two groups have enough" in check.note
            seen.append(check.status)
        assert seen == ["note", "alert"]


def test_the_alert_is_that_of_the_lowest_rate_by_the_highest(card: Scorecard) -> None:
    """At rates of .60 (the reference), .72 and .54 no group is below .8 of the reference, and one is of the highest."""
    approved, declined = (30.0, "own"), (20.0, "rent")
    decided, race = [], []
    for name, yes, no in (("a", 60, 40), ("b", 36, 14), ("c", 27, 23)):
        decided += [approved] * yes + [declined] * no
        race += [name] * (yes + no)
    rows, groups = _rows_of(decided), Groups.from_frame({"race": race})
    assert groups["race"].reference == "a"
    found = monitor(card, rows, rows, groups=groups, n_boot=50)
    [check] = [check for check in found.alerts if "ratio" in check.figure]
    assert (check.figure, check.subject, check.status) == ("four-fifths-ratio", "race: c / b", "alert")
    assert check.value == pytest.approx(0.75)
    assert check.title == "Four-fifths ratio"
    assert "; 3 groups" in check.note
    assert [group.impact_ratio for group in found.new.groups] == pytest.approx([1, 1.2, 0.9])
    old = monitor(card, rows, rows, groups=groups, n_boot=50, thresholds={"ratio": "adverse-impact"})
    assert _status(old, "adverse-impact-ratio") == {"race: b / a": "ok", "race: c / a": "ok"}
    said = found.to_dict()
    assert said["thresholds"]["ratio"] == "four-fifths"
    [ratio] = said["new"]["four_fifths"]
    assert ratio["four_fifths_ratio"] == pytest.approx(0.75)
    page = found.html()
    for text in ("race: c / b", "c / b", "3: a, b, c", "a guideline of employment law"):
        assert text in page


@pytest.mark.usefixtures("everybody_told")
def test_a_small_group_is_left_out_and_named(card: Scorecard) -> None:
    rows = _rows_of([(30.0, "own")] * 60 + [(20.0, "rent")] * 2)
    groups = Groups.from_frame({"race": ["a"] * 30 + ["b"] * 30 + ["c"] * 2}, min_group_size=0)
    found = monitor(card, rows, rows, groups=groups, n_boot=50)
    [check] = [check for check in found.checks if check.figure == "four-fifths-ratio"]
    assert (check.value, check.status) == (1.0, "ok")
    assert "left out: 'c'" in check.note
    two = found.new.groups[2]
    assert (two.small, two.impact_ratio) == (True, 0.0)
    assert all(map(math.isnan, two.impact_ratio_interval))


def test_few_outcomes_have_an_auc_without_interval(card: Scorecard) -> None:
    rows = _rows_of([(30.0, "own"), (20.0, "rent")] * 14)
    found = monitor(card, rows, rows, y=["good", "bad"] * 14, n_boot=50).new.performance
    assert found is not None
    assert found.auc == 1.0
    assert all(map(math.isnan, found.auc_interval))


def test_a_fall_of_the_auc(card: Scorecard) -> None:
    rows = {"age": [30.0, 30.0, 20.0, 20.0], "housing": ["own", "rent", "own", "rent"]}
    y, random = ["good", "good", "bad", "bad"], ["good", "bad", "bad", "good"]
    many, few = _many(rows, 100), _many(rows, 2)
    sure = monitor(card, many, many, y_baseline=y * 100, y=random * 100, n_boot=200)
    unsure = monitor(card, many, few, y_baseline=y * 100, y=random * 2, n_boot=200)
    assert _status(sure, "auc-drop") == {"score": "alert"}
    assert _status(unsure, "auc-drop") == {"score": "note"}
    assert next(check.note for check in unsure.checks if check.figure == "auc-drop") == (
        "AUC 0.875 before, 0.500 now, no interval"
    )
    before, now = y * 60 + random * 40, y * 3 + random * 7
    unsure = monitor(card, many, _many(rows, 10), y_baseline=before, y=now, n_boot=200)
    assert _status(unsure, "auc-drop") == {"score": "warn"}
    assert _status(monitor(card, many, many, y_baseline=y * 100, y=y * 100, n_boot=20), "auc-drop") == {"score": "ok"}
    assert not _status(monitor(card, many, many, y=y * 100, n_boot=20), "auc-drop")


def test_calibration_is_an_alert_where_it_is_significant(card: Scorecard) -> None:
    rows = {"age": [20.0], "housing": ["own"]}  # PD 0.5
    for bad, times, status in ((50, 1, "ok"), (70, 1, "alert"), (7, 0.1, "note"), (26, 0.4, "warn"), (30, 1, "alert")):
        n = int(100 * times)
        y = ["bad"] * bad + ["good"] * (n - bad)
        found = monitor(card, BASE, _many(rows, n), y=y, n_boot=10)
        assert _status(found, "calibration") == {"known outcomes": status}


def test_a_figure_at_its_threshold_is_within(card: Scorecard) -> None:
    """Quotients and differences that are the thresholds, but not in doubles: 20/30 over 25/30 and 0.8 - 0.75."""
    best, middle, least = (30.0, "own"), (20.0, "own"), (20.0, "rent")  # scores of 570, 540 and 510
    decided = _rows_of([best] * 20 + [least] * 10 + [best] * 25 + [least] * 5)
    groups = _groups(["f"] * 30 + ["m"] * 30)
    found = monitor(card, decided, decided, groups=groups, n_boot=10)
    assert found.new.groups[0].impact_ratio < 0.8
    assert _status(found, "four-fifths-ratio") == {"sex: f / m": "ok"}
    found = monitor(card, decided, decided, groups=groups, n_boot=10, thresholds={"ratio": "adverse-impact"})
    assert _status(found, "adverse-impact-ratio") == {"sex: f / m": "ok"}

    before, now = _rows_of([middle, least, *[best] * 4]), _rows_of([middle, least, *[best] * 3])
    found = monitor(card, before, now, y_baseline=["bad"] + ["good"] * 5, y=["bad"] + ["good"] * 4, n_boot=10)
    assert [check.value for check in found.checks if check.figure == "auc-drop"] == [0.8 - 0.75]
    assert 0.8 - 0.75 > 0.05
    assert _status(found, "auc-drop") == {"score": "ok"}

    for row, bad, good in ((least, 65, 15), ((None, "rent"), 48, 52)):  # expected are 0.65 of 80 and 0.6 of 100
        y = ["bad"] * bad + ["good"] * good
        found = monitor(card, BASE, _rows_of([row] * len(y)), y=y, n_boot=10)
        assert found.new.calibrated is not None
        assert not 0.8 <= found.new.calibrated.ratio <= 1.25
        assert _status(found, "calibration") == {"known outcomes": "ok"}


def _rows_of(rows: Sequence[tuple[float | None, str]]) -> dict[str, list[Any]]:
    return {"age": [age for age, _ in rows], "housing": [housing for _, housing in rows]}


def test_significance_can_be_asked_for(card: Scorecard) -> None:
    few = {"age": [30.0] * 4 + [20.0] * 3, "housing": ["own"] * 7}
    base = _many({"age": [30.0] * 4 + [20.0], "housing": ["own"] * 5}, 20)
    assert _status(monitor(card, base, few, n_boot=10), "csi")["Age"] == "alert"
    limits = Thresholds(significant=True)
    assert _status(monitor(card, base, few, thresholds=limits, n_boot=10), "csi")["Age"] == "note"
    many = _many(few, 100)
    assert _status(monitor(card, base, many, thresholds=limits, n_boot=10), "csi")["Age"] == "alert"


def test_thresholds_can_be_chosen(card: Scorecard) -> None:
    rows, more = _many(BASE, 50), _many(BASE, 50)
    more = more | {"age": [20.0 if i % 3 == 0 else age for i, age in enumerate(more["age"])]}
    index = monitor(card, rows, more, n_boot=10).parts[0].characteristics[0].index
    for alert, status in ((index * 1.01, "ok"), (index, "alert")):
        found = monitor(card, rows, more, thresholds=Thresholds(csi_warn=alert, csi_alert=alert), n_boot=10)
        assert _status(found, "csi")["Age"] == status


def test_segments_are_monitored_one_by_one(card: Scorecard) -> None:
    model = models_named()["segmented-model"]
    assert isinstance(model, SegmentedModel)
    others = {"age": [30.0] * 4, "region": [1.0] * 4}
    before = {"amount": [1.0, 3.0, 9.0, 12.0], "job": ["a", "b", "a", "b"]} | others
    now = {"amount": [1.0, 9.0, 10.0, 20.0], "job": ["a", "b", None, "new"]} | others
    found = monitor(model, before, now, n_boot=10)
    assert found.segments is not None
    assert [(band.name, band.baseline, band.new) for band in found.segments.bands] == [
        ("thin file", 0.5, 0.25),
        ("thick file", 0.5, 0.75),
    ]
    assert [(part.segment, part.baseline_rows, part.new_rows) for part in found.parts] == [
        ("thin file", 2, 1),
        ("thick file", 2, 3),
    ]
    only = monitor(model, before, {name: values[1:] for name, values in now.items()}, n_boot=10)
    assert only.parts[0].score is None
    assert "Nobody of a sample is in the segment 'thin file'." in only.missing


def test_rules_and_the_share_that_they_apply_to() -> None:
    model = models_named()["rule-set"]
    columns = {feature.name: feature.kind for feature in model.features}
    rows = {
        name: [15.0, 25.0, 45.0, None] if kind == "numeric" else ["a", "b", "c", None] for name, kind in columns.items()
    }
    found = monitor(model, rows, {name: values[1:] for name, values in rows.items()}, n_boot=10)
    [part] = found.parts
    assert len(part.rules) == len(model.rules) + 1
    assert all(len(each.bands) == 2 for each in part.rules)
    assert {each.name for each in part.characteristics} == {feature.title for feature in model.features}
    assert math.isnan(found.new.mean_pd)
    assert any("votes of rules are no probabilities" in text for text in found.missing)


def test_what_was_not_given_is_told(card: Scorecard) -> None:
    found = monitor(replace(card, reasons=None), BASE, NEW, n_boot=10)
    told = " ".join(found.missing)
    for text in ("No outcomes of the new", "No protected groups", "No dates", "no reason policy"):
        assert text in told
    assert found.reasons is None
    assert "No outcomes of the baseline" in " ".join(monitor(card, BASE, NEW, y=["good"] * 5, n_boot=10).missing)
    declined = {"age": [20.0], "housing": ["rent"]}
    assert "Nobody was declined" in " ".join(monitor(card, BASE, declined, n_boot=10).missing)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"y": ["good"]}, InputError, r"y of the new applicants: the number of outcomes differs.*got \(1,\)"),
        ({"y": ["good", "bad", "paid", None, "bad"]}, InputError, r"none of the model's classes; got 'paid'.*'bad' or"),
        ({"groups": {"sex": ["f"]}}, InputError, r"groups: expected groups; got 'dict'"),
        ({"sample_weight": [1, 1, -1, 1, 1]}, InputError, r"sample_weight, row 2: weights may not be negative"),
        ({"bands": 1}, InputError, r"bands: unusable number; got 1; allowed: a whole number from 2 to 100"),
        ({"thresholds": {"psi_allert": 1}}, InputError, r"thresholds: unknown option.*did you mean 'psi_alert'"),
        ({"thresholds": {"psi_warn": 0.3}}, InputError, r"psi_warn: the warning comes after the alert; got 0.3"),
        ({"thresholds": {"impact_ratio": 1.2}}, InputError, r"impact_ratio: unusable number; got 1.2"),
        (
            {"thresholds": {"ratio": "80%"}},
            InputError,
            r"ratio: unknown ratio of approval rates; got '80%'; allowed: 'four-f",
        ),
        ({"thresholds": {"significant": "no"}}, InputError, r"significant: neither true nor false; got 'no'"),
        ({"n_boot": 0}, InputError, r"n_boot: expected a number of bootstrap replicates"),
    ],
)
def test_bad_input_is_told(card: Scorecard, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        monitor(card, BASE, NEW, **options)


def test_data_that_do_not_fit_the_model_are_told(card: Scorecard) -> None:
    with pytest.raises(InputError, match=r"column 'housing': missing column"):
        monitor(card, BASE, {"age": [1.0]})
    with pytest.raises(KindError, match=r"column 'age': numbers when the model was fitted, text now"):
        monitor(card, BASE, NEW | {"age": ["x"] * 5})
    with pytest.raises(InputError, match=r"model: the model does not decide.*a model of a quantity"):
        monitor(models_named()["regression-scorecard"], BASE, NEW)


def test_references_must_agree(card: Scorecard) -> None:
    groups = [Groups.from_frame({"sex": sexes}, min_group_size=0) for sexes in (list("ffmm"), list("mmmff"))]
    with pytest.raises(
        InputError, match=r"protected attribute 'sex': the reference group differs.*got 'm'; allowed: 'f'"
    ):
        monitor(card, BASE, NEW, groups_baseline=groups[0], groups=groups[1])


def _groups(sexes: list[str]) -> Groups:
    return Groups.from_frame({"sex": sexes}, reference={"sex": "m"}, min_group_size=0)


def _without_draws(value: Any) -> Any:
    """Without what is drawn at random, counts of rows, and how sure figures are, which goes by effective rows."""
    if isinstance(value, dict):
        left_out = ("rows", "note", "performance", "adverse_impact_ratio_interval", "checks", "alerts", "status")
        left_out += ("expected_index", "p_value", "effective_size", "interval")
        return {key: _without_draws(each) for key, each in value.items() if key not in left_out}
    if isinstance(value, list | tuple):
        return [_without_draws(each) for each in value]
    return pytest.approx(value, rel=1e-12) if isinstance(value, float) else value


def test_what_moves_no_score_is_not_watched_unless_a_knock_out_reads_it(card: Scorecard) -> None:
    def without(model: Scorecard, name: str) -> Scorecard:
        same = {
            each.feature: tuple(replace(attribute, points=7.0) for attribute in each.attributes)
            for each in model.characteristics
            if each.feature == name
        }
        idle = tuple(
            replace(each, attributes=same.get(each.feature, each.attributes)) for each in model.characteristics
        )
        return replace(model, characteristics=idle, reasons=None)

    moved = {"age": BASE["age"], "housing": ["rent"] * 4}
    watched = monitor(without(card, "housing"), BASE, moved, n_boot=10)
    [part] = watched.parts
    assert [each.name for each in part.characteristics] == ["Age"]
    assert "Housing" not in {check.subject for check in watched.checks}
    assert "Not watched, for the same points for everybody move no score: Housing." in watched.missing
    [part] = monitor(without(card, "age"), BASE, NEW, n_boot=10).parts
    assert sorted(each.name for each in part.characteristics) == ["Age", "Housing"], "a knock-out reads the age"
