"""The order in which the values of a feature can be cut."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import AttributeCoding, categories, intervals, summed
from scrutable.data import LabelledRows, is_nominal
from scrutable.model import Feature, Value
from scrutable.plugins.bases import Proposal
from scrutable_lda_xgb1.sketch import opening

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A feature in the order in which its values can be merged, in bins that boosted stumps can tell apart.

    Parameters
    ----------
    levels : what stands at each rank: rising numbers, or groups of categories by rising favourable rate.
    opens : ranks that open a bin, the first one's aside.
    """

    feature: Feature
    nominal: bool
    levels: list[Any]
    opens: Sequence[int]

    @property
    def size(self) -> int:
        """Number of bins; missing values, special codes and others are in one more after them."""
        return len(self.opens) + bool(self.levels or not self.nominal)

    @property
    def coding(self) -> AttributeCoding:
        """Which bin rows are in."""
        every: list[Any] = [*self.between(range(len(self.opens)))]
        conditions = categories(every, self.feature) if self.nominal else intervals(every, self.feature)
        bins = np.minimum(np.arange(len(conditions)), self.size)
        return AttributeCoding(self.feature, conditions, bins, self.size + 1)

    def between(self, chosen: Iterable[int]) -> Proposal:
        """What a binner proposes for cuts at some of `opens`, rising positions among them."""
        cuts = [self.opens[at] for at in chosen]
        if not self.nominal:
            return [_finite(self.levels[cut]) for cut in cuts]
        ends = itertools.pairwise([0, *cuts, len(self.levels)])
        return [tuple(itertools.chain(*self.levels[low:high])) for low, high in ends if low < high]


def rank_values(
    feature: Feature, data: LabelledRows, categorical: Sequence[str], rare_share: float, max_bin: int
) -> Ranked:
    """The values of a feature in their order, and which of them open a bin.

    Categories below `rare_share` stay together: alone they would be ranked, and then merged, by chance.
    """
    nominal = is_nominal(feature, data.columns[feature.name], categorical)
    counts = data.counts(feature, exact=nominal)
    levels, outcomes = counts.column.values[counts.ordinary].tolist(), counts.outcomes[counts.ordinary]
    if nominal:
        levels, outcomes = _by_rate(*_pooled(levels, outcomes, rare_share * counts.outcomes.sum()))
    opens = opening(outcomes.sum(axis=1), max_bin)
    if not nominal:
        opens = [rank for rank in opens if _finite(levels[rank]) > _finite(levels[rank - 1])]
    return Ranked(feature, nominal, levels, opens)


def _finite(level: float) -> float:
    """No cut is infinite: the largest double opens the bin of the infinity."""
    return min(level, sys.float_info.max)


def _by_rate(levels: list[Any], outcomes: Floats) -> tuple[list[Any], Floats]:
    """Groups of categories, each of some weight, by rising favourable rate.

    >>> _by_rate(["a", "b"], np.array([[1.0, 3.0], [2.0, 1.0]]))[0]
    ['b', 'a']
    """
    order = np.argsort(outcomes[:, 1] / outcomes.sum(axis=1), kind="stable")
    return [levels[i] for i in order], outcomes[order]


def _pooled(values: list[Value], outcomes: Floats, least: float) -> tuple[list[tuple[Value, ...]], Floats]:
    """Each category on its own, those that weigh less than `least` in one group; and their outcomes."""
    rare = outcomes.sum(axis=1) < least
    place = np.where(rare, np.count_nonzero(~rare), np.cumsum(~rare) - 1)
    groups: list[tuple[Value, ...]] = [(value,) for value, few in zip(values, rare, strict=True) if not few]
    if rare.any():
        groups.append(tuple(value for value, few in zip(values, rare, strict=True) if few))
    return groups, summed(place, outcomes, len(groups))
