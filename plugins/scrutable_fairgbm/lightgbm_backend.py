"""Boosting with LightGBM, on gradients of one's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np

from scrutable_fairgbm.backends import Backend, Gradient, NoTrees, Task
from scrutable_fairgbm.gradients import Floats
from scrutable_fairgbm.handover.lightgbm_trees import ZERO, from_lightgbm
from scrutable_fairgbm.handover.nodes import Boosted
from scrutable_fairgbm.options import TreeOptions


def start(task: Task) -> Backend:
    """LightGBM, ready for its first tree."""
    task = replace(task, matrix=_as_predicted(task.matrix), held_matrix=_as_predicted(task.held_matrix))
    parameters = _parameters(task.options)
    common: dict[str, Any] = {"params": parameters, "categorical_feature": task.inputs.nominal}
    label = np.zeros(len(task.matrix), np.float32)  # LightGBM wants one, and never reads it here
    train = lightgbm.Dataset(task.matrix, label, init_score=task.start, **common).construct()
    if not any(train.feature_num_bin(column) > 1 for column in range(task.matrix.shape[1])):
        return NoTrees(task)  # LightGBM refuses data that it can split nowhere
    return LightGBMBackend(task, parameters, train)


def _as_predicted(matrix: Any) -> Any:
    """The matrix as LightGBM predicts on it: of what it takes for 0 then, it trains on -ZERO as a number below 0."""
    below = None if matrix is None else matrix == -ZERO
    return matrix if below is None or not below.any() else np.where(below, 0.0, matrix)


class LightGBMBackend:
    """LightGBM with the objective "none": scores start from the data set's initial scores."""

    def __init__(self, task: Task, parameters: dict[str, Any], train: lightgbm.Dataset) -> None:
        self._task = task
        self._booster = lightgbm.Booster(parameters, train)
        if task.held_matrix is not None:
            none = np.zeros(len(task.held_matrix), np.float32)
            held = train.create_valid(task.held_matrix, none, init_score=task.held_start, params=parameters)
            self._booster.add_valid(held, "held out")

    def step(self, gradient: Gradient) -> None:
        self._booster.update(fobj=lambda score, _: gradient(score))

    @property
    def n_trees(self) -> int:
        return self._booster.num_trees()

    def held_scores(self) -> Floats:
        return _looked_at(self._booster.eval_valid)

    def final_scores(self, n_trees: int) -> tuple[Floats, Floats | None]:
        task = self._task
        if n_trees == self.n_trees:
            return _looked_at(self._booster.eval_train), None if task.held_matrix is None else self.held_scores()
        score = task.start + self._predicted(task.matrix, n_trees)
        if task.held_matrix is None or task.held_start is None:
            return score, None
        return score, task.held_start + self._predicted(task.held_matrix, n_trees)

    def trees(self, n_trees: int) -> Boosted:
        return from_lightgbm(self._booster, self._task.inputs, n_trees=n_trees)

    def _predicted(self, matrix: Floats, n_trees: int) -> Floats:
        if not n_trees:  # LightGBM would take it for all of them
            return np.zeros(len(matrix))
        return np.asarray(self._booster.predict(matrix, num_iteration=n_trees, raw_score=True), np.float64)


def _looked_at(evaluate: Any) -> Floats:
    """The scores that LightGBM shows to a metric."""
    seen: list[Floats] = []

    def look(score: Floats, _: lightgbm.Dataset) -> tuple[str, float, bool]:
        seen.append(score)
        return "", 0.0, True

    evaluate(look)
    return seen[0]


def _parameters(options: TreeOptions) -> dict[str, Any]:
    further = options.booster
    constrained = {"monotone_constraints": list(options.directions)} if any(options.directions) else {}
    return {
        "objective": "none",
        "metric": "none",
        "learning_rate": options.learning_rate,
        "num_leaves": options.max_leaves,
        "max_depth": options.depth,
        "min_data_in_leaf": options.min_child_samples,
        "min_sum_hessian_in_leaf": 1e-3 if further.min_child_weight is None else further.min_child_weight,
        "bagging_fraction": further.subsample,
        "bagging_freq": int(further.subsample < 1),
        "feature_fraction": further.colsample,
        "lambda_l2": further.reg_lambda or 0.0,
        "lambda_l1": further.reg_alpha,
        "min_gain_to_split": further.min_split_gain,
        "max_bin": further.max_bin,
        "num_threads": options.threads,
        "seed": options.seed,
        "deterministic": True,
        "force_col_wise": True,
        "verbosity": -1,
        **constrained,
    }
