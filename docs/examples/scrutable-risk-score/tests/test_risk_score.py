"""The learner `risk-score`: its contract, and its parts against brute force and a second solver."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scrutable import create, evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.testing import LearnerSuite

from scrutable_risk_score.learner import RiskScoreClassifier
from scrutable_risk_score.line import Line, best_line, loss
from scrutable_risk_score.patterns import Patterns
from scrutable_risk_score.points import Shape, best_points, losses_by_points
from scrutable_risk_score.search import Found, Search


class TestRiskScore(LearnerSuite):
    component = "risk-score"
    options = {"max_characteristics": 3, "max_points": 2}  # noqa: RUF012 -- as many show as much, and sooner


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    losses=st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=1, max_size=4),
    trend=st.sampled_from(["ascending", "descending", None]),
)
def test_points_are_the_best_by_brute_force(losses: list[list[int]], trend: Any) -> None:
    table = np.array(losses, dtype=float)
    ordered = tuple(range(len(losses)))
    found = best_points(table, Shape(trend, ordered))

    def follows(points: tuple[int, ...]) -> bool:
        steps = np.diff(points)
        return trend is None or bool((steps >= 0).all() if trend == "ascending" else (steps <= 0).all())

    def total(points: Any) -> float:
        return float(sum(table[row, value + 2] for row, value in enumerate(points)))

    assert follows(tuple(found.tolist()))
    every = (points for points in itertools.product(range(-2, 3), repeat=len(losses)) if follows(points))
    assert total(found) == min(map(total, every))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_the_line_is_that_of_a_second_solver(seed: int) -> None:
    chance = np.random.default_rng(seed)
    scores = np.arange(-4.0, 5.0)
    good, bad = chance.random((2, 9)) / 9
    line = best_line(scores, good, bad, Line(0.0, 0.1))
    theirs = minimize(lambda x: loss(Line(x[0], x[1]), scores, good, bad), [0.0, 0.1], method="BFGS", tol=1e-10)
    assert loss(line, scores, good, bad) <= theirs.fun + 1e-10


def test_losses_by_points_are_sums_over_rows() -> None:
    patterns, chance = _drawn(5), np.random.default_rng(1)
    others = chance.integers(-7, 8, len(patterns.good))
    line = Line(0.3, 0.4)
    found = losses_by_points(patterns, 1, others, line, 3)
    for attribute, points in itertools.product(range(patterns.sizes[1]), range(-3, 4)):
        rows = patterns.attribute[:, 1] == attribute
        of_good, of_bad = line.losses((others + points)[rows].astype(float))
        wanted = patterns.good[rows] @ of_good + patterns.bad[rows] @ of_bad
        assert found[attribute, points + 3] == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_no_other_points_of_a_characteristic_lower_the_loss(seed: int) -> None:
    patterns = _drawn(seed)
    shapes = [Shape(None, ())] * 3
    found = Search(patterns, shapes, 2, 3).best(1.0)
    for position, size in enumerate(patterns.sizes):
        for points in itertools.product(range(-2, 3), repeat=size):
            other = {**found.points, position: np.array(points)}
            assert _loss(patterns, other, found.line) >= found.loss - 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_that_of_the_best_points_of_all(seed: int) -> None:
    """On data of two characteristics, every integer scorecard is tried, each with its own best line."""
    patterns = _drawn(seed, sizes=(2, 3), most=1)
    found = Search(patterns, [Shape(None, ())] * 2, 1, 2).best(1.0)
    every = itertools.product(itertools.product((-1, 0, 1), repeat=2), itertools.product((-1, 0, 1), repeat=3))
    least = min(_refitted(patterns, {0: np.array(a), 1: np.array(b)}) for a, b in every)
    assert found.loss <= least * 1.001


def test_weights_count_rows_and_order_does_not_matter() -> None:
    german = load_german_credit()
    X, y = german.X.iloc[:300].reset_index(drop=True), german.y.iloc[:300].reset_index(drop=True)
    weight = np.where(np.arange(300) % 3 == 0, 2.0, 1.0)
    again = np.repeat(np.arange(300), weight.astype(int))
    cuts: dict[str, Any] = {"binner": create("binner", "manual", cuts={"duration_months": [12, 24]})}
    X = X[["duration_months"]]
    weighted = RiskScoreClassifier(**cuts).fit(X, y, sample_weight=weight).model_
    repeated = RiskScoreClassifier(**cuts).fit(X.iloc[again], y.iloc[again]).model_
    reversed_ = RiskScoreClassifier(**cuts).fit(X[::-1], y[::-1], sample_weight=weight[::-1]).model_
    assert _points(weighted) == _points(repeated) == _points(reversed_)


@pytest.mark.parametrize("most", [1, 3, 5])
def test_points_are_small_integers_of_few_characteristics(most: int) -> None:
    german = load_german_credit()
    model = RiskScoreClassifier(max_points=most, max_characteristics=most).fit(german.X, german.y).model_
    assert isinstance(model, Scorecard)
    assert len(model.characteristics) <= most
    points = [each for its in _points(model) for each in its]
    assert all(value == int(value) and abs(value) <= most for value in points)
    assert model.cutoff == int(model.cutoff)
    found = evaluate(model, german.X)
    away = [
        abs(float((found.score >= cutoff).mean()) - 0.7)
        for cutoff in range(math.floor(model.score_range[0]), math.ceil(model.score_range[1]) + 2)
    ]
    assert abs(float(found.approved.mean()) - 0.7) <= min(away)


def test_trends_of_the_binner_are_kept() -> None:
    german = load_german_credit()
    X = german.X[["duration_months", "credit_amount"]]
    options: dict[str, Any] = {"cuts": {"duration_months": [9, 12, 15, 24, 36], "credit_amount": [2000, 4000]}}
    binner = create("binner", "manual", **options, trends={"duration_months": "descending"})
    model = RiskScoreClassifier(binner=binner).fit(X, german.y).model_
    assert isinstance(model, Scorecard)
    [points] = [_points(model)[i] for i, item in enumerate(model.characteristics) if item.feature == "duration_months"]
    assert points[:6] == sorted(points[:6], reverse=True)


def test_nothing_to_tell_gives_a_card_without_characteristics() -> None:
    X = pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0] * 5})
    model = RiskScoreClassifier().fit(X, [0, 1] * 10).model_
    assert model.characteristics == ()


@pytest.mark.parametrize("options", [{"max_points": 0}, {"max_points": 2.5}, {"max_characteristics": -1}])
def test_options_are_whole_numbers(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))}: .*whole number"):
        RiskScoreClassifier(**options).fit(pd.DataFrame({"x": [1.0, 2.0] * 5}), [0, 1] * 5)


def _drawn(seed: int, sizes: tuple[int, ...] = (2, 3, 2), most: int = 2) -> Patterns:
    """Patterns of 200 rows whose outcome depends on integer points."""
    chance = np.random.default_rng(seed)
    columns = [chance.integers(0, size, 200) for size in sizes]
    score = sum(chance.integers(-most, most + 1, size)[column] for size, column in zip(sizes, columns, strict=True))
    good = chance.random(200) < 1 / (1 + np.exp(-np.asarray(score)))
    return Patterns.of(columns, sizes, good, np.ones(200))


def _loss(patterns: Patterns, points: dict[int, Any], line: Line) -> float:
    score = sum(its[patterns.attribute[:, position]] for position, its in points.items())
    return loss(line, np.asarray(score, dtype=float), patterns.good, patterns.bad)


def _refitted(patterns: Patterns, points: dict[int, Any]) -> float:
    score = sum(its[patterns.attribute[:, position]] for position, its in points.items())
    scores = np.asarray(score, dtype=float)
    found = Found({}, best_line(scores, patterns.good, patterns.bad, Line(0.0, 0.1)), math.inf)
    return loss(found.line, scores, patterns.good, patterns.bad)


def _points(model: Any) -> list[list[float]]:
    return [[attribute.points for attribute in item.attributes] for item in model.characteristics]


@pytest.mark.parametrize("seed", [1, 2])
def test_rounding_decides_nothing(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Points that all attributes of a characteristic share go to the intercept, so that many risk scores are equal."""
    german = load_german_credit()

    def learned() -> Scorecard:
        made = RiskScoreClassifier(max_characteristics=5, explainer=None).fit(german.X, german.y).model_
        assert isinstance(made, Scorecard)
        return made

    exact, chance = learned(), np.random.default_rng(seed)

    def rounded(*given: Any) -> float:
        return loss(*given) * (1 + int(chance.integers(-4, 5)) * 2.0**-53)

    monkeypatch.setattr("scrutable_risk_score.search.loss", rounded)
    assert learned().characteristics == exact.characteristics
