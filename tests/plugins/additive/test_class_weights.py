"""Weights of classes: those of rows in the fit, and none in what is counted and told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import make_credit
from scrutable.errors import InputError
from scrutable_additive.fine import FineBinner
from scrutable_additive.learner import AdditiveClassifier

CREDIT = make_credit(3000, seed=2)
X = CREDIT.X[["income", "debt_ratio", "housing"]]
Y = np.asarray(CREDIT.y)
GOOD = CREDIT.favourable == Y
CUTS = {name: X[name].quantile([0.2, 0.4, 0.6, 0.8]).tolist() for name in ("income", "debt_ratio")}


def learned(sample_weight: Any = None, **options: Any) -> AdditiveClassifier:
    """Fitted to rows of simulated applicants, with attributes that stay as they are."""
    options = {"explainer": None, "binner": FineBinner(cuts=CUTS), "must": list(X), "keep": 1.0} | options
    return AdditiveClassifier(favourable=CREDIT.favourable, **options).fit(X, Y, sample_weight=sample_weight)


def differences(learner: AdditiveClassifier) -> dict[str, list[float]]:
    """Points of the attributes of each characteristic above those of the first."""
    points = {each.feature: [a.points for a in each.attributes] for each in learner.model_.characteristics}
    return {name: [point - own[0] for point in own[: len(CUTS.get(name, [])) + 1]] for name, own in points.items()}


def probability(learner: AdditiveClassifier) -> np.ndarray:
    """Of the favourable class."""
    return learner.predict_proba(X)[:, list(learner.classes_).index(CREDIT.favourable)]


def test_points_are_those_of_rows_with_such_weights() -> None:
    weighed = learned(class_weight={1 - CREDIT.favourable: 5.0})
    level = len(Y) / (5.0 * (~GOOD).sum() + GOOD.sum())  # all rows together weigh what they weigh
    by_row = learned(np.where(GOOD, level, 5.0 * level))
    for name, points in differences(weighed).items():
        np.testing.assert_allclose(points, differences(by_row)[name], atol=1e-5)
    assert differences(weighed) != differences(learned())


def test_the_level_of_weights_does_not_matter_and_balanced_ones_are_by_count() -> None:
    usual, rare = CREDIT.favourable, 1 - CREDIT.favourable
    balanced = learned(class_weight="balanced")
    for level in (1.0, 7.0):
        by_hand = learned(class_weight={usual: level / GOOD.sum(), rare: level / (~GOOD).sum()})
        np.testing.assert_allclose(probability(by_hand), probability(balanced), atol=1e-9)


def test_probabilities_and_counts_are_of_the_rows_as_they_are() -> None:
    weighed, usual = learned(class_weight="balanced"), learned()
    assert probability(weighed).mean() == pytest.approx(GOOD.mean(), abs=1e-6)
    for ours, theirs in zip(weighed.model_.characteristics, usual.model_.characteristics, strict=True):
        assert [a.statistics for a in ours.attributes] == [a.statistics for a in theirs.attributes]
    ours, theirs = (each.evidence_.metrics["additive"]["chosen"] for each in (weighed, usual))
    assert ours["log_loss"] == pytest.approx(theirs["log_loss"], abs=0.003)


def test_the_cutoff_lies_at_even_odds_of_the_weighed_classes() -> None:
    weighed = learned(class_weight="balanced")
    model = weighed.model_
    odds = math.log(GOOD.mean() / (1 - GOOD.mean()))
    assert model.calibration.intercept + model.calibration.slope * model.cutoff == pytest.approx(odds, abs=1e-6)
    assert (weighed.predict(X) == CREDIT.favourable).mean() == pytest.approx(
        (probability(weighed) >= GOOD.mean()).mean()
    )
    assert weighed.evidence_.metrics["decision"]["by"] == "learner"
    assert learned(class_weight="balanced", approval_rate=0.4).evidence_.metrics["decision"]["by"] == "approval-rate"
    told = "\n".join(AdditiveClassifier.about_learning(weighed.evidence_))
    assert "probabilities are those of the rows as they are" in told


def test_small_points_are_cut_where_the_odds_are() -> None:
    model = learned(class_weight="balanced", max_points=5).model_
    odds = math.log(GOOD.mean() / (1 - GOOD.mean()))
    assert model.calibration.intercept + model.calibration.slope * model.cutoff == pytest.approx(odds, abs=1e-6)


def test_classes_that_are_none_and_more_than_two_are_refused() -> None:
    with pytest.raises(InputError, match="class_weight: unknown class; got 7; allowed: 0, 1"):
        learned(class_weight={7: 2.0})
    three = np.arange(len(Y)) % 3
    with pytest.raises(InputError, match=r"Only binary classification.*use a learner of several classes"):
        AdditiveClassifier().fit(X, three)


def test_pairs_are_found_with_class_weights_and_probabilities_stay() -> None:
    chance = np.random.default_rng(0)
    frame = pd.DataFrame({name: chance.normal(size=3000).round(2) for name in "abc"})
    y = (chance.random(3000) < 1 / (1 + np.exp(1.5 - frame["a"] - 1.5 * frame["a"] * frame["b"]))).astype(int)
    learner = AdditiveClassifier(favourable=1, pairs=2, class_weight="balanced").fit(frame, y)
    told: Any = learner.evidence_.metrics["additive"]
    assert [name for name, pair in told["pairs"]["told"].items() if pair["on_card"]] == ["a x b"]
    p = learner.predict_proba(frame)[:, 1]
    assert p.mean() == pytest.approx(y.mean(), abs=1e-6)
    assert told["chosen"]["log_loss"] == pytest.approx(-np.log(np.where(y, p, 1 - p)).mean(), abs=1e-6)
