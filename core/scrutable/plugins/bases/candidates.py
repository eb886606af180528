"""What a selector sees of the rows: tables of bins, tallies of pairs, and a likelihood, each from a pass over codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.mean_binning import MeanTable
from scrutable.binning.quantity_tallies import QuantityTallies
from scrutable.binning.row_tallies import RowTallies
from scrutable.binning.tables import AttributeTable, BinTable
from scrutable.data.coded_rows import Chunk, CodedRows
from scrutable.data.training import QuantityData
from scrutable.data.training_rows import TrainingRows
from scrutable.data.value_counts import ValueCounts
from scrutable.model import Categories, Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Different values of a numeric feature are counted up to this: what a binner finds by chance rises no further.
MOST_LEVELS = 10


class Likelihood(Protocol):
    """Weighted log-loss of regressions on what the characteristics are written as.

    They are logistic for classes; for a quantity they are linear, with a known variance of the residuals. Mostly a
    characteristic is one column, its weight of evidence. One that is written as several columns, such as an indicator
    of every attribute but one, enters and leaves with all of them.

    Attributes
    ----------
    names : the p characteristics.
    widths : (p,) how many columns each is written as.
    weight : total weight of the rows; their number where none is weighted.
    ranges : (q, 2) least and greatest value of each of the q columns, of all rows.
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def widths(self) -> tuple[int, ...]: ...

    @property
    def weight(self) -> float: ...

    @property
    def ranges(self) -> Floats: ...

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """Log-loss (a sum), gradient (q + 1,) and Hessian (q + 1, q + 1) at (q,) coefficients, intercept first."""

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """The first two of `at`, which cost less."""

    def only(self, members: Sequence[int]) -> Likelihood:
        """The likelihood of these characteristics alone, by position, in this order."""


class Tallies(Protocol):
    """What a source of rows answers about several characteristics at once."""

    def pairs(self, one: str, other: str) -> Floats:
        """(attributes of one, attributes of the other) weight of the rows that have both."""

    def likelihood(self, names: Sequence[str]) -> Likelihood:
        """The regression on what stands for the attributes of some of them."""


class ClassTallies(Tallies, Protocol):
    """What a source of rows with two classes answers besides."""

    def expected(self, names: Sequence[str], intercept: float, coefficients: Floats) -> dict[str, Floats]:
        """By characteristic, every one, (attributes,) weight of favourable rows that a regression on some expects."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A characteristic to choose.

    Parameters
    ----------
    table : its attributes, with the weights of their good and bad rows, or with the means of a quantity.
    woe : (attributes,) what stands for them in the regression; of a quantity what is made of their means.
    levels : different values that the binner could tell apart, missing and special ones among them; of numbers up to
        `MOST_LEVELS`.
    periods : (periods, attributes) weight of the rows of each period, in their order; None without dates.
    cut_cost : degrees of freedom that a cut of a number is worth; above 1 where the cuts were found one by one.
    """

    table: BinTable | MeanTable
    woe: Floats
    levels: int
    periods: Floats | None = None
    cut_cost: float = 1.0

    @property
    def name(self) -> str:
        """Of its feature."""
        return self.table.feature.name

    @property
    def iv(self) -> float:
        """How much it tells by itself: its information value; of a quantity the share of the variance it explains."""
        return self.table.explained if isinstance(self.table, MeanTable) else self.table.iv_used


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates:
    """All characteristics to choose from, in the order of the inputs.

    Parameters
    ----------
    every : the characteristics.
    tallies : answers about several of them.
    gone : names of those that left before, so that a list of the business may have them.
    """

    every: tuple[Candidate, ...]
    tallies: Tallies
    gone: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        tables: Sequence[BinTable | MeanTable],
        rows: CodedRows,
        woe: Sequence[Floats],
        data: TrainingRows,
        periods: Ints | None = None,
        cut_cost: float = 1.0,
    ) -> Candidates:
        """Those of training rows.

        Parameters
        ----------
        tables : of the features; others of the data are gone.
        rows : the training rows by their attributes in each table.
        woe : for each table what stands for its attributes.
        periods : (n,) the period of each row, from 0 on.
        cut_cost : as in `Candidate`.
        """
        spread = None if periods is None else by_period(rows, periods)
        every = tuple(
            Candidate(
                table=table,
                woe=values,
                levels=levels(table, data.counts(table.feature)),
                periods=None if spread is None else spread[:, own],
                cut_cost=cut_cost,
            )
            for table, own, values in zip(tables, rows.slices, woe, strict=True)
        )
        by_name = {each.name: each.woe for each in every}
        gone = tuple(feature.name for feature in data.features if feature.name not in by_name)
        if isinstance(data, QuantityData):
            return cls(every=every, tallies=QuantityTallies(by_name, rows), gone=gone)
        return cls(every=every, tallies=RowTallies(by_name, rows), gone=gone)

    @property
    def of_quantity(self) -> bool:
        """Whether they are to tell a quantity, not a class."""
        return any(isinstance(each.table, MeanTable) for each in self.every)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.name for each in self.every)


def by_period(rows: CodedRows, periods: Ints) -> Floats:
    """(periods, attributes) weight of the rows of each, from the (n,) periods of rows in memory."""
    number, read = int(periods.max(initial=0)) + 1, 0
    sums = [rows.bin_sums() for _ in range(number)]

    def amounts(chunk: Chunk) -> list[Floats]:
        nonlocal read
        own = periods[read : read + len(chunk.weight)]
        read += len(own)
        return [chunk.weight * (own == period) for period in range(number)]

    rows.add_up(sums, amounts)
    return np.stack([each.values for each in sums])


def levels(table: AttributeTable, counts: ValueCounts) -> int:
    """Different values of a column that a binner can tell apart; of numbers no more than `MOST_LEVELS` are counted."""
    apart = [at for at, each in enumerate(table.conditions) if not isinstance(each, Interval | Categories)]
    others = int(np.count_nonzero(table.counts_seen[apart]))
    values = sum(len(each.values) for each in table.conditions if isinstance(each, Categories))
    if not table.ordered:
        return values + others
    return min(len(counts.ordinary), MOST_LEVELS) + others
