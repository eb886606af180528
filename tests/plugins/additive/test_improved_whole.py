"""A scorecard that is improved is told of as a whole: its size, what it gains, where sums turn, and what was added."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from tests.plugins.additive.test_improving import CREDIT, GOOD, X, Y, crossed, learned, log_loss, old

from scrutable.model import (
    Attribute,
    Axis,
    Calibration,
    Characteristic,
    Feature,
    Interaction,
    Interval,
    Missing,
    Outcome,
    Scorecard,
    rounded,
)
from scrutable.model.evaluator import evaluate
from scrutable_additive.learner import AdditiveClassifier


def told(learner: AdditiveClassifier) -> Any:
    return learner.evidence_.metrics["additive"]


def said(learner: AdditiveClassifier) -> list[str]:
    return list(AdditiveClassifier.about_learning(learner.evidence_))


def auc(model: Scorecard, columns: Any = X) -> float:
    score = np.asarray(evaluate(model, columns).score)
    return float(roc_auc_score(GOOD, score))


def test_the_whole_card_is_told_before_what_was_added() -> None:
    card = old("income", "bureau_score", "housing")
    better = learned(card)
    improves = told(better)["improves"]
    model: Scorecard = better.model_
    assert improves["before"]["characteristics"] == 3
    assert improves["whole"]["characteristics"] == len(model.characteristics)
    points = [{a.points for a in each.attributes if a.statistics.count} for each in model.characteristics]
    assert improves["whole"]["steps"] == sum(map(len, points)) > told(better)["chosen"]["steps"]
    for name, own in (("before", card), ("whole", model)):
        assert improves[name]["auc"] == pytest.approx(auc(own), abs=1e-9)
        assert improves[name]["log_loss"] == pytest.approx(log_loss(own), abs=1e-9)
    assert improves["before"]["log_loss_level"] == pytest.approx(told(better)["path"][-1]["log_loss"], abs=1e-6)
    assert {*improves["changed"], *improves["unchanged"]} == {"income", "bureau_score", "housing"}
    assert {*improves["new"]} == {each.feature for each in model.characteristics} - {
        "income",
        "bureau_score",
        "housing",
    }
    first, second, *rest = said(better)
    size = improves["whole"]
    assert first.startswith(f"Scorecard of {size['characteristics']} characteristics with {size['steps']} steps")
    assert first.endswith(f"the one that was improved has 3 characteristics with {improves['before']['steps']}")
    assert f"AUC {size['auc']:.4f}, before {improves['before']['auc']:.4f}" in second
    assert any(each.startswith(f"Added are {told(better)['chosen']['steps']} steps") for each in rest)


def test_sums_that_turn_are_named_and_shapes_are_those_of_new_characteristics() -> None:
    chance = np.random.default_rng(1)
    frame = pd.DataFrame({name: chance.normal(size=4000).round(2) for name in "ab"})
    y = (chance.random(4000) < 1 / (1 + np.exp(2 * frame["a"].abs() - 1.5 + frame["b"]))).astype(int)
    first = frame["a"] > 0  # where it only falls
    card = AdditiveClassifier(favourable=1).fit(frame.loc[first, ["a"]], y[first]).model_
    better = AdditiveClassifier(improves=card, favourable=1).fit(frame, y)
    turns = told(better)["improves"]["turns"]["a"]
    assert [each["then"] for each in turns][:2] == ["gains", "loses"]
    assert abs(turns[1]["at"]) < 0.5
    assert {*told(better)["shapes"]} == {"b"}
    assert any("'a' gains points as it rises, then loses from" in each for each in said(better))
    each = AdditiveClassifier.about_characteristics(better.evidence_)
    assert each["a"].startswith("gains points as it rises, then loses from")
    assert each["b"].startswith("never gains points")


def test_what_stands_on_the_card_is_not_left_out() -> None:
    card = old("income", "debt_ratio")
    rows = X.assign(noise=np.random.default_rng(3).random(len(X)).round(2))
    chance = np.random.default_rng(1).random(len(Y))
    score = evaluate(card, X)
    y = np.where(chance < np.asarray(score.probability), CREDIT.favourable, 1 - CREDIT.favourable)
    again = learned(card, rows[["income", "debt_ratio", "noise"]], y)
    assert {*told(again)["nothing_added"]} == {"income", "debt_ratio"}
    assert {*told(again)["left_out"]} == {"noise"}
    lines = said(again)
    assert any(line.startswith("Nothing is added to its points") for line in lines)
    assert [line for line in lines if "'income'" in line and line.startswith("Nothing added to characteristics")]
    assert not [line for line in lines if line.startswith("Left out") and "'income'" in line]
    words = AdditiveClassifier.about_characteristics(again.evidence_)
    assert "nothing added, since it tells no more than chance would" in words["income"]
    assert words["noise"].startswith("left out")


def test_a_copy_of_a_column_of_the_scorecard_gives_way_to_it() -> None:
    card = old("income")
    assert {*told(learned(card, X[["income", "debt_ratio"]].assign(copied=X["income"])))["left_out"]} == {"copied"}
    other = X[["debt_ratio"]].assign(copied=X["income"], income=X["income"])
    better = learned(card, other)
    assert told(better)["left_out"]["copied"] == {"why": "copy", "of": "income"}
    assert "copied" not in {each.feature for each in better.model_.characteristics}


def test_pairs_are_looked_for_among_all_that_stand_on_the_whole_card() -> None:
    frame, y = crossed()
    card = AdditiveClassifier(favourable=1).fit(frame[["a", "b"]], y).model_
    better = AdditiveClassifier(improves=card, pairs=1, favourable=1).fit(frame, y)
    assert not told(better)["improves"]["changed"]
    (table,) = better.model_.interactions
    assert {*table.features} == {"a", "b"}
    assert told(better)["pairs"]["looked_at"] >= 1
    assert told(better)["improves"]["whole"]["pairs"] == 1
    assert said(better)[0].startswith("Scorecard of 2 characteristics and 1 pair")
    assert not [line for line in said(better) if line.startswith(("Nothing added", "Left out")) and "'a'" in line]


def test_a_pair_is_the_same_the_other_way_round() -> None:
    frame, y = crossed()
    halves = (Interval(upper=0.0), Interval(lower=0.0), Missing())
    points = ((3.0, -3.0, 0.0), (-3.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    table = Interaction(
        rows=Axis(feature="b", conditions=halves), columns=Axis(feature="a", conditions=halves), points=points
    )
    card = AdditiveClassifier(favourable=1, explainer=None).fit(frame[["a", "b"]], y).model_
    paired = replace(card, interactions=(table,), cutoff=card.cutoff)
    for pairs, must in ((1, ()), ([("a", "b")], ("a x b",)), ([("b", "a")], ("b x a",))):
        better = AdditiveClassifier(improves=paired, pairs=pairs, must=must, favourable=1).fit(frame, y)
        added = [each for each in better.model_.interactions if each.name != "b x a"]
        assert [each.name for each in added] == ["b x a, added"]
        assert added[0].features == ("b", "a")
        assert {*told(better)["pairs"]["told"]} >= {"b x a"}
        p = better.predict_proba(frame)[:, 1]
        assert told(better)["improves"]["whole"]["log_loss"] == pytest.approx(
            -np.log(np.where(y, p, 1 - p)).mean(), abs=1e-9
        )


def points_of(card: Scorecard, name: str) -> dict[str, float]:
    each = next(each for each in card.characteristics if each.feature == name)
    return {words: a.points for words, a in zip(each.titles, each.attributes, strict=True)}


def test_a_characteristic_to_which_nothing_is_added_keeps_its_points() -> None:
    card = old("housing", "income")
    housing = next(each for each in card.characteristics if each.feature == "housing")
    moved = tuple(replace(a, points=a.points + 20.25) for a in housing.attributes)  # as of tables whose least is not 0
    others = [each for each in card.characteristics if each.feature != "housing"]
    card = replace(card, characteristics=(*others, replace(housing, attributes=moved)), reasons=None)
    chance = np.random.default_rng(2).random(len(Y))
    y = np.where(chance < np.asarray(evaluate(card, X).probability), CREDIT.favourable, 1 - CREDIT.favourable)
    better = learned(card, X[["housing", "income", "debt_ratio"]], y)
    assert "housing" in told(better)["improves"]["unchanged"]
    assert points_of(better.model_, "housing") == points_of(card, "housing")


def test_an_added_cut_moves_to_one_of_the_scorecard_where_hardly_anybody_is_between() -> None:
    chance = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "months": chance.choice(
                [6, 9, 12, 15, 18, 22, 24, 30, 36, 48], 4000, p=[0.1] * 5 + [0.0005, 0.2, 0.1, 0.1, 0.0995]
            )
        }
    )
    y = (chance.random(4000) < 1 / (1 + np.exp(0.08 * (frame["months"] - 20)))).astype(int)
    lines = (Interval(upper=10.0), Interval(lower=10.0, upper=20.0), Interval(lower=20.0), Missing())
    attributes = tuple(Attribute(condition=line, points=p) for line, p in zip(lines, (5.0, 0, -5, 0), strict=True))
    card = Scorecard(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=(Feature(name="months", kind="numeric"),),
        characteristics=(Characteristic(feature="months", attributes=attributes),),
        base_points=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=0.05, intercept=0.0),
    )
    better = AdditiveClassifier(improves=card, favourable=1).fit(frame, y)
    (each,) = better.model_.characteristics
    empty = [a for a in each.attributes if isinstance(a.condition, Interval) and not a.statistics.count]
    assert len(each.attributes) > 5
    assert not empty
    assert better.predict_proba(frame)[:, 1].mean() == pytest.approx(y.mean(), abs=1e-6)
    cuts = {a.condition.lower for a in each.attributes if isinstance(a.condition, Interval)}
    assert {10.0, 20.0} < cuts
    assert told(better)["improves"]["whole"]["log_loss"] == pytest.approx(told(better)["chosen"]["log_loss"], abs=1e-4)
    assert [turn["then"] for turn in told(better)["improves"]["turns"]["months"]] == ["loses"]


def test_sums_of_points_with_decimals_are_held_as_these_decimals_are() -> None:
    better = learned(old("income", "bureau_score", "housing", scaling={"decimals": 3}), must=["income", "housing"])
    assert told(better)["improves"]["changed"]
    for each in better.model_.characteristics:
        for a in each.attributes:
            assert a.points == rounded(a.points, 3)
