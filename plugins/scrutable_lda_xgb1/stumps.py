"""The cuts that boosted stumps put into each feature (section 3.1 of the paper)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import xgboost

from scrutable.binning import Trends
from scrutable.data import TrainingData
from scrutable.plugins import Count, Limits, check_options
from scrutable_lda_xgb1.ranks import Ranked

_MOST = 1e20  # rows that one may stand for
_THREADS = 1  # more of them would wait without end in a forked process
#: XGBoost keeps penalties in single precision.
Penalty = Annotated[float, Limits(0, 1e30)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting:
    """Options of the stump boosting, named as in XGBoost; the defaults are the paper's (section 4.1)."""

    n_estimators: Count = 1000
    learning_rate: Annotated[float, Limits(0, 1, above=True)] = 0.3
    max_bin: Annotated[int, Limits(2)] = 256
    reg_lambda: Penalty = 1.0
    reg_alpha: Penalty = 0.0

    def __post_init__(self) -> None:
        check_options(self)


def stump_cuts(ranked: Sequence[Ranked], data: TrainingData, trends: Trends, boosting: Boosting) -> list[list[int]]:
    """For each feature the rising ranks that open a pre-bin: every split that a stump made.

    Nothing is drawn by chance: every stump sees all rows and features. Categories are ranked by their favourable
    rate, so their trend is ascending by construction. XGBoost reads weights as numbers of rows, against which its
    penalties and its smallest leaf are measured, so weights that average below 1 (shares, for example) are scaled up,
    and weights that its single precision cannot add up are scaled down.
    """
    if not any(len(feature.levels) > 1 for feature in ranked):
        return [[] for _ in ranked]
    share = data.weight / data.weight.max()
    weight = share * max(min(data.weight.max(), _MOST), np.count_nonzero(share) / share.sum())
    matrix = xgboost.DMatrix(
        np.stack([feature.rank for feature in ranked], axis=1),
        label=data.good.astype(float),
        weight=weight,
        nthread=_THREADS,
    )
    signs = {"ascending": 1, "descending": -1}
    parameters = {
        "objective": "binary:logistic",
        "max_depth": 1,
        "tree_method": "hist",
        "learning_rate": boosting.learning_rate,
        "max_bin": boosting.max_bin,
        "lambda": boosting.reg_lambda,
        "alpha": boosting.reg_alpha,
        "seed": 0,
        "nthread": _THREADS,
        "monotone_constraints": str(tuple(signs.get(trends.get(r.feature.name, ""), 0) for r in ranked)),
    }
    booster = xgboost.Booster(parameters, [matrix])
    for iteration in range(boosting.n_estimators):  # as xgboost.train does, without callbacks between the stumps
        booster.update(matrix, iteration)
    splits: list[set[int]] = [set() for _ in ranked]
    trees = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    for tree in trees:
        if len(tree["left_children"]) > 1:
            splits[tree["split_indices"][0]].add(int(np.ceil(tree["split_conditions"][0])))
    return [sorted(c for c in cuts if 0 < c < len(r.levels)) for cuts, r in zip(splits, ranked, strict=True)]
