"""The learner's whole points, and what it tells of them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plugins.additive.test_learner import CODES, CREDIT, learned, story

from scrutable.errors import InputError
from scrutable.model import PointIntervals, Scaling, Scorecard
from scrutable_additive.fine import FineBinner
from scrutable_additive.learner import AdditiveClassifier


def all_points(model: Scorecard) -> dict[str, list[float]]:
    """Points of each characteristic."""
    return {each.feature: [attribute.points for attribute in each.attributes] for each in model.characteristics}


def intervals(learner: AdditiveClassifier) -> dict[str, Any]:
    """What the evidence says of the points of the model."""
    known = PointIntervals.of(learner.evidence_, learner.model_)
    return {} if known is None else {name: each.sides for name, each in known.characteristics.items()}


def probability(learner: AdditiveClassifier) -> np.ndarray:
    """Of the favourable class."""
    return learner.predict_proba(CREDIT.X)[:, list(learner.classes_).index(CREDIT.favourable)]


@pytest.mark.parametrize(("most", "away"), [(1, 0.2), (5, 0.05), (20, 0.02)])
def test_small_points_are_whole_from_0_and_mean_about_the_same_probabilities(most: int, away: float) -> None:
    learner, exact = learned(max_points=most), learned()
    model = learner.model_
    assert isinstance(model, Scorecard)
    assert model.base_points == 0
    for points in all_points(model).values():
        assert min(points) == 0
        assert all(float(each).is_integer() and each <= most for each in points)
    assert np.abs(probability(learner) - probability(exact)).mean() <= away
    assert probability(learner).mean() == pytest.approx(probability(exact).mean(), abs=1e-6)
    told = story(learner)["rounding"]
    assert model.calibration.slope == pytest.approx(told["point"])
    assert model.scaling == replace(model.scaling or Scaling(), base_score=0.0, decimals=0)
    assert 0 < told["lost"] <= told["lost_at_most"]
    assert told["characteristics"] == len(model.characteristics)


def test_more_points_lose_less() -> None:
    lost = [story(learned(max_points=most))["rounding"]["lost"] for most in (1, 3, 9, 27)]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 10 * lost[-1]


@pytest.mark.parametrize(("pdo", "decimals"), [(20, 0), (2, 0), (2, 1)])
def test_points_are_rounded_together(pdo: float, decimals: int) -> None:
    scaling = Scaling(pdo=pdo, decimals=decimals)
    learner, exact = learned(scaling=scaling), learned(scaling=Scaling(pdo=pdo))
    unit = 10.0**-decimals
    assert learner.model_.scaling == scaling
    for points in all_points(learner.model_).values():
        np.testing.assert_allclose(np.array(points) / unit, np.round(np.array(points) / unit), atol=1e-6)
    told = story(learner)["rounding"]
    assert told["point"] == pytest.approx(unit / scaling.factor)
    assert 0 <= told["lost"] <= told["lost_at_most"]
    apart = np.abs(probability(learner) - probability(exact)).mean()
    assert apart <= unit / scaling.factor
    assert "rounding" not in story(exact)


def test_steps_of_the_card_stay_together_and_trends_stay() -> None:
    trends = {"income": "descending", "debt_ratio": "ascending"}
    for options in ({"max_points": 3}, {"scaling": {"pdo": 3, "decimals": 0}}):
        learner = learned(trends=trends, must=["income"], **options)
        model = learner.model_
        assert "income" in [each.feature for each in model.characteristics]
        for each in model.characteristics:
            ordered = [a.points for a in each.attributes if type(a.condition).__name__ == "Interval"]
            if each.feature in trends:
                assert ordered == sorted(ordered, reverse=trends[each.feature] == "descending")
            assert all(one != other for one, other in itertools.pairwise(ordered))
        assert story(learner)["rounding"]["steps"] <= story(learner)["chosen"]["steps"]


def test_what_must_stay_stays_however_few_points_there_are() -> None:
    noise = CREDIT.X.assign(noise=np.random.default_rng(1).normal(size=len(CREDIT.X)))
    options: dict[str, Any] = {"special_codes": CODES, "favourable": CREDIT.favourable, "explainer": None}
    for scale in ({"max_points": 1}, {"scaling": {"pdo": 2, "decimals": 0}}):
        card = AdditiveClassifier(must=["noise"], **scale, **options).fit(noise, CREDIT.y).model_
        assert "noise" in [each.feature for each in card.characteristics]


def test_policies_are_kept_in_whole_points() -> None:
    frame = CREDIT.X.copy()
    frame.loc[frame.index % 7 == 0, "income"] = np.nan
    for policy, scale in (
        (p, s) for p in ("neutral", "worst", "with") for s in ({"max_points": 4}, {"scaling": {"decimals": 0}})
    ):
        edit = {"feature": "income", "action": "missing", "policy": policy} | ({"bin": 0.0} if policy == "with" else {})
        learner = AdditiveClassifier(
            binner=FineBinner(edits=[edit]), special_codes=CODES, favourable=CREDIT.favourable, explainer=None, **scale
        ).fit(frame, CREDIT.y)
        *ordinary, missing = all_points(learner.model_)["income"]
        assert missing in {"worst": {min(ordinary)}, "with": {ordinary[0]}}.get(policy, set(range(-99, 99)))
        assert min(ordinary) <= missing <= max(ordinary)
        assert all(float(each).is_integer() for points in all_points(learner.model_).values() for each in points)
        assert intervals(learner)["income"][-1] is None
        assert probability(learner).mean() == pytest.approx(
            (np.asarray(CREDIT.y) == CREDIT.favourable).mean(), abs=0.02
        )


def test_max_points_and_a_scaling_are_refused_together() -> None:
    with pytest.raises(InputError, match=r"scaling: with max_points the card itself says .*leave scaling out"):
        learned(max_points=5, scaling={"pdo": 20})


@pytest.mark.parametrize("options", [{}, {"max_points": 5}, {"scaling": {"decimals": 0}}])
def test_of_noise_alone_there_are_no_points(options: dict[str, Any]) -> None:
    chance = np.random.default_rng(2)
    noise = pd.DataFrame({"noise": chance.normal(size=400)})
    learner = AdditiveClassifier(explainer=None, **options).fit(noise, chance.integers(0, 2, 400))
    assert not learner.model_.characteristics
    assert intervals(learner) == {}


def test_intervals_are_about_the_points_in_the_order_of_the_attributes() -> None:
    for options in ({}, {"max_points": 10}):
        learner = learned(**options)
        told = intervals(learner)
        assert set(told) == set(all_points(learner.model_))
        for each in learner.model_.characteristics:
            assert len(told[each.feature]) == len(each.attributes)
            for attribute, sides in zip(each.attributes, told[each.feature], strict=True):
                assert (sides is None) == (attribute.statistics.count == 0)
                if sides is not None and not options:
                    assert sum(sides) / 2 == pytest.approx(attribute.points, abs=1e-6)
                if sides is not None and options:
                    assert abs(sum(sides) / 2 - attribute.points) <= 2


def test_fit_tells_what_whole_points_are_worth() -> None:
    sentences = list(AdditiveClassifier.about_learning(learned(max_points=5).evidence_))
    assert any("a point is worth" in each for each in sentences)
    assert not any("point is worth" in each for each in AdditiveClassifier.about_learning(learned().evidence_))


def test_few_points_begin_with_a_card_that_is_nearer() -> None:
    kept = {most: story(learned(max_points=most))["chosen"]["kept"] for most in (5, 20, 25, 100)}
    assert kept[5] >= 1 - 0.005 / 5
    assert kept[20] >= 1 - 0.005 * 20 / 25
    assert kept[25] == kept[100]
