"""Monitoring of models of segments, whose scores are on scales of their own."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.data.cohort import Cohort
from scrutable.measures.separating_power import auc
from scrutable.model import Calibration, Categories, Clause, Feature, Scorecard, Segment, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.monitoring import monitor
from scrutable_lifecycle.monitoring.model_drift import score_bands
from scrutable_lifecycle.monitoring.tallying import tallied


@pytest.fixture(scope="module")
def model(card: Scorecard) -> SegmentedModel:
    """The card for those of the north, for others the same 10 000 points higher and with 30 points less of worth."""
    assert card.calibration is not None
    far = replace(
        card,
        base_points=10500,
        cutoff=10530,
        calibration=Calibration(slope=0.005, intercept=-2.2 - 50 - 0.15, link="identity"),
        reasons=None,
    )
    return SegmentedModel(
        segments=(
            Segment(name="north", model=card, when=(Clause("region", (Categories(("north",)),)),)),
            Segment(name="others", model=far),
        ),
        routing=(Feature(name="region", kind="categorical"),),
    )


def applicants(seed: int) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    return {
        "age": generator.choice([20.0, 30.0, -9.0], 400).tolist(),
        "housing": generator.choice(["own", "rent"], 400).tolist(),
        "region": generator.choice(["north", "south"], 400).tolist(),
    }


def with_outcomes(model: SegmentedModel, seed: int) -> tuple[dict[str, Any], list[str]]:
    rows = applicants(seed)
    good = np.random.default_rng(seed + 1).random(400) < evaluate(model, rows).probability
    return rows, np.where(good, "good", "bad").tolist()


def test_separation_over_segments_is_that_of_the_probability(model: SegmentedModel) -> None:
    rows, y = with_outcomes(model, 1)
    found = monitor(model, rows, rows, y_baseline=y, y=y, n_boot=5)
    evaluated, good = evaluate(model, rows), np.array(y) == "good"
    assert found.new.performance is not None
    assert found.new.performance.auc == auc(good, evaluated.probability) != auc(good, evaluated.score)
    assert found.ranked_by == found.to_dict()["ranked_by"] == "probability"
    assert found.new.to_dict()["mean_score"] is None  # a mean of two scales would say nothing
    for segment in found.new.segments:
        inside = evaluated.segment == segment.name
        assert segment.performance is not None
        assert segment.performance.auc == auc(good[inside], evaluated.score[inside])
        assert segment.mean_score == pytest.approx(evaluated.score[inside].mean())
        assert segment.rows == inside.sum()
    assert [each.name for each in found.new.segments] == ["north", "others"]


def test_psi_over_time_is_that_of_the_probability(model: SegmentedModel) -> None:
    before = applicants(1)
    now = {name: values * 2 for name, values in before.items()} | {"age": before["age"] + [-9.0] * 400}
    dates = ["2026-01"] * 400 + ["2026-02"] * 400
    still, drifted = monitor(model, before, now, dates=dates, n_boot=5).periods
    assert still.psi is not None
    assert drifted.psi is not None
    assert (still.psi.name, still.psi.index) == ("probability", 0.0)
    cuts = score_bands(model, tallied(model, Cohort.read(before)).profiles, 10).cuts
    late = {name: values[400:] for name, values in now.items()}
    for sample, side in ((before, "baseline"), (late, "new")):
        placed = np.searchsorted(cuts, evaluate(model, sample).probability, side="right")
        shares = np.bincount(placed, minlength=len(cuts) + 1) / 400
        assert [getattr(band, side) for band in drifted.psi.bands[:-1]] == pytest.approx(shares)  # the last: knock-outs
    assert drifted.psi.index > 0.25
    whole = monitor(model, before, now, n_boot=5)
    assert ("psi", "probability") in {(check.figure, check.subject) for check in whole.alerts}


def test_characteristics_by_period_and_segment(model: SegmentedModel) -> None:
    before = applicants(1)
    [month] = monitor(model, before, before, dates=["2026-01"] * 400, n_boot=5).periods
    names = {f"{name}, segment {segment}" for name in ("Age", "Housing") for segment in ("north", "others")}
    assert {each.name: each.index for each in month.csi} == dict.fromkeys(names, 0.0)


def test_segments_without_reasons_are_left_out_of_their_drift(model: SegmentedModel) -> None:
    rows = applicants(2)
    found = monitor(model, rows, rows, n_boot=5)
    assert found.reasons is not None
    evaluated = evaluate(model, rows)
    declined = ~evaluated.approved & (evaluated.segment == "north")
    assert found.reasons.baseline_declined == declined.sum() < (~evaluated.approved).sum()
    assert "(no reason)" not in {each.code for each in found.reasons.codes}
    assert "The segment 'others' has no reason policy: its declined are left out of the drift of reasons." in (
        found.missing
    )


def test_the_page_says_what_is_ranked(model: SegmentedModel, card: Scorecard) -> None:
    rows, y = with_outcomes(model, 1)
    page = monitor(model, rows, rows, y=y, dates=["2026-01"] * 400, n_boot=5).html()
    assert "PSI of the probability" in page
    assert "AUC, KS and PSI are therefore those of the calibrated probability" in page
    assert "new, segment north" in page
    rows.pop("region")
    single = monitor(card, rows, rows, y=y, n_boot=5)
    assert (single.ranked_by, single.new.segments, math.isnan(single.new.mean_score)) == ("score", (), False)
    assert "of the calibrated probability" not in single.html()
