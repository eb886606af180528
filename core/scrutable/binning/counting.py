"""Counts of one feature by value, from which its table under any bins follows without the rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.audit import Edit, MeanEdit
from scrutable.binning.bins import Bins
from scrutable.binning.disclosed import common_groups
from scrutable.binning.edits import BinEdit
from scrutable.binning.mean_binning import MeanTable, tabulate_means
from scrutable.binning.missing_treatments import pooled
from scrutable.binning.sample import Sample
from scrutable.binning.tables import AttributeTable, BinTable, table_of
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.exact import exact_bincount
from scrutable.data.frames import Column
from scrutable.data.sizes import is_small
from scrutable.data.training import QuantityData, TrainingData, TrainingRows
from scrutable.fairness import ProtectedAttribute
from scrutable.measures.comparing import effective_sizes
from scrutable.measures.numerics.counts import bin_counts, information_value
from scrutable.model import Feature
from scrutable.model.evaluator.assign import assign

Floats = NDArray[np.float64]
D = TypeVar("D", bound=TrainingRows)
T = TypeVar("T", bound=AttributeTable)
E = TypeVar("E", Edit, MeanEdit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """How the rows of each group of a protected attribute spread over the distinct values of a feature.

    Parameters
    ----------
    rows, bad : (values, groups) weight of all rows, and of those with the unfavourable outcome; memberships count as
        weights.
    """

    attribute: ProtectedAttribute
    rows: Floats
    bad: Floats

    def within(self, index: NDArray[np.intp], size: int) -> tuple[Floats, Floats]:
        """(attributes, groups) of both, for the attribute of each value."""
        return summed(index, self.rows, size), summed(index, self.bad, size)


class Counter(ABC, Generic[D, T, E]):
    """The rows of one feature, counted once by value.

    Parameters
    ----------
    read_sample : reads its ordinary values, which only edits need.
    """

    def __init__(self, feature: Feature, data: D, read_sample: Callable[[], Sample]) -> None:
        self.feature, self.data, self._read_sample = feature, data, read_sample

    @cached_property
    def sample(self) -> Sample:
        """The ordinary values."""
        return self._read_sample()

    @property
    def column(self) -> Column:
        """The values of the rows."""
        return self.data.columns[self.feature.name]

    def bins(self, nominal: bool, proposal: Sequence[Any]) -> Bins:
        """What a binner proposes, without the categories of fewer rows than may be told of."""
        if nominal:
            proposal = told_groups(proposal, self.values, self.data.weight)
        return Bins.of(self.feature, nominal, proposal)

    @abstractmethod
    def table(self, bins: Bins) -> T:
        """The table of the feature in these bins."""

    @abstractmethod
    def entry(self, before: T, after: T, **known: Any) -> E:
        """An entry of the audit trail: what is known of an edit, and how well the tables before and after it tell."""

    def record(self, edit: BinEdit, before: T, after: T) -> E:
        """The entry of the audit trail for an edit that turned one table into another."""
        return self.entry(
            before,
            after,
            feature=edit.feature,
            action=edit.action,
            detail=edit.detail,
            who=edit.who,
            why=edit.why,
            fiv_before=self.fiv(before),
            fiv_after=self.fiv(after),
        )

    @cached_property
    def values(self) -> tuple[Column, NDArray[np.int32]]:
        """The distinct values as a column, and (n,) which of them each row has."""
        return self.column.distinct

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """(values,) number of rows with each distinct value, of those that have a weight."""
        column, position = self.values
        return np.bincount(position[self.data.weight > 0], minlength=len(column.values))

    @cached_property
    def groups(self) -> tuple[GroupCounts, ...]:
        """Counts by protected attribute; none where no groups are known."""
        bad = (self.data.target != 1.0) * self.data.weight
        attributes = self.data.groups.attributes if self.data.groups else ()
        return tuple(
            GroupCounts(
                attribute=each,
                rows=self.by_value(self.data.weight[:, None] * each.membership),
                bad=self.by_value(bad[:, None] * each.membership),
            )
            for each in attributes
        )

    @cached_property
    def few(self) -> dict[str, tuple[str, ...]]:
        """By protected attribute the groups of fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows."""
        few = {}
        for each in self.groups:
            sizes = zip(each.attribute.labels, effective_sizes(each.attribute, self.data.weight), strict=True)
            few[each.attribute.name] = tuple(label for label, size in sizes if is_small(size))
        return few

    def by_value(self, weights: Floats) -> Floats:
        """(values, k) sums of (n, k) weights."""
        column, position = self.values
        return summed(position, weights, len(column.values))

    def index(self, table: AttributeTable) -> NDArray[np.intp]:
        """(values,) position of the attribute that each distinct value is counted in."""
        index, host = table.index(self.values[0]), table.pools.host
        return np.array(host)[index] if host else index

    def fiv(self, table: AttributeTable) -> dict[str, float]:
        """Fairness information values over all rows, by attribute and groups, each against its reference.

        Infinite where only one of the two groups has an attribute. What a policy counts together is one attribute.
        Groups of `few` rows have none: an attribute that none of them has says nothing.
        """
        values: dict[str, float] = {}
        if not self.groups:
            return values
        index, size = self.index(table), len(table.conditions)
        for each in self.groups:
            attribute = each.attribute
            rows = pooled(summed(index, each.rows, size), table.policies)
            reference = rows[:, attribute.reference_index]
            for position, label in enumerate(attribute.labels):
                known = label in attribute.known and label != attribute.reference
                if known and not {label, attribute.reference} & set(self.few[attribute.name]):
                    name = f"{attribute.name}: {label} / {attribute.reference}"
                    values[name] = information_value(rows[:, position], reference, zero="inf")
        return values


class BinCounter(Counter[TrainingData, BinTable, Edit]):
    """Counts of good and bad rows."""

    @cached_property
    def counts(self) -> Floats:
        """(values, 2) weight of the bad and of the good rows of each distinct value."""
        column, position = self.values
        return bin_counts(position, len(column.values), self.data.good, self.data.weight)

    @cached_property
    def lightest(self) -> float:
        """Weight of the lightest row that has any."""
        return float(self.data.weight[self.data.weight > 0].min())

    def table(self, bins: Bins) -> BinTable:
        conditions = bins.conditions
        index = assign(conditions, self.feature, self.values[0])
        counts = summed(index, self.counts, len(conditions))
        rows = np.bincount(index, self.rows, len(conditions)).astype(np.intp)
        return table_of(self.feature, conditions, counts, rows, self.lightest, bins.trend, bins.policies)

    def entry(self, before: BinTable, after: BinTable, **known: Any) -> Edit:
        return Edit(**known, iv_before=before.iv_used, iv_after=after.iv_used)


class MeanCounter(Counter[QuantityData, MeanTable, MeanEdit]):
    """Means of a quantity, which need the rows."""

    def table(self, bins: Bins) -> MeanTable:
        data = self.data
        return tabulate_means(
            self.feature, bins.conditions, self.column, data.values, data.weight, bins.trend, bins.policies
        )

    def entry(self, before: MeanTable, after: MeanTable, **known: Any) -> MeanEdit:
        return MeanEdit(**known, explained_before=before.explained, explained_after=after.explained)


def told_groups(
    groups: Sequence[tuple[Any, ...]], distinct: tuple[Column, NDArray[np.int32]], weight: Floats
) -> list[tuple[Any, ...]]:
    """Groups of categories without those of fewer rows than may be told of.

    Parameters
    ----------
    distinct : `Column.distinct` of the feature.
    weight : (n,) weights of the rows, of which those of none do not count.
    """
    column, position = distinct
    rows = np.bincount(position[weight > 0], minlength=len(column.values))
    return common_groups(groups, column.values.tolist(), rows, min_cell())


def summed(index: NDArray[np.intp], weights: Floats, size: int) -> Floats:
    """(size, k) sums of (m, k) weights by the place that each of the m has; the same in every order of them."""
    return np.stack([exact_bincount(index, weights[:, k], size) for k in range(weights.shape[1])], axis=1)
