"""Bounds of another strength, and the characteristics that tell groups apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scrutable
from scrutable.data.training import TrainingData
from scrutable.fairness import DivergenceBound, RateBound
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import allowing, costly_characteristics


def test_what_bounds_allow_is_multiplied() -> None:
    sides = {"attribute": "sex", "group": "f", "reference": "m"}
    slack = RateBound(rate="error", given=True, slack=0.1, **sides)  # type: ignore[arg-type]  # the sides
    ratio = RateBound(rate="approval", ratio=0.8, **sides)  # type: ignore[arg-type]  # the sides
    fiv = DivergenceBound(rows="all", bound=0.2, **sides)  # type: ignore[arg-type]  # the sides
    half = allowing([slack, ratio, fiv], 0.5)
    assert isinstance(half[2], DivergenceBound)
    assert (half[0].slack, half[1].ratio, half[2].bound) == (0.05, pytest.approx(0.9), 0.1)  # type: ignore[union-attr]
    assert half[0].given is True  # type: ignore[union-attr]  # all else stays
    loose = allowing([slack, ratio], 20)
    assert (loose[0].slack, loose[1].ratio) == (1.0, 0.01)  # type: ignore[union-attr]  # what a bound can say
    assert allowing([slack, ratio, fiv], 1) == (slack, ratio, fiv)


def _card(sex: list[str | None]) -> tuple[Scorecard, TrainingData]:
    """`gap` is lower for women, `bridge` higher, `plain` alike."""
    draw, n = np.random.default_rng(3), len(sex)
    woman = np.array([each == "f" for each in sex])
    X = pd.DataFrame({name: draw.normal(size=n) for name in ("gap", "plain", "bridge")})
    X["gap"] -= 1.5 * woman
    X["bridge"] += 0.8 * woman
    good = X.sum(axis=1) + draw.logistic(size=n) > 0
    learner = scrutable.create("learner", "scorecard", binner="quantile")
    groups = pd.DataFrame({"sex": sex})
    data = learner.read(X, np.where(good, 1, 0), sensitive_features=groups, sample_weight=None)
    return learner.learn(data)[0], data


def test_what_adds_most_to_the_gap_comes_first_and_what_lessens_it_not_at_all() -> None:
    model, data = _card(["f", "m"] * 1000)
    names = costly_characteristics(model, data)
    assert names[0] == "gap"
    assert "bridge" not in names
    points, woman = evaluate(model, data.table).points, np.array([True, False] * 1000)
    differences = {name: values[~woman].mean() - values[woman].mean() for name, values in points.items()}
    assert names == sorted((name for name in differences if differences[name] > 0), key=lambda name: -differences[name])


def test_groups_of_few_rows_and_unknown_ones_say_nothing() -> None:
    with pytest.warns(scrutable.fairness.SmallGroupWarning):
        model, data = _card([*["f"] * 3, *["m"] * 900, *[None] * 900])
    assert costly_characteristics(model, data) == []
