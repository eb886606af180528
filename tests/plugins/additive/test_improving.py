"""A scorecard that is improved: points are sums, nothing to improve leaves it, and what cannot be is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from scrutable import create
from scrutable.binning import with_statistics
from scrutable.cli.app import app
from scrutable.data.datasets import make_credit
from scrutable.errors import InputError
from scrutable.model import (
    POINT_INTERVALS,
    Axis,
    Calibration,
    Interaction,
    Interval,
    Missing,
    Scorecard,
    dump,
    dump_evidence,
)
from scrutable.model.evaluator import evaluate
from scrutable.plugins import refusing_missing
from scrutable_additive.learner import AdditiveClassifier
from scrutable_additive.summing import summed

CREDIT = make_credit(4000, seed=3)
X, Y, GOOD = CREDIT.X, np.asarray(CREDIT.y), CREDIT.favourable == np.asarray(CREDIT.y)
CODES = {"bureau_score": [-9]}


def old(*names: str, **options: Any) -> Scorecard:
    """A scorecard of some of the columns, learned on other rows."""
    rows = make_credit(1500, seed=9)
    binner = create("binner", "quantile", special_codes={name: CODES[name] for name in names if name in CODES})
    learner = create("learner", "scorecard", binner=binner, favourable=CREDIT.favourable, **options)
    model: Scorecard = learner.fit(rows.X[list(names)], rows.y).model_
    return model


def learned(card: Any, columns: Any = X, y: Any = Y, **options: Any) -> AdditiveClassifier:
    return AdditiveClassifier(improves=card, favourable=CREDIT.favourable, **options).fit(columns, y)


def probability(model: Scorecard, columns: Any = X) -> np.ndarray:
    return np.asarray(evaluate(model, columns).probability)


def log_loss(model: Scorecard) -> float:
    chance = probability(model)
    return float(-np.mean(np.where(GOOD, np.log(chance), np.log1p(-chance))))


def test_it_adds_what_the_scorecard_lacks() -> None:
    card = old("income", "bureau_score")
    better = learned(card)
    assert log_loss(better.model_) < log_loss(card) - 0.01
    assert probability(better.model_).mean() == pytest.approx(GOOD.mean(), abs=1e-6)
    assert {"income", "bureau_score"} < {each.feature for each in better.model_.characteristics}
    told: Any = better.evidence_.metrics["additive"]
    assert told["chosen"]["log_loss"] == pytest.approx(log_loss(better.model_), abs=1e-4)
    assert told["path"][-1]["steps"] == 0
    assert any(each.startswith("Added are ") for each in AdditiveClassifier.about_learning(better.evidence_))


def test_points_are_sums_on_attributes_that_neither_parts() -> None:
    card = old("income", "bureau_score", "housing")
    added = replace(
        AdditiveClassifier(special_codes=CODES, favourable=CREDIT.favourable, explainer=None).fit(X, Y).model_, cutoff=0
    )
    data = AdditiveClassifier(special_codes=CODES, favourable=CREDIT.favourable).read(
        X, Y, sensitive_features=None, sample_weight=None
    )
    alone = {each.feature for each in (*card.characteristics, *added.characteristics)}
    whole = with_statistics(summed(card, added, [each for each in data.features if each.name in alone]), data)
    odd = X.assign(housing=X["housing"].astype(object))
    odd.loc[odd.index[:40], "income"] = np.nan
    odd.loc[odd.index[20:60], "housing"] = "a tent"
    odd.loc[odd.index[50:90], "housing"] = None
    odd.loc[odd.index[60:100], "bureau_score"] = -9
    for rows in (X, odd):
        expected = np.asarray(evaluate(card, rows).score) + np.asarray(evaluate(added, rows).score)
        np.testing.assert_array_equal(np.asarray(evaluate(whole, rows).score), expected)
    for each in whole.characteristics:
        assert sum(a.statistics.good + a.statistics.bad for a in each.attributes) == len(Y)


def test_tables_of_pairs_stay_on_the_scorecard() -> None:
    halves = (Interval(upper=30000.0), Interval(lower=30000.0), Missing())
    shares = (Interval(upper=0.3), Interval(lower=0.3), Missing())
    table = Interaction(
        rows=Axis(feature="income", conditions=halves),
        columns=Axis(feature="debt_ratio", conditions=shares),
        points=((-20.0, 5.0, 0.0), (5.0, -5.0, 0.0), (0.0, 0.0, 0.0)),
    )
    card = old("income", "debt_ratio")
    paired = replace(card, interactions=(table,), reasons=None)
    better = learned(paired)
    assert better.model_.interactions == (table,)
    told: Any = better.evidence_.metrics["additive"]
    assert told["chosen"]["log_loss"] == pytest.approx(log_loss(better.model_), abs=1e-4)


def test_where_nothing_is_to_be_improved_scores_move_by_one_constant() -> None:
    card = old("income", "debt_ratio")
    columns = X[["income", "debt_ratio"]]
    moved = []
    for seed in range(5):
        chance = np.random.default_rng(seed).random(len(Y))
        y = np.where(chance < probability(card, columns), CREDIT.favourable, 1 - CREDIT.favourable)  # as the card says
        again = learned(card, columns, y).model_
        difference = np.asarray(evaluate(again, columns).score) - np.asarray(evaluate(card, columns).score)
        moved.append(float(np.ptp(difference)))
        assert abs(difference.mean()) < 5
        assert (again.calibration, again.scaling) == (card.calibration, card.scaling)
    assert sum(width == 0.0 for width in moved) >= 4


def test_a_path_is_as_good_and_a_recalibrated_card_keeps_its_calibration(tmp_path: Path) -> None:
    card = old("income", "bureau_score")
    bent = replace(card, calibration=Calibration(slope=1.3 * card.calibration.slope, intercept=-1.0))
    dump(bent, tmp_path / "card.json")
    ours, theirs = learned(bent).model_, learned(str(tmp_path / "card.json")).model_
    assert ours.characteristics == theirs.characteristics
    assert ours.calibration == bent.calibration
    assert probability(ours).mean() == pytest.approx(GOOD.mean(), abs=1e-6)


def test_whole_points_stay_whole() -> None:
    better = learned(old("income", "bureau_score", scaling={"decimals": 0})).model_
    assert all(a.points == round(a.points) for each in better.characteristics for a in each.attributes)


def test_what_cannot_be_added_to_is_refused() -> None:
    card = old("income")
    learner = AdditiveClassifier(favourable=CREDIT.favourable).fit(X, Y)
    for given, match in (
        (refusing_missing(learner.model_, learner.evidence_, "all")[0], "improves: the scorecard has a policy"),
        (3, "improves: only a scorecard can be improved; got 'int'"),
        (
            replace(card, calibration=Calibration(slope=0.001, link="identity")),
            "a calibration that is none of log-odds",
        ),
    ):
        with pytest.raises(InputError, match=match):
            learned(given)
    with pytest.raises(InputError, match="improves: the scorecard reads a column that is not there; got 'income'"):
        learned(card, X.drop(columns="income"))
    with pytest.raises(InputError, match="improves: the scorecard decides between other classes, or favours another"):
        AdditiveClassifier(improves=card, favourable=1 - CREDIT.favourable).fit(X, Y)
    with pytest.raises(InputError, match="scaling: a point is worth what it is on the scorecard that is improved"):
        learned(card, scaling={"pdo": 30})
    with pytest.raises(InputError, match="trends, column 'income': the scorecard that is improved goes against"):
        learned(card, trends={"income": "descending"}, must=["income"])


def crossed() -> tuple[pd.DataFrame, np.ndarray]:
    chance = np.random.default_rng(0)
    frame = pd.DataFrame({name: chance.normal(size=3000).round(2) for name in "abc"})
    log_odds = frame["a"] + frame["b"] + 1.5 * frame["a"] * frame["b"]
    return frame, (chance.random(3000) < 1 / (1 + np.exp(-log_odds))).astype(int)


def test_pairs_are_added_beside_those_of_the_scorecard() -> None:
    frame, y = crossed()
    options: Any = {"favourable": 1, "pairs": [("a", "b")], "must": ["a x b"]}
    card = AdditiveClassifier(favourable=1).fit(frame, y).model_
    once = AdditiveClassifier(improves=card, **options).fit(frame, y)
    twice = AdditiveClassifier(improves=once.model_, **options).fit(frame, y)
    assert [each.name for each in once.model_.interactions] == ["a x b"]
    assert [each.name for each in twice.model_.interactions][:1] == ["a x b"]
    assert {each.name for each in twice.model_.interactions} <= {"a x b", "a x b, added"}
    for learner in (once, twice):
        told: Any = learner.evidence_.metrics["additive"]
        p = learner.predict_proba(frame)[:, 1]
        assert told["chosen"]["log_loss"] == pytest.approx(-np.log(np.where(y, p, 1 - p)).mean(), abs=1e-6)


def test_a_card_is_chosen_by_its_steps_and_the_path_says_that_they_are_added(tmp_path: Path) -> None:
    card = old("income", "bureau_score")
    usual: Any = learned(card).evidence_.metrics["additive"]
    fewer = next(each["steps"] for each in usual["path"] if each["steps"] < usual["chosen"]["steps"])
    chosen = learned(card, steps=fewer).evidence_
    told: Any = chosen.metrics["additive"]
    assert told["chosen"]["steps"] == fewer
    assert POINT_INTERVALS not in chosen.metrics
    assert AdditiveClassifier.about_characteristics(chosen)
    dump_evidence(chosen, tmp_path / "evidence.json")
    shown = CliRunner().invoke(app, ["path", str(tmp_path / "evidence.json"), "--json"])
    assert json.loads(shown.output)["about"].endswith(
        f"added to a scorecard of 2 characteristics with {told['improves']['before']['steps']} steps"
    )
    told_so = CliRunner().invoke(app, ["path", str(tmp_path / "evidence.json")]).output
    assert "characteristics and variance are those of what is added to a scorecard of 2" in " ".join(told_so.split())
    other = usual["chosen"]["steps"]
    change = CliRunner().invoke(app, ["path", str(tmp_path / "evidence.json"), "--card", str(other)]).output
    assert f"--learner additive --option improves=… --option steps={other}" in " ".join(change.split())
