"""The order in which the values of a feature can be cut."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import TrainingData, is_nominal
from scrutable.data.frames import Column
from scrutable.model import Feature, Value
from scrutable.plugins.bases import Proposal


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A feature in the order in which its values can be merged.

    Parameters
    ----------
    levels : what stands at each rank: rising numbers, or groups of categories by rising favourable rate.
    rank : (n,) position of each row's value in `levels`; NaN where it is missing or a special code, and in rows
        without weight.
    """

    feature: Feature
    nominal: bool
    levels: list[Any]
    rank: NDArray[np.float64]

    def between(self, cuts: Sequence[int]) -> Proposal:
        """What a binner proposes for cuts at these ranks, each opening a bin."""
        if not self.nominal:
            # No cut is infinite: the largest double opens the bin of the infinity.
            return sorted({min(float(self.levels[cut]), sys.float_info.max) for cut in cuts})
        ends = itertools.pairwise([0, *cuts, len(self.levels)])
        return [tuple(itertools.chain(*self.levels[low:high])) for low, high in ends if low < high]


def rank_values(
    feature: Feature, column: Column, data: TrainingData, categorical: Sequence[str], rare_share: float
) -> Ranked:
    """Ranks instead of values: XGBoost compares in single precision and refuses infinities, ranks are exact.

    Categories below `rare_share` stay together: alone they would be ranked, and then merged, by chance.
    """
    nominal = is_nominal(feature, column, categorical)
    counts = data.counts(feature, exact=nominal)
    ordinary, _, position = counts.ordinary_rows()
    values = counts.column.values[counts.ordinary]
    levels = values.tolist()
    if nominal:
        good, weight = data.good[ordinary], data.weight[ordinary]
        levels, position = _pooled(values, position, weight, rare_share * data.weight.sum())
        order = by_rate(position, len(levels), good, weight)
        levels, position = [levels[i] for i in order], np.argsort(order, kind="stable")[position]
    rank = np.full(len(data.label), np.nan)
    rank[ordinary] = position
    return Ranked(feature, nominal, levels, rank)


def by_rate(
    position: NDArray[np.intp], n: int, good: NDArray[np.bool_], weight: NDArray[np.float64]
) -> NDArray[np.intp]:
    """(n,) groups of rows, each of some weight, by rising favourable rate.

    >>> by_rate(np.array([0, 0, 1]), 2, np.array([True, True, False]), np.ones(3)).tolist()
    [1, 0]
    """
    rate = np.bincount(position, weight * good, n) / np.bincount(position, weight, n)
    return np.argsort(rate, kind="stable")


def _pooled(
    values: NDArray[Any], position: NDArray[np.intp], weight: NDArray[np.float64], least: float
) -> tuple[list[tuple[Value, ...]], NDArray[np.intp]]:
    """Each category on its own, those that weigh less than `least` in one group; and each row's group."""
    rare = np.bincount(position, weights=weight, minlength=len(values)) < least
    group = np.where(rare, np.count_nonzero(~rare), np.cumsum(~rare) - 1)
    groups: list[tuple[Value, ...]] = [(value,) for value in values[~rare].tolist()]
    return ([*groups, tuple(values[rare].tolist())] if rare.any() else groups), group[position]
