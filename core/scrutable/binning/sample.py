"""What a binner sees of one feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

from scrutable.binning.tables import Trend
from scrutable.data.features import Value
from scrutable.data.training import QuantityData, RowsInMemory
from scrutable.data.training_rows import AllRows, RowsNeededError, TrainingRows
from scrutable.data.value_counts import RowCounts, ValueCounts, summed
from scrutable.errors import InputError
from scrutable.model import Feature


class NoQuantitiesError(InputError):
    """A binner that is given a quantity, and bins for two classes."""

    def __init__(self, where: str) -> None:
        super().__init__("it bins for two classes, not for a quantity", where=where, got="a continuous target")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleRows:
    """The rows of a sample, for binners that cannot do with counts.

    Parameters
    ----------
    values : (m,) doubles or texts.
    place : (m,) which of the sample's values each is, or whose bucket it is in.
    target : (m,) the target in numbers: 1 where the outcome is favourable and 0 elsewhere, or the quantity.
    weight : (m,) sample weights, all above zero.
    """

    values: NDArray[Any]
    place: NDArray[np.intp]
    target: NDArray[np.float64]
    weight: NDArray[np.float64]

    def only(self, rows: NDArray[np.bool_]) -> SampleRows:
        """Some of the rows."""
        return SampleRows(
            values=self.values[rows], place=self.place[rows], target=self.target[rows], weight=self.weight[rows]
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """The ordinary values of one feature (neither missing nor special) and what is counted of their rows.

    Parameters
    ----------
    counts : how all rows spread over the values of the feature.
    data : the rows.
    every : what is known of all rows, missing and special ones included.
    trend : the trend asked for.
    """

    feature: Feature
    counts: ValueCounts
    data: TrainingRows
    every: AllRows
    trend: Trend | None

    @cached_property
    def values(self) -> NDArray[Any]:
        """(k,) the different doubles, or the least ones of thousands of buckets of them, rising; or texts, sorted."""
        values: NDArray[Any] = self.counts.column.values[self.counts.ordinary]
        return values

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """(k,) numbers of rows with each value."""
        rows: NDArray[np.intp] = self.counts.rows[self.counts.ordinary].sum(axis=1)
        return rows

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """(k,) weight of the rows with each value."""
        weight: NDArray[np.float64] = self.counts.outcomes[self.counts.ordinary].sum(axis=1)
        return weight

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """(k, 2) weight of the rows with the unfavourable and with the favourable outcome.

        Raises
        ------
        NoQuantitiesError : the target is a quantity, so a binner that asks for this cannot bin for it.
        """
        if self.continuous:
            raise NoQuantitiesError("binner")
        return self.counts.outcomes[self.counts.ordinary]

    @property
    def continuous(self) -> bool:
        """Whether the target is a quantity."""
        return isinstance(self.data, QuantityData)

    @property
    def total(self) -> float:
        """Weight of all rows of the feature, missing and special ones included."""
        return self.every.weight

    def by_row(self) -> SampleRows:
        """The rows themselves; counts are enough for most.

        Raises
        ------
        RowsNeededError : they are not in memory.
        """
        if not (isinstance(self.data, RowsInMemory) and isinstance(self.counts, RowCounts)):
            raise RowsNeededError(f"column {self.feature.name!r}")
        rows, values, place = self.counts.ordinary_rows()
        return SampleRows(values=values, place=place, target=self.data.target[rows], weight=self.data.weight[rows])


def distinct(sample: Sample) -> list[Value]:
    """The distinct values of a sample, sorted."""
    values: list[Value] = sample.values.tolist()
    return values


def pooled(cuts: list[float], sample: Sample) -> list[float]:
    """Drop the cuts between neighbours whose rates or means go against the trend (pool adjacent violators)."""
    if not cuts:
        return []
    weight, total = _between(cuts, sample)
    seen = weight > 0
    rate = np.full(len(weight), np.nan)
    rate[seen] = isotonic_regression(
        total[seen] / weight[seen], sample_weight=weight[seen], increasing=sample.trend == "ascending"
    )
    kept, last = [], rate[0]
    for cut, value in zip(cuts, rate[1:], strict=True):
        if not np.isnan(value) and value != last:
            if not np.isnan(last):
                kept.append(cut)
            last = value
    return kept


def _between(cuts: Sequence[float], sample: Sample) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(cuts + 1,) weight of the ordinary rows between the cuts, and sum of weight times target."""
    if sample.continuous:
        rows = sample.by_row()
        index = np.searchsorted(cuts, rows.values, side="right")
        sums = (np.bincount(index, each, len(cuts) + 1) for each in (rows.weight, rows.weight * rows.target))
        weight, total = (each.astype(np.float64) for each in sums)
        return weight, total
    counts = sample.data.counts_between(sample.feature, cuts)
    index = np.searchsorted(cuts, counts.column.values[counts.ordinary], side="right")
    outcomes = summed(index, counts.outcomes[counts.ordinary], len(cuts) + 1)
    return outcomes.sum(axis=1), outcomes[:, 1]
