"""A feature in pre-bins, and what becomes of it when neighbours are merged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.binning import BinTable, Trend, categories, intervals, table_of, told_groups
from scrutable.data import LabelledRows, is_nominal
from scrutable.measures.numerics import Block, one_hot_block
from scrutable.model import AttributeCondition, Feature
from scrutable.plugins.bases import Proposal
from scrutable_lda_xgb1.contrast import Contrast
from scrutable_lda_xgb1.counted import Counted
from scrutable_lda_xgb1.joined_prebins import PreBinned


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A feature in attributes, and what is counted of each."""

    table: BinTable
    counted: Counted

    @classmethod
    def of(
        cls,
        feature: Feature,
        conditions: tuple[AttributeCondition, ...],
        counted: Counted,
        data: LabelledRows,
        trend: Trend | None,
        least: int | None = None,
    ) -> Binned:
        """Attributes of which each of fewer than `least` rows counts with others; as `table_of` says where None."""
        lightest = data.every.lightest
        table = table_of(feature, conditions, counted.outcomes, counted.rows, lightest, trend, least=least)
        return cls(table, counted)

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
        cls, feature: Feature, proposal: Proposal, data: LabelledRows, categorical: Sequence[str], trend: Trend | None
    ) -> PreBins:
        """Pre-bins from what a binner proposes."""
        column = data.columns[feature.name]
        nominal = is_nominal(feature, column, categorical)
        ordered: list[Any] = [*proposal]
        if nominal:
            ordered = told_groups(ordered, data.counts(feature, exact=True))
            outcomes = Counted.of(feature, categories(ordered, feature), data).outcomes[: len(ordered)]
            rates = outcomes[:, 1] / np.maximum(outcomes.sum(axis=1), 1e-300)
            ordered = [ordered[i] for i in np.argsort(rates, kind="stable")]
        conditions = _conditions(ordered, feature, nominal)
        # Each pre-bin counts by itself however few rows it has: nobody is told of them.
        binned = Binned.of(feature, conditions, Counted.of(feature, conditions, data), data, trend, least=1)
        return cls(nominal, ordered, binned)

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
        counted = self.binned.counted
        bad, good = counted.outcomes.T
        sides = np.array([contrast.sides(counted) for contrast in contrasts]).reshape(len(contrasts), 2, len(good))
        return PreBinned(
            n=self.n,
            good=good,
            bad=bad,
            protected=sides[:, 0].T,
            reference=sides[:, 1].T,
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

    def merged(self, borders: Sequence[int], data: LabelledRows) -> Binned:
        """The feature with pre-bins merged; `borders` as in `combined`."""
        combined = self.combined(borders)
        conditions = _conditions(combined, self.feature, self.nominal)
        n = len(combined) + (not self.nominal)
        opens = np.bincount(np.asarray(borders, dtype=np.intp), minlength=self.n)
        position = np.concatenate([np.cumsum(opens[: self.n]), n + np.arange(len(conditions) - n)])
        counted = self.binned.counted.summed(position, len(conditions))
        return Binned.of(self.feature, conditions, counted, data, self.trend)


def _conditions(proposal: list[Any], feature: Feature, nominal: bool) -> tuple[AttributeCondition, ...]:
    return categories(proposal, feature) if nominal else intervals(proposal, feature)
