"""Groups and characteristics by period, and what thresholds say of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scrutable.fairness import Groups
from scrutable.measures.separating_power import auc
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.monitoring import Thresholds, monitor

BASE = {"age": [20.0, 30.0, 30.0, 30.0] * 50, "housing": ["own", "own", "own", "rent"] * 50}
SEXES = ["f", "m"] * 100


def _groups(sexes: list[str]) -> Groups:
    return Groups.from_frame({"sex": sexes}, reference={"sex": "m"}, min_group_size=0)


def _outcomes(seed: int = 0) -> list[str]:
    return np.random.default_rng(seed).choice(["good", "bad"], 200).tolist()


def test_groups_over_time_by_definition(card: Scorecard) -> None:
    y, dates = _outcomes(), ["2026-01"] * 120 + ["2026-02"] * 80
    rows = {"age": [30.0, 20.0, None, 30.0] * 50, "housing": ["own", "rent", "own", "rent", "own"] * 40}
    found = monitor(card, BASE, rows, y=y, groups=_groups(SEXES), dates=dates, n_boot=50)
    evaluated, good = evaluate(card, rows), np.array(y) == "good"
    for period, month in zip(found.periods, ("2026-01", "2026-02"), strict=True):
        for group in period.groups:
            inside = (np.array(dates) == month) & (np.array(SEXES) == group.group)
            assert group.performance is not None
            assert group.performance.auc == auc(good[inside], evaluated.score[inside])
            low, high = group.performance.auc_interval
            assert low <= group.performance.auc <= high
            assert group.calibrated is not None
            pd = 1 - evaluated.probability[inside]
            assert group.calibrated.ratio == pytest.approx((~good[inside]).sum() / pd.sum())
            assert group.calibrated.interval[0] < group.calibrated.ratio < group.calibrated.interval[1]
            assert (group.outcomes, group.few_outcomes) == (inside.sum(), False)
    told = found.to_dict()["periods"][0]["groups"][0]
    assert told["performance"]["auc"] == found.periods[0].groups[0].performance.auc
    assert told["calibration"]["ratio"] == found.periods[0].groups[0].calibrated.ratio


def test_groups_with_few_outcomes_are_marked(card: Scorecard) -> None:
    y: list[Any] = ["good", "bad"] * 29 + [None] * 142
    found = monitor(card, BASE, BASE, y=y, groups=_groups(SEXES), n_boot=20)
    assert [(each.small, each.few_outcomes, each.outcomes) for each in found.new.groups] == [(False, True, 29.0)] * 2
    assert "too few outcomes to judge" in found.html()


def test_outcomes_of_probable_members_count_as_weights(card: Scorecard) -> None:
    share, y = np.random.default_rng(1).random(200), _outcomes(2)
    soft = Groups.from_probabilities({"sex": {"f": share, "m": 1 - share}}, reference={"sex": "m"})
    [female, _] = monitor(card, BASE, BASE, y=y, groups=soft, n_boot=20).new.groups
    evaluated, bad = evaluate(card, BASE), np.array(y) == "bad"
    assert female.performance is not None
    assert female.performance.auc == pytest.approx(auc(~bad, evaluated.score, sample_weight=share))
    assert female.calibrated is not None
    assert female.calibrated.observed == pytest.approx(np.average(bad, weights=share))
    assert female.calibrated.expected == pytest.approx(np.average(1 - evaluated.probability, weights=share))
    spread = math.sqrt(float((share**2 * evaluated.probability * (1 - evaluated.probability)).sum()))
    z = (share @ bad - share @ (1 - evaluated.probability)) / spread
    assert female.calibrated.p_value == pytest.approx(math.erfc(abs(z) / math.sqrt(2)))


def test_characteristics_by_period_are_those_of_the_period_alone(card: Scorecard) -> None:
    now = {"age": [30.0] * 100 + [20.0] * 100, "housing": BASE["housing"]}
    dates = ["2026-01"] * 100 + ["2026-02"] * 100
    found = monitor(card, BASE, now, dates=dates, n_boot=5)
    for place, period in enumerate(found.periods):
        rows = {name: values[100 * place : 100 * (place + 1)] for name, values in now.items()}
        [alone] = monitor(card, BASE, rows, n_boot=5).parts
        assert period.csi == alone.characteristics
    assert [entry["name"] for entry in found.to_dict()["periods"][1]["csi"]] == ["Age", "Housing"]
    page = found.html()
    row = page[page.index("<h2>Characteristics by period") :].partition("<td>Age</td>")[2].partition("</tr>")[0]
    assert row.count("ALERT") == 2
    assert f"{found.periods[1].csi[0].index:.3f}" in row


def test_a_reference_of_whom_nobody_is_approved_is_noted(card: Scorecard) -> None:
    rows = {"age": [30.0, 17.0] * 100, "housing": ["own"] * 200}
    [check] = monitor(card, BASE, rows, groups=_groups(SEXES), n_boot=5).alerts[-1:]
    assert (check.figure, check.subject, check.value) == ("four-fifths-ratio", "sex: m / f", 0.0)
    found = monitor(card, BASE, rows, groups=_groups(SEXES), n_boot=5, thresholds={"ratio": "adverse-impact"})
    [check] = [each for each in found.checks if each.figure == "adverse-impact-ratio"]
    assert (check.status, math.isnan(check.value), check.to_dict()["value"]) == ("note", True, None)
    assert check.note == "nobody of the reference is approved, so there is no ratio"
    assert check.note in found.html()


def test_a_check_shows_the_threshold_that_is_crossed(card: Scorecard) -> None:
    more = {"age": [20.0 if i % 5 == 0 else age for i, age in enumerate(BASE["age"])], "housing": BASE["housing"]}
    index = monitor(card, BASE, more, n_boot=5).parts[0].characteristics[0].index
    told = []
    for warn, alert in ((2.0, 3.0), (0.5, 3.0), (0.2, 0.5)):
        limits = Thresholds(csi_warn=warn * index, csi_alert=alert * index)
        found = monitor(card, BASE, more, thresholds=limits, n_boot=5)
        [check] = [each for each in found.checks if (each.figure, each.subject) == ("csi", "Age")]
        told.append((check.status, round(check.threshold / index, 9)))
    assert told == [("ok", 3.0), ("warn", 0.5), ("alert", 0.5)]
