"""Ever smaller refits stop before their training accuracy falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from scrutable.data.training import read_training
from scrutable.errors import InputError
from scrutable_fcca.discretising.refitted import refitted_thresholds
from scrutable_fcca.discretising.thresholds import Thresholds, gain_thresholds
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.training import TargetOptions, train_target

RNG = np.random.default_rng(3)
X = {name: np.round(RNG.random(240), 2) for name in "abc"}
DATA = read_training(X, (X["a"] + 0.5 * X["b"] + RNG.normal(0, 0.15, 240) > 0.75).astype(int))
INPUTS = Inputs.of(DATA)
POINTS = INPUTS.encode(DATA.columns)


def refitted(options: TargetOptions, weight: Any = None) -> tuple[Thresholds, Thresholds]:
    """The thresholds of the target model, and those that refits leave."""
    weight = DATA.weight if weight is None else weight
    trained = train_target(POINTS, DATA.good, weight, options)
    left = refitted_thresholds(trained, INPUTS, POINTS, DATA.good, weight, options)
    return gain_thresholds(trained, INPUTS), left


def accuracy(thresholds: Thresholds, options: TargetOptions) -> tuple[float, Any]:
    """Training accuracy of scikit-learn's boosting on binary features, and their importances."""
    order = np.lexsort([*thresholds.binary(POINTS).T[::-1], DATA.good])  # as our boosting takes them: ties fall alike
    bits, label = thresholds.binary(POINTS)[order].astype(float), DATA.good[order]
    model = GradientBoostingClassifier(n_estimators=options.n_estimators, max_depth=options.depth, random_state=0)
    return model.fit(bits, label).score(bits, label), model.feature_importances_


@pytest.mark.parametrize("depth", [1, 2])
def test_what_is_left_is_as_accurate_and_one_less_is_not(depth: int) -> None:
    options = TargetOptions(n_estimators=60, max_depth=depth)
    full, left = refitted(options)
    assert 1 < len(left) < len(full)
    first, _ = accuracy(full, options)
    own, importances = accuracy(left, options)
    assert own >= first
    if depth == 1:  # deeper, many splits are equal
        assert left.importance / left.importance.sum() == pytest.approx(importances, abs=1e-6)
    without, _ = accuracy(left.largest(len(left) - 1), options)
    assert without < first


def test_a_forest_is_refitted_too() -> None:
    full, left = refitted(TargetOptions(kind="forest", n_estimators=10, max_depth=2))
    assert 0 < len(left) < len(full)


def test_weights_count_like_repeated_rows() -> None:
    weight = RNG.integers(1, 4, 240).astype(float)
    options = TargetOptions(n_estimators=20)
    _, weighted = refitted(options, weight)
    rows = np.repeat(np.arange(240), weight.astype(int))
    trained = train_target(POINTS[rows], DATA.good[rows], np.ones(len(rows)), options)
    repeated = refitted_thresholds(trained, INPUTS, POINTS[rows], DATA.good[rows], np.ones(len(rows)), options)
    assert weighted.value.tolist() == repeated.value.tolist()
    assert weighted.column.tolist() == repeated.column.tolist()


def test_linear_targets_have_nothing_to_refit() -> None:
    with pytest.raises(InputError, match="ranking: a linear target model has no splits"):
        refitted(TargetOptions(kind="linear"))
