"""Regression scorecards: what they refuse, how they are written, and what the evaluator says of them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from scrutable.errors import ModelError
from scrutable.model import (
    Attribute,
    Characteristic,
    Feature,
    Interval,
    MeanStatistics,
    Missing,
    Quantity,
    RegressionScorecard,
    Scorecard,
    Statistics,
    dumps,
    loads,
)
from scrutable.model.evaluator import evaluate
from scrutable.model.evaluator.outputs import RegressionEvaluation
from scrutable.proof.edges import edge_rows
from scrutable.testing.strategies import regression_scorecards

SEEN = MeanStatistics(count=3, share=0.75, mean=0.2)


def card(**changes: Any) -> RegressionScorecard:
    ltv = Characteristic(
        feature="ltv",
        attributes=(
            Attribute(condition=Interval(upper=0.8), points=-0.125, statistics=SEEN),
            Attribute(condition=Interval(lower=0.8), points=0.25),
            Attribute(condition=Missing(), points=0),
        ),
    )
    base: dict[str, Any] = {
        "outcome": Quantity(target="loss_given_default", unit="share"),
        "features": (Feature(name="ltv", kind="numeric"),),
        "characteristics": (ltv,),
        "base_points": 0.375,
    }
    return RegressionScorecard(**base | changes)


def test_the_score_is_the_prediction_and_nothing_is_decided() -> None:
    found = evaluate(card(), {"ltv": [0.5, 0.8, None]})
    assert isinstance(found, RegressionEvaluation)
    assert found.score.tolist() == [0.25, 0.625, 0.375]
    assert list(found.frame()) == ["score", "points_ltv"]
    assert found.attribute["ltv"].tolist() == [0, 1, 2]
    for name in ("cutoff", "calibration", "policy", "reasons"):
        assert not hasattr(card(), name)
    for name in ("approved", "probability", "predicted", "knock_out"):
        assert not hasattr(found, name)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(regression_scorecards())
def test_points_add_up_exactly(model: RegressionScorecard) -> None:
    found = evaluate(model, edge_rows(model, n_random=10))
    low, high = model.score_range
    for row, score in enumerate(found.score.tolist()):
        parts = [its[row] for its in found.points.values()]
        assert Fraction(score) == Fraction(model.base_points) + sum(map(Fraction, map(float, parts)))
        assert low <= score <= high
    for item in model.characteristics:
        points = [attribute.points for attribute in item.attributes]
        held = found.attribute[item.feature].tolist()
        assert found.points[item.feature].tolist() == [points[position] for position in held]


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"features": (*card().features, Feature(name="age", kind="numeric"))}, "feature 'age': the feature is not us"),
        ({"features": ()}, "characteristic: unknown feature; got 'ltv'"),
        ({"characteristics": card().characteristics * 2}, "characteristics: .*'ltv'"),
        (
            {"base_points": 8388608},
            "the largest possible score is too large .*Fix: measure the target in a larger",
        ),
        ({"base_points": float("nan")}, "points"),
    ],
)
def test_what_it_refuses(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(ModelError, match=match):
        card(**changes)


def test_a_gap_is_refused() -> None:
    (ltv,) = card().characteristics
    with pytest.raises(ModelError, match="characteristic 'ltv': attributes leave a gap; got '0 attributes for M"):
        card(characteristics=(replace(ltv, attributes=ltv.attributes[:2]),))


def test_statistics_of_either_kind_are_told_apart_in_files(scorecard: Scorecard) -> None:
    written = json.loads(dumps(card()))
    first = written["characteristics"][0]["attributes"][0]["statistics"]
    assert first == {"type": "mean-statistics", "count": 3.0, "share": 0.75, "mean": 0.2}
    of_classes = json.loads(dumps(scorecard))["characteristics"][0]["attributes"][0]["statistics"]
    assert of_classes == {"good": 3.0, "bad": 1.0, "share": 0.4, "woe": 0.1}
    assert loads(dumps(card())) == card()
    assert loads(dumps(scorecard)).characteristics == scorecard.characteristics  # type: ignore[union-attr]  # a card
    named = dumps(scorecard).replace('"good": 3.0', '"type": "statistics", "good": 3.0')
    assert loads(named) == scorecard


def test_unknown_statistics_are_refused() -> None:
    text = dumps(card()).replace("mean-statistics", "median-statistics")
    with pytest.raises(ModelError, match="statistics: unknown type; got 'median-statistics'; allowed: mean-st"):
        loads(text)


def test_it_is_shown_in_a_line() -> None:
    assert repr(card()) == "RegressionScorecard(1 characteristics, 3 attributes, target 'loss_given_default')"
    assert card().outcome.title == "loss_given_default, in share"
    assert Quantity(target="lgd").title == "lgd"


def test_statistics_must_be_finite() -> None:
    with pytest.raises(ModelError, match="attribute statistics: mean: expected a finite number"):
        MeanStatistics(count=1, share=1, mean=float("inf"))
    assert Statistics.type_implied
