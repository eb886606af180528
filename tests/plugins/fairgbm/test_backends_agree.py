"""The model scores every row, of the trees or held out, as the backend that grew its trees does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.backends import Task, start_backend
from scrutable_fairgbm.gradients import Bools, Floats, Singles
from scrutable_fairgbm.options import BoosterOptions, TreeOptions

from .hostile import Sample, ensemble, sample, sample_of

BACKENDS = ("lightgbm", "xgboost")
ROUNDS = 8
LARGEST = float(np.finfo(np.float32).max)
#: From numbers whose double is the last finite single, to what is infinite in single and in double precision.
HUGE = [2.0**126, LARGEST / 2, 2.0**127, 3e38, LARGEST, math.nextafter(LARGEST, math.inf), 2.0**128, 1e300, math.inf]
EVERY = [math.nan, 0.0, -0.0, 1.0, *HUGE, *(-number for number in HUGE)]
OPTIONS: list[dict[str, Any]] = [
    {"max_leaves": 4},
    {"max_leaves": 15, "max_depth": 8, "learning_rate": 0.5},
    {"max_leaves": 15, "booster": BoosterOptions(subsample=0.7, colsample=0.7, max_bin=16)},
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", OPTIONS, ids=["few leaves", "many leaves", "few bins"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_on_hostile_rows(backend: str, options: dict[str, Any], seed: int) -> None:
    rows = sample(seed, n=900, min_share=0.1 if seed % 2 else 0.0)
    assert all(test(rows.matrix).any() for test in (np.isposinf, np.isneginf, np.isnan))
    assert_same_scores(backend, rows, np.arange(900) % 3 > 0, TreeOptions(min_child_samples=1, seed=seed, **options))


@pytest.mark.parametrize("number", [*HUGE, *(-number for number in HUGE)])
@pytest.mark.parametrize("backend", BACKENDS)
def test_on_one_huge_number_and_missing(backend: str, number: float) -> None:
    """The only split there is sends every number one way and missing the other."""
    values = np.array([math.nan, number] * 50 + EVERY)
    rows = sample_of(pd.DataFrame({"x": values}), np.isnan(values))
    scores = assert_same_scores(backend, rows, np.arange(len(values)) < 100, TreeOptions(max_leaves=4))
    assert scores[0] > 0.3 > -0.3 > scores[1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("backend", BACKENDS)
def test_on_few_huge_numbers(backend: str, seed: int) -> None:
    """Each outermost number has rows of the trees beyond which others lie."""
    random = np.random.default_rng(seed)
    seen = random.choice(EVERY, (300, 2)), random.choice(random.choice(EVERY, (4, 2), replace=False), 300)
    values = np.concatenate([seen[1], seen[0]])
    label = (values[:, 0] > 2.0**100) ^ np.isnan(values[:, 1]) ^ (random.random(600) < 0.1)
    rows = sample_of(pd.DataFrame({"x": values[:, 0], "z": values[:, 1]}), label)
    options = TreeOptions(max_leaves=6, min_child_samples=1, booster=BoosterOptions(min_child_weight=2.0**-60))
    assert_same_scores(backend, rows, np.arange(600) < 300, options)


def assert_same_scores(backend: str, rows: Sample, grown_on: Bools, options: TreeOptions) -> Floats:
    """Of the rows that trees are grown on and of the others, after all trees and after some; the former after all."""
    start = np.random.default_rng(0).normal(size=len(rows.matrix))
    task = Task(
        inputs=rows.inputs,
        matrix=rows.matrix[grown_on],
        start=start[grown_on],
        held_matrix=rows.matrix[~grown_on],
        held_start=start[~grown_on],
        options=options,
    )
    label, seen = rows.label[grown_on], []

    def gradient(score: Floats) -> tuple[Singles, Singles]:
        seen.append(score.copy())
        probability = 1 / (1 + np.exp(-score))
        return (probability - label).astype(np.float32), (probability * (1 - probability)).astype(np.float32)

    own = start_backend(backend, task)
    for _ in range(ROUNDS):
        own.step(gradient)
    assert own.n_trees == ROUNDS
    held_after = {ROUNDS: own.held_scores()}
    for n_trees in (ROUNDS, ROUNDS - 3, 0):
        boosted = own.trees(n_trees)
        assert len(boosted.trees) == n_trees
        total = start + boosted.base_score
        if n_trees:
            total = total + evaluate(ensemble(boosted, rows.inputs), rows.table).score
        single = 2.0**-24 if backend == "xgboost" else 2.0**-50
        within = (n_trees + 1) * (2.0**-31 + (np.abs(total).max() + n_trees) * single)
        train, held = own.final_scores(n_trees)
        assert held is not None
        for theirs in (train, seen[n_trees]) if n_trees < ROUNDS else (train,):
            assert np.abs(theirs - total[grown_on]).max() <= within
        for theirs in (held, held_after.get(n_trees, held)):
            assert np.abs(theirs - total[~grown_on]).max() <= within
    return own.final_scores(ROUNDS)[0] - start[grown_on]
