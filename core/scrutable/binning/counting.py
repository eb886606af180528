"""Tables of one feature under any bins, from counts of its rows by value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.audit import Edit, MeanEdit
from scrutable.binning.bins import Bins
from scrutable.binning.coding import ends_of
from scrutable.binning.disclosed import common_groups
from scrutable.binning.edits import BinEdit
from scrutable.binning.mean_binning import MeanTable, tabulate_means
from scrutable.binning.missing_treatments import AttributePolicy, pooled
from scrutable.binning.sample import Sample
from scrutable.binning.tables import AttributeTable, BinTable, Trend, table_of
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.frames import Column
from scrutable.data.sizes import is_small
from scrutable.data.training import QuantityData, TrainingData
from scrutable.data.training_rows import LabelledRows, RowsNeededError, TrainingRows
from scrutable.data.value_counts import GroupCounts, RowCounts, ValueCounts, summed
from scrutable.measures.numerics.counts import information_value
from scrutable.model import AttributeCondition, Feature
from scrutable.model.evaluator.assign import assign

Floats = NDArray[np.float64]
D = TypeVar("D", bound=TrainingRows)
T = TypeVar("T", bound=AttributeTable)
E = TypeVar("E", Edit, MeanEdit)


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
            proposal = told_groups(proposal, self.data.counts(self.feature, exact=True))
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

    def counts(self, conditions: Iterable[AttributeCondition]) -> ValueCounts:
        """Rows by value, from which tables of these attributes follow: in buckets, unless one of them is cut."""
        return self.data.counts_between(self.feature, ends_of(conditions))

    @cached_property
    def few(self) -> dict[str, tuple[str, ...]]:
        """By protected attribute the groups of fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows."""
        few = {}
        for attribute in self.data.groups.attributes if self.data.groups else ():
            sizes = zip(attribute.labels, self.data.effective_sizes(attribute), strict=True)
            few[attribute.name] = tuple(label for label, size in sizes if is_small(size))
        return few

    def by_group(self, table: AttributeTable) -> list[GroupCounts]:
        """Weight of the groups of each protected attribute in the attributes that they are counted in."""
        counts = self.counts(table.conditions)
        index = hosts(table, counts.column) if counts.groups else np.empty(0, dtype=np.intp)
        return [each.summed(index, len(table.conditions)) for each in counts.groups]

    def attributes(self, table: AttributeTable) -> NDArray[np.intp]:
        """(n,) position of the attribute that each row is counted in."""
        counts = self.counts(table.conditions)
        if not isinstance(counts, RowCounts):
            raise RowsNeededError(f"column {self.feature.name!r}")
        attributes: NDArray[np.intp] = hosts(table, counts.column)[counts.levels.place]
        return attributes

    def fiv(self, table: AttributeTable) -> dict[str, float]:
        """Fairness information values over all rows, by attribute and groups, each against its reference.

        Infinite where only one of the two groups has an attribute. What a policy counts together is one attribute.
        Groups of `few` rows have none: an attribute that none of them has says nothing.
        """
        values: dict[str, float] = {}
        for each in self.by_group(table):
            attribute, rows = each.attribute, pooled(each.rows, table.policies)
            reference = rows[:, attribute.reference_index]
            for position, label in enumerate(attribute.labels):
                known = label in attribute.known and label != attribute.reference
                if known and not {label, attribute.reference} & set(self.few[attribute.name]):
                    name = f"{attribute.name}: {label} / {attribute.reference}"
                    values[name] = information_value(rows[:, position], reference, zero="inf")
        return values


class BinCounter(Counter[TrainingData, BinTable, Edit]):
    """Counts of good and bad rows."""

    def table(self, bins: Bins) -> BinTable:
        return counted_table(self.feature, bins.conditions, self.data, bins.trend, bins.policies)

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


def hosts(table: AttributeTable, values: Column) -> NDArray[np.intp]:
    """(k,) position of the attribute that each value is counted in."""
    index, host = table.index(values), table.pools.host
    return np.array(host)[index] if host else index


def counted_table(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    data: LabelledRows,
    trend: Trend | None = None,
    policies: tuple[AttributePolicy, ...] = (),
) -> BinTable:
    """The table of attributes of a feature; see `scrutable.binning.tables.table_of`."""
    counts = data.counts_between(feature, ends_of(conditions))
    index = assign(conditions, feature, counts.column)
    outcomes = summed(index, counts.outcomes, len(conditions))
    rows = np.bincount(index, counts.rows.sum(axis=1), len(conditions)).astype(np.intp)
    return table_of(feature, conditions, outcomes, rows, data.every.lightest, trend, policies)


def told_groups(groups: Sequence[tuple[Any, ...]], counts: ValueCounts) -> list[tuple[Any, ...]]:
    """Groups of categories without those of fewer rows than may be told of."""
    return common_groups(groups, counts.column.values.tolist(), counts.rows.sum(axis=1), min_cell())
