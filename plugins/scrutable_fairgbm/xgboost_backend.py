"""Boosting with XGBoost, on gradients of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import xgboost

from scrutable_fairgbm.backends import Backend, Gradient, Task
from scrutable_fairgbm.gradients import Floats
from scrutable_fairgbm.handover.nodes import Boosted
from scrutable_fairgbm.handover.xgboost_trees import clipped, from_xgboost
from scrutable_fairgbm.options import TreeOptions


def start(task: Task) -> Backend:
    """XGBoost, ready for its first tree."""
    return XGBoostBackend(task)


class XGBoostBackend:
    """XGBoost with trees of the method "hist"; scores start from the base margins of the matrix.

    XGBoost refuses infinite inputs, so its rows are `clipped`, and its trees are read as trees of clipped rows.
    """

    def __init__(self, task: Task) -> None:
        self._task, self._grown = task, 0
        self._train = _rows(task, task.matrix, task.start)
        self._held = None
        if task.held_matrix is not None and task.held_start is not None:
            self._held = _rows(task, task.held_matrix, task.held_start)
        kept = [rows for rows in (self._train, self._held) if rows is not None]
        self._booster = xgboost.Booster(_parameters(task.options), cache=kept)

    def step(self, gradient: Gradient) -> None:
        self._booster.update(self._train, self._grown, fobj=lambda score, _: gradient(score.astype(np.float64)))
        self._grown += 1

    @property
    def n_trees(self) -> int:
        return self._grown

    def held_scores(self) -> Floats:
        assert self._held is not None
        return self._predicted(self._held, self._grown)

    def final_scores(self, n_trees: int) -> tuple[Floats, Floats | None]:
        held = None if self._held is None else self._predicted(self._held, n_trees)
        return self._predicted(self._train, n_trees), held

    def trees(self, n_trees: int) -> Boosted:
        boosted = from_xgboost(self._booster, self._task.inputs, n_trees=n_trees, clips=True)
        return Boosted(boosted.trees, 0.0)

    def _predicted(self, rows: xgboost.DMatrix, n_trees: int) -> Floats:
        if not n_trees:  # XGBoost would take it for all of them
            return rows.get_base_margin().astype(np.float64)
        last = {} if n_trees == self._grown else {"iteration_range": (0, n_trees)}
        return self._booster.predict(rows, output_margin=True, **last).astype(np.float64)


def _rows(task: Task, matrix: Floats, start: Floats) -> xgboost.DMatrix:
    nominal = set(task.inputs.nominal)
    kinds = ["c" if position in nominal else "float" for position in range(matrix.shape[1])]
    return xgboost.DMatrix(
        clipped(matrix),
        base_margin=start,
        feature_types=kinds,
        enable_categorical=True,
        nthread=task.options.threads,
    )


def _parameters(options: TreeOptions) -> dict[str, Any]:
    further = options.booster
    constrained = {"monotone_constraints": str(options.directions)} if any(options.directions) else {}
    return {
        "base_score": 0.0,
        "objective": "reg:squarederror",
        "disable_default_eval_metric": True,
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "learning_rate": options.learning_rate,
        "max_leaves": options.max_leaves,
        "max_depth": options.depth,
        "min_child_weight": 1.0 if further.min_child_weight is None else further.min_child_weight,
        "subsample": further.subsample,
        "colsample_bytree": further.colsample,
        "lambda": 1.0 if further.reg_lambda is None else further.reg_lambda,
        "alpha": further.reg_alpha,
        "gamma": further.min_split_gain,
        "max_bin": further.max_bin,
        "nthread": options.threads,
        "seed": options.seed,
        "verbosity": 0,
        **constrained,
    }
