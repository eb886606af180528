"""A feature in pre-bins, and what becomes of it when neighbours are merged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable, Trend, attribute_of_rows, categories, count_attributes, intervals, told_groups
from scrutable.data import TrainingData, is_nominal
from scrutable.measures.numerics import Block, one_hot_block
from scrutable.model import AttributeCondition, Feature
from scrutable.plugins.bases import Proposal
from scrutable_lda_xgb1.contrast import Contrast
from scrutable_lda_xgb1.joined_prebins import PreBinned


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A feature in attributes, and the attribute of each training row."""

    table: BinTable
    index: NDArray[np.intp]

    @property
    def tells(self) -> bool:
        """Whether rows were seen in more than one attribute."""
        return sum(statistics.count > 0 for statistics in self.table.statistics) > 1

    def block(self) -> Block:
        """The attributes as the regression sees them: a value each, under the trend."""
        table = self.table
        return one_hot_block(len(table.conditions), trend=table.direction, ordered=table.ordered)


@dataclass(frozen=True, slots=True, eq=False)
class PreBins:
    """The pre-bins of a feature, in the order in which neighbours can be merged.

    Parameters
    ----------
    proposal : the cuts between the pre-bins, or their groups of categories by rising favourable rate.
    binned : the pre-bins, followed by the attributes that cannot be merged (special, otherwise, missing).
    """

    nominal: bool
    proposal: list[Any]
    binned: Binned

    @classmethod
    def of(
        cls, feature: Feature, proposal: Proposal, data: TrainingData, categorical: Sequence[str], trend: Trend | None
    ) -> PreBins:
        """Pre-bins from what a binner proposes."""
        column = data.columns[feature.name]
        nominal = is_nominal(feature, column, categorical)
        ordered: list[Any] = [*proposal]
        if nominal:
            ordered = told_groups(ordered, data.counts(feature, exact=True))
            groups = _prebinned(feature, categories(ordered, feature), data).table
            rates = [statistics.good / max(statistics.count, 1e-300) for statistics in groups.statistics]
            ordered = [ordered[i] for i in sorted(range(len(ordered)), key=rates.__getitem__)]
        return cls(nominal, ordered, _prebinned(feature, _conditions(ordered, feature, nominal), data, trend))

    @property
    def n(self) -> int:
        """Number of pre-bins; the attributes after them cannot be merged."""
        return len(self.proposal) + (not self.nominal)

    @property
    def feature(self) -> Feature:
        """The feature."""
        return self.binned.table.feature

    @property
    def trend(self) -> Trend | None:
        """The trend that its points must follow."""
        return self.binned.table.direction

    def counted(self, contrasts: Sequence[Contrast]) -> PreBinned:
        """What merging needs to know of the pre-bins."""
        size = len(self.binned.table.conditions)
        good, bad = self.binned.table.counts
        sides = [contrast.counts(self.binned.index, size) for contrast in contrasts]
        return PreBinned(
            n=self.n,
            good=good,
            bad=bad,
            protected=np.stack([protected for protected, _ in sides], axis=1) if sides else np.empty((size, 0)),
            reference=np.stack([reference for _, reference in sides], axis=1) if sides else np.empty((size, 0)),
            limits=np.array([contrast.bound for contrast in contrasts]),
            lightest=self.binned.table.lightest,
        )

    def combined(self, borders: Sequence[int]) -> list[Any]:
        """The proposal with pre-bins merged.

        Parameters
        ----------
        borders : rising positions of the pre-bins that open an attribute; the first always does.
        """
        if not self.nominal:
            return [self.proposal[border - 1] for border in borders]
        ends = itertools.pairwise([0, *borders, self.n])
        return [tuple(itertools.chain(*self.proposal[low:high])) for low, high in ends if low < high]

    def merged(self, borders: Sequence[int], data: TrainingData) -> Binned:
        """The feature with pre-bins merged; `borders` as in `combined`."""
        combined = self.combined(borders)
        conditions = _conditions(combined, self.feature, self.nominal)
        n = len(combined) + (not self.nominal)
        opens = np.bincount(np.asarray(borders, dtype=np.intp), minlength=self.n)
        position = np.concatenate([np.cumsum(opens[: self.n]), n + np.arange(len(conditions) - n)])
        index = position[self.binned.index]
        return Binned(count_attributes(self.feature, conditions, index, data.good, data.weight, self.trend), index)


def _prebinned(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    data: TrainingData,
    trend: Trend | None = None,
) -> Binned:
    """Pre-bins, of which each counts by itself however few rows it has: nobody is told of them."""
    index = attribute_of_rows(conditions, feature, data)
    return Binned(count_attributes(feature, conditions, index, data.good, data.weight, trend, least=1), index)


def _conditions(proposal: list[Any], feature: Feature, nominal: bool) -> tuple[AttributeCondition, ...]:
    return categories(proposal, feature) if nominal else intervals(proposal, feature)
