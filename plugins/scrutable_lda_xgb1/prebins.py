"""Pre-bins: the cuts that boosted stumps put into each feature."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    levels : what stands at each rank: rising numbers, or groups of categories by rising favourable rate.
    rank : (n,) position of each row's value in `levels`; NaN where it is missing or a special code.
    """

    feature: Feature
    nominal: bool
    levels: list[Any]
    rank: NDArray[np.float64]


def rank_values(
    feature: Feature, column: Column, data: TrainingData, categorical: Sequence[str], rare_share: float
) -> Ranked:
    """Ranks instead of values: XGBoost compares in single precision and refuses infinities, ranks are exact.

    Categories below `rare_share` stay together: alone they would be ranked, and then merged, by chance.
    """
    special = np.isin(column.values, np.array(feature.special_codes, column.values.dtype))
    ordinary = ~column.missing & ~special
    values, position = np.unique(column.values[ordinary], return_inverse=True)
    levels = values.tolist()
    nominal = is_nominal(feature, column, categorical)
    if nominal:
        good, weight = data.good[ordinary], data.weight[ordinary]
        levels, position = _pooled(values, position, weight, rare_share * data.weight.sum())
        total = np.bincount(position, weights=weight, minlength=len(levels))
        rate = np.bincount(position, weights=weight * good, minlength=len(levels)) / np.maximum(total, 1e-300)
        order = np.argsort(rate, kind="stable")
        levels, position = [levels[i] for i in order], np.argsort(order, kind="stable")[position]
    rank = np.full(len(data.label), np.nan)
    rank[ordinary] = position
    return Ranked(feature, nominal, levels, rank)


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


def _pooled(
    values: NDArray[Any], position: NDArray[np.intp], weight: NDArray[np.float64], least: float
) -> tuple[list[tuple[Value, ...]], NDArray[np.intp]]:
    """Each category on its own, those that weigh less than `least` in one group; and each row's group."""
    rare = np.bincount(position, weights=weight, minlength=len(values)) < least
    group = np.where(rare, np.count_nonzero(~rare), np.cumsum(~rare) - 1)
    groups: list[tuple[Value, ...]] = [(value,) for value in values[~rare].tolist()]
    return ([*groups, tuple(values[rare].tolist())] if rare.any() else groups), group[position]
