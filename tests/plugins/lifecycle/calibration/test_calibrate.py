"""Refitting the stored calibration: what it reaches, what it leaves alone, and what it refuses."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit

from scrutable import create, dumps, evaluate, loads
from scrutable.data.datasets.dataset import Dataset
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import (
    Calibration,
    Clause,
    DecisionModel,
    Interval,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    TreeEnsemble,
)
from scrutable.model.evaluator import differences
from scrutable_lifecycle.calibration import calibrate, odds_at, reliability


def pd_of(model: DecisionModel, X: Any) -> Any:
    return 1 - evaluate(model, X, reasons=False).probability


def calibration_of(model: object) -> Calibration:
    assert isinstance(model, Scorecard | TreeEnsemble)
    return model.calibration


@pytest.fixture(scope="module")
def recent(credit: Dataset) -> tuple[pd.DataFrame, pd.Series]:
    return credit.X[2000:].reset_index(drop=True), credit.y[2000:].reset_index(drop=True)


@pytest.fixture(params=["card", "ensemble"])
def model(request: pytest.FixtureRequest) -> Scorecard | TreeEnsemble:
    found: Scorecard | TreeEnsemble = request.getfixturevalue(request.param)
    return replace(
        found, calibration=Calibration(intercept=found.calibration.intercept + 1, slope=0.5 * found.calibration.slope)
    )


def test_afterwards_the_rows_are_calibrated(model: Scorecard | TreeEnsemble, recent: Any) -> None:
    found = calibrate(model, *recent)
    assert found.after.overall.slope == pytest.approx(1, abs=1e-9)
    assert found.after.overall.intercept == pytest.approx(0, abs=1e-9)
    assert found.after.overall.expected_over_observed == pytest.approx(1, abs=1e-12)
    assert found.before.overall.slope > 1.25
    assert found.after.overall.brier.score < found.before.overall.brier.score
    good = (recent[1] == 0).to_numpy()
    assert found.after == reliability(pd_of(found.model, recent[0]), good, fitted=2)


def test_scores_decisions_and_reasons_stay(model: Scorecard | TreeEnsemble, recent: Any) -> None:
    found = calibrate(model, *recent, central_tendency=0.03)
    before, after = evaluate(model, recent[0]).frame(), evaluate(found.model, recent[0]).frame()
    assert list(differences(before, after)) == ["probability"]
    assert loads(dumps(found.model)) == found.model


@pytest.mark.parametrize("method", ["logistic", "intercept"])
@pytest.mark.parametrize("rate", [1e-4, 0.05, 0.5, 0.99])
def test_the_central_tendency_is_met(card: Scorecard, recent: Any, method: Any, rate: float) -> None:
    weight = np.random.default_rng(0).uniform(0, 3, len(recent[1]))
    found = calibrate(card, *recent, central_tendency=rate, method=method, sample_weight=weight)
    assert np.average(pd_of(found.model, recent[0]), weights=weight) == pytest.approx(rate, abs=1e-12)
    kept = card if method == "intercept" else calibrate(card, *recent, sample_weight=weight).model
    assert calibration_of(found.model).slope == calibration_of(kept).slope


def test_the_intercept_alone_makes_the_mean_the_bad_rate(card: Scorecard, recent: Any) -> None:
    found = calibrate(card, *recent, method="intercept")
    assert pd_of(found.model, recent[0]).mean() == pytest.approx(recent[1].mean(), abs=1e-12)


def test_two_scores_by_hand(scorecard: Scorecard) -> None:
    # Scores 540.5 (under 25, own) and 570 (25 and older, own): bad rates 1/2 and 1/4.
    rows = {"age": [20.0] * 4 + [30.0] * 4, "housing": ["own"] * 8}
    y = ["good", "good", "bad", "bad", "good", "good", "good", "bad"]
    plain = replace(scorecard, policy=replace(scorecard.policy, knock_outs=()))
    its = calibration_of(calibrate(plain, rows, y).model)
    assert its.slope == pytest.approx(math.log(3) / 29.5)
    assert its.intercept == pytest.approx(-540.5 * math.log(3) / 29.5)


def test_the_scaling_says_what_the_points_mean_now(card: Scorecard, recent: Any) -> None:
    assert card.scaling is not None
    after = calibrate(card, *recent, central_tendency=0.04).model
    assert isinstance(after, Scorecard)
    assert after.scaling is not None
    assert after.scaling.base_score == card.scaling.base_score
    assert odds_at(after, 600) == pytest.approx(after.scaling.base_odds)
    assert odds_at(after, 600 + after.scaling.pdo) == pytest.approx(2 * after.scaling.base_odds)
    assert after.scaling.calibration.slope == pytest.approx(after.calibration.slope)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_a_weight_is_so_many_rows(seed: int) -> None:
    from scrutable.testing.contract.examples.models import models_named

    model = models_named()["tree-ensemble"]
    assert isinstance(model, TreeEnsemble)
    generator = np.random.default_rng(seed)
    rows = create_rows(model, generator)
    good = generator.random(80) < 0.6
    times = generator.integers(0, 3, 80)
    y = np.array(model.outcome.classes)[
        np.where(good, model.outcome.favourable_index, 1 - model.outcome.favourable_index)
    ]
    try:
        weighted = calibrate(model, rows, y, sample_weight=times)
    except InputError as error:
        if "separates" in error.what or "both classes" in error.what:  # few rows can be so
            return
        raise
    again = calibrate(model, rows.loc[rows.index.repeat(times)].reset_index(drop=True), y.repeat(times))
    once, twice = (calibration_of(found.model) for found in (weighted, again))
    assert (once.intercept, once.slope) == pytest.approx((twice.intercept, twice.slope), rel=1e-12)


def create_rows(model: TreeEnsemble, generator: np.random.Generator) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for feature in model.features:
        numeric = feature.kind == "numeric"
        columns[feature.name] = (
            generator.uniform(0, 100, 80) if numeric else generator.choice(["cook", "clerk", "x"], 80)
        )
    return pd.DataFrame(columns)


def test_a_score_that_ranks_the_wrong_way_round_gets_no_slope(card: Scorecard, recent: Any) -> None:
    upside_down = 1 - recent[1]
    its = calibration_of(calibrate(card, recent[0], upside_down).model)
    assert its.slope == 0
    assert its.intercept == pytest.approx(logit(1 - upside_down.mean()))


def test_rows_without_an_outcome_are_left_out_and_groups_are_measured(
    card: Scorecard, credit: Dataset, recent: Any
) -> None:
    y = recent[1].astype(object)
    y[:500] = None
    groups = Groups.from_frame(credit.sensitive_features[["sex"]][2000:])
    found = calibrate(card, recent[0], y, groups=groups)
    assert found.model == calibrate(card, recent[0][500:], recent[1][500:]).model
    assert [each.group for each in found.after.groups] == ["female", "male"]
    assert sum(each.curve.size for each in found.after.groups) == 1500


def two_segments(model: Scorecard | TreeEnsemble, other: Scorecard | TreeEnsemble | RuleSet) -> SegmentedModel:
    amount = next(feature for feature in model.features if feature.name == "credit_amount")
    small = Segment(name="small", when=(Clause("credit_amount", (Interval(upper=6000),)),), model=model)
    return SegmentedModel(segments=(small, Segment(name="large", model=other)), routing=(amount,))


def test_each_segment_is_fitted_on_its_own_and_moved_alike(
    card: Scorecard, ensemble: TreeEnsemble, recent: Any
) -> None:
    X, y = recent
    whole = two_segments(card, ensemble)
    found = calibrate(whole, X, y).model
    assert isinstance(found, SegmentedModel)
    small = (X["credit_amount"] < 6000).to_numpy()
    alone = calibrate(card, X[small], y[small]), calibrate(ensemble, X[~small], y[~small])
    assert [calibration_of(part.model) for part in found.segments] == [calibration_of(each.model) for each in alone]
    moved = calibrate(whole, X, y, central_tendency=0.02)
    assert pd_of(moved.model, X).mean() == pytest.approx(0.02, abs=1e-12)
    assert isinstance(moved.model, SegmentedModel)
    shifts = [
        calibration_of(after.model).intercept - calibration_of(before.model).intercept
        for before, after in zip(found.segments, moved.model.segments, strict=True)
    ]
    assert shifts[0] == pytest.approx(shifts[1])
    assert [each["segment"] for each in moved.to_dict()["calibrations"]] == ["small", "large"]
    json.dumps(moved.to_dict(), allow_nan=False)
    with pytest.raises(InputError, match=r"segment 'large': no applicant with a known outcome"):
        calibrate(whole, X[small], y[small])


def test_what_is_refused(card: Scorecard, rule_set: RuleSet, recent: Any) -> None:
    X, y = recent
    with pytest.raises(InputError, match=r"a rule set stores no calibration: its probability is the share of votes"):
        calibrate(rule_set, X, y)
    with pytest.raises(
        InputError, match=r"method: unknown method of calibration; got 'isotonic'; allowed: 'logistic' or"
    ):
        calibrate(card, X, y, method="isotonic")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="central_tendency: expected a share; got 5"):
        calibrate(card, X, y, central_tendency=5)
    with pytest.raises(InputError, match="outcomes of both classes"):
        calibrate(card, X, np.zeros(len(y), dtype=int))
    identity = replace(card, calibration=Calibration(slope=0.001, link="identity"))
    with pytest.raises(InputError, match="no intercept to move"):
        calibrate(identity, X, y, method="intercept")
    best = evaluate(card, X).score
    assert best is not None
    with pytest.raises(InputError, match="separates the good payers from the bad ones"):
        calibrate(card, X, (best < np.median(best)).astype(int))


@pytest.mark.parametrize("engine", ["sql", "python", "onnx", "r"])
@pytest.mark.parametrize("kind", ["card", "ensemble"])
def test_exports_give_the_new_probabilities(
    kind: str, engine: str, recent: Any, request: pytest.FixtureRequest
) -> None:
    model = calibrate(request.getfixturevalue(kind), *recent, central_tendency=0.07).model
    exporter = create("exporter", engine)
    rows = recent[0][:300]
    ran = exporter.run(exporter.export(model), rows)
    assert differences(evaluate(model, rows).frame(), ran) == {}
    assert np.max(np.abs(np.asarray(ran["probability"], dtype=float) - 1 + pd_of(model, rows))) < 1e-15


@pytest.mark.real_data
@pytest.mark.filterwarnings("ignore:.*may stand for no information")
def test_heloc_calibrated_on_one_half_holds_on_the_other(data_dir: Any) -> None:
    frame = pd.read_csv(data_dir / "heloc.csv.gz", sep=" ", header=None, compression="gzip")
    X, y = frame.iloc[:, 1:].rename(columns=lambda name: f"x{name}"), frame.iloc[:, 0].rename("risk")
    learn, fit, rest = (slice(start, None, 3) for start in range(3))
    learner = create("learner", "lda-xgb1", favourable=0).fit(X[learn], y[learn])
    bent = replace(learner.model_, calibration=Calibration(slope=0.01, intercept=-4.0))
    found = calibrate(bent, X[fit], y[fit])
    curve = reliability(pd_of(found.model, X[rest]), (y[rest] == 0).to_numpy()).overall
    assert curve.slope_interval[0] < 1 < curve.slope_interval[1]
    assert 0.95 < curve.expected_over_observed < 1.05
