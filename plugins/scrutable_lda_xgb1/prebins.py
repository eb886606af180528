"""Pre-bins: the cuts that boosted stumps put into each feature."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import xgboost
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.frames import Column
from scrutable.model import Feature
from scrutable.model.features import Value
from scrutable.training import TrainingData, is_nominal


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting:
    """Options of the stump boosting; the defaults are the paper's (section 4.1)."""

    n_estimators: int = 1000
    learning_rate: float = 0.3
    max_bin: int = 256
    reg_lambda: float = 1.0
    reg_alpha: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A feature in the order in which its values can be merged.

    Parameters
    ----------
    levels : distinct ordinary values in that order: rising numbers, or categories by rising favourable rate.
    rank : (n,) position of each row's value in `levels`; NaN where it is missing or a special code.
    """

    feature: Feature
    nominal: bool
    levels: list[Value]
    rank: NDArray[np.float64]


def rank_values(feature: Feature, column: Column, data: TrainingData, categorical: Sequence[str]) -> Ranked:
    """Ranks instead of values: XGBoost compares in single precision and refuses infinities, ranks are exact."""
    special = np.isin(column.values, np.array(feature.special_codes, column.values.dtype))
    ordinary = ~column.missing & ~special
    values, position = np.unique(column.values[ordinary], return_inverse=True)
    nominal = is_nominal(feature, column, categorical)
    if nominal:
        weight = data.weight[ordinary]
        total = np.bincount(position, weights=weight, minlength=len(values))
        good = np.bincount(position, weights=weight * data.good[ordinary], minlength=len(values))
        rate = np.divide(good, total, out=np.zeros_like(good), where=total > 0)
        order = np.argsort(rate, kind="stable")
        values, position = values[order], np.argsort(order, kind="stable")[position]
    rank = np.full(len(data.label), np.nan)
    rank[ordinary] = position
    return Ranked(feature, nominal, values.tolist(), rank)


def stump_cuts(
    ranked: Sequence[Ranked],
    data: TrainingData,
    trends: Mapping[str, Trend],
    boosting: Boosting,
    seed: int,
) -> list[list[int]]:
    """For each feature the rising ranks that open a pre-bin: every split that a stump made (section 3.1).

    Categories are ranked by their favourable rate, so their trend is ascending by construction.
    """
    if not any(len(feature.levels) > 1 for feature in ranked):
        return [[] for _ in ranked]
    matrix = xgboost.DMatrix(
        np.stack([feature.rank for feature in ranked], axis=1), label=data.good.astype(float), weight=data.weight
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
        "seed": seed,
        "nthread": 1,
        "monotone_constraints": str(tuple(signs.get(trends.get(r.feature.name, ""), 0) for r in ranked)),
    }
    booster = xgboost.train(parameters, matrix, num_boost_round=boosting.n_estimators)
    found: list[set[int]] = [set() for _ in ranked]
    trees = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    for tree in trees:
        if len(tree["left_children"]) > 1:
            found[tree["split_indices"][0]].add(int(np.ceil(tree["split_conditions"][0])))
    return [sorted(c for c in cuts if 0 < c < len(r.levels)) for cuts, r in zip(found, ranked, strict=True)]
