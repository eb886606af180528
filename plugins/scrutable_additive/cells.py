"""Two features as one block, whose bins are cells of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Axis, Interaction
from scrutable_additive.layout import Layout
from scrutable_additive.prebinned import PreBinned
from scrutable_additive.recoded import Block, Crossed, Merged
from scrutable_additive.segments import NOBODY

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One feature of a pair.

    Parameters
    ----------
    feature : in pre-bins.
    group : (pre-bins,) the group of each, from 0 on, or `NOBODY`.
    """

    feature: PreBinned
    group: Ints

    @property
    def size(self) -> int:
        """Number of groups."""
        return int(self.group.max(initial=-1)) + 1

    @property
    def block(self) -> Block:
        """The groups as a block; rows without weight, of which no other row is, are in the first."""
        return Merged(self.feature.block, np.maximum(self.group, 0))

    @property
    def ordered(self) -> Marks:
        """(groups,) whether they are of values that have an order."""
        if self.feature.nominal:
            return np.zeros(self.size, dtype=bool)
        return np.isin(np.arange(self.size), self.group[: self.feature.n_ordinary])

    def together(self, place: Ints) -> Side:
        """With groups put together.

        Parameters
        ----------
        place : (groups,) the new group of each.
        """
        return replace(self, group=np.append(place, NOBODY)[self.group])

    def axis(self, by_group: Floats) -> tuple[Axis, Ints]:
        """The axis whose conditions part groups that differ, and (conditions,) the group of each, or `NOBODY`.

        Parameters
        ----------
        by_group : (groups, k) what a group has in each group of the other side.
        """
        alike = np.unique(by_group, axis=0, return_inverse=True)[1].reshape(-1)
        ordinary = np.append(alike, NOBODY)[self.group[: self.feature.n_ordinary]]
        table, attribute = self.feature.merged(ordinary)
        of_condition = np.full(len(table.conditions), NOBODY, dtype=np.intp)
        of_condition[attribute] = self.group
        if table.pools.host:
            of_condition = of_condition[np.array(table.pools.host)]
        return Axis(feature=self.feature.feature.name, conditions=table.conditions), of_condition


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A pair as a block.

    Parameters
    ----------
    rows, columns : its features.
    of_cell : (rows, columns) the bin of each cell. Cells of few rows are one bin together, and `NOBODY` is in others.
    count : (bins,) number of rows that have weight.
    """

    rows: Side
    columns: Side
    of_cell: Ints
    count: Ints

    @classmethod
    def of(cls, rows: Side, columns: Side, count: Floats, least: int) -> Cells:
        """The block of two features.

        Parameters
        ----------
        count : (rows, columns) number of rows that have weight in each cell.
        least : cells of fewer rows are one bin together, or part of the largest if there are so few of these, too.
        """
        own = count >= least
        of_cell = np.where(own, np.cumsum(own).reshape(own.shape) - 1, NOBODY)
        few = (count > 0) & ~own
        if few.any():
            enough = count[few].sum() >= least or not own.any()
            of_cell[few] = int(own.sum()) if enough else of_cell.flat[np.argmax(count)]
        of_bin = np.bincount(np.maximum(of_cell, 0).reshape(-1), count.reshape(-1)).astype(np.intp)
        return cls(rows, columns, of_cell, of_bin)

    @property
    def block(self) -> Block:
        """The bins as a block; rows without weight, of which no other row is, are in the first."""
        return Merged(Crossed(self.rows.block, self.columns.block), np.maximum(self.of_cell, 0).reshape(-1))

    @property
    def features(self) -> tuple[str, str]:
        """The names of both."""
        return self.rows.feature.feature.name, self.columns.feature.feature.name

    @property
    def name(self) -> str:
        """Of both features."""
        return pair_name(*self.features)

    @property
    def size(self) -> int:
        """Number of bins."""
        return len(self.count)

    def layout(self, first: int, weight: Floats, *, kept: bool) -> Layout:
        """Any cells may be put together.

        Parameters
        ----------
        first : number of bins before.
        weight : (bins,) of the rows of each.
        """
        return Layout(
            name=self.name,
            bins=slice(first, first + self.size),
            n_ordinary=self.size,
            nominal=True,
            rising=0,
            bend=0,
            apart=np.ones(max(self.size - 1, 0), dtype=bool),
            asked=False,
            fixed=False,
            kept=kept,
            count=weight,
        )

    def usual(self, values: Floats) -> float:
        """Of (bins,) values the middle one of the rows, their lower median."""
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(self.count[order])
        return float(values[order[np.searchsorted(reached, reached[-1] / 2)]])

    def along(self, name: str, values: Floats) -> Floats:
        """(pre-bins of one feature, groups of the other) the value of the cell; where nobody is, `usual`.

        Parameters
        ----------
        name : of the one feature.
        values : (bins,).
        """
        table = np.append(values, self.usual(values))[self.of_cell]  # NOBODY is the last
        side, by_group = (self.rows, table) if name == self.features[0] else (self.columns, table.T)
        usual = np.full((1, by_group.shape[1]), self.usual(values))
        along: Floats = np.concatenate([by_group, usual])[side.group]
        return along

    def interaction(self, values: Floats, points: Callable[[float], float]) -> Interaction:
        """The table of points; cells that nobody is in have the usual ones.

        Parameters
        ----------
        values : (bins,) log-odds.
        points : of log-odds.
        """
        usual = self.usual(values)
        table = np.append(values, usual)[self.of_cell]  # NOBODY is the last
        rows, of_row = self.rows.axis(table)
        columns, of_column = self.columns.axis(table.T)
        known = (of_row != NOBODY)[:, None] & (of_column != NOBODY)
        cells = np.where(known, table[np.ix_(of_row, of_column)], usual)
        return Interaction(
            rows=rows, columns=columns, points=tuple(tuple(map(points, row)) for row in cells.tolist()), name=self.name
        )


def pair_name(rows: str, columns: str) -> str:
    """What a pair of features is called."""
    return f"{rows} x {columns}"
