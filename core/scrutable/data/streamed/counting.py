"""How rows that come in batches spread over the values of a feature and, at each, over outcomes and groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.frames import Column, Table
from scrutable.data.frames.levels import Buckets
from scrutable.data.streamed.places import NumberPlaces
from scrutable.data.streamed.roles import Roles, Told
from scrutable.data.value_counts import GroupCounts, ValueCounts
from scrutable.data.whole_sums import BinSums, Unit

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """All combinations of a class and a group of each protected attribute, in which rows are counted.

    Parameters
    ----------
    shape : number of classes, and of the groups of each attribute.
    favourable : index of the favourable class.
    attributes : the protected attributes.
    unit : of which weights are multiples; None where every row weighs 1.
    """

    shape: tuple[int, ...]
    favourable: int
    attributes: tuple[ProtectedAttribute, ...]
    unit: Unit | None

    @property
    def size(self) -> int:
        """How many there are."""
        return int(np.prod(self.shape))

    def of(self, told: Told) -> Ints:
        """(m,) the cell of each row."""
        cells: Ints = np.ravel_multi_index((told.label, *told.groups), self.shape)
        return cells


class Places(Protocol):
    """Where the values of a column are counted."""

    def of(self, column: Column) -> Ints:
        """(m,) the place of each value."""


class ColumnPlaces:
    """Where the values of a column are counted: each value or bucket at its own place.

    Parameters
    ----------
    levels : (k,) the least value of each, the missing one the last.
    apart : numbers that are always by themselves.
    """

    def __init__(self, levels: Column, apart: Sequence[Any]) -> None:
        self._numbers = NumberPlaces(levels.values, apart) if levels.kind == "numeric" else None
        self._texts = {} if self._numbers else {text: at for at, text in enumerate(levels.values.tolist())}

    def of(self, column: Column) -> Ints:
        if self._numbers is not None:
            return self._numbers.of(column.values if column.kind == "numeric" else np.full(len(column.values), np.nan))
        coding = column.coded if column.kind == "empty" else column.coding
        places = np.array([self._texts.get(text, -1) for text in coding.levels.tolist()], dtype=np.intp)
        chosen: Ints = places[coding.codes]
        return chosen


class CellSums:
    """Rows and weights by place and cell, to which batch after batch is added.

    Parameters
    ----------
    size : number of places, k.
    """

    def __init__(self, size: int, cells: Cells) -> None:
        self.cells, self._size = cells, size
        self._rows = np.zeros(size * cells.size, dtype=np.int64)
        self._weights = None if cells.unit is None else BinSums(cells.unit, (size * cells.size,))
        self._starts = np.array([0, size * cells.size], dtype=np.int64)

    def add(self, place: Ints, cell: Ints, weight: Floats) -> None:
        """Add rows.

        Parameters
        ----------
        place, cell : (m,) of each.
        weight : (m,) of each; those without weight are left out before.
        """
        index = place * self.cells.size + cell
        self._rows += np.bincount(index, minlength=len(self._rows))
        if self._weights is not None:
            self._weights.add(index[None].astype(np.uint32), self._starts, weight)

    def rows(self, *axes: int) -> NDArray[np.intp]:
        """Numbers of rows by place and cell, summed along some axes of the cells."""
        counted = self._rows.reshape(self._size, *self.cells.shape)
        rows: NDArray[np.intp] = counted.sum(axis=tuple(1 + axis for axis in axes)).astype(np.intp)
        return rows

    def weights(self, *axes: int, label: int | None = None) -> Floats:
        """Weight by place and cell, summed along some axes; the doubles nearest to the sums.

        Parameters
        ----------
        label : the class whose rows are left out; none where None.
        """
        kept = [each for each in range(self.cells.shape[0]) if each != label]
        if self._weights is None:
            counted = self._rows.reshape(self._size, *self.cells.shape)[:, kept]
            summed: Floats = counted.sum(axis=tuple(1 + axis for axis in axes)).astype(np.float64)
            return summed
        own = BinSums(self._weights.unit, (0,))
        own.wholes = [each.reshape(self._size, *self.cells.shape)[:, kept] for each in self._weights.wholes]
        return own.nearest(*(1 + axis for axis in axes))


class StreamedCounts(ValueCounts):
    """Counts of one feature by value or bucket.

    Parameters
    ----------
    column : (k,) the least value of each.
    buckets : the least and the greatest value of each.
    sums : by place and cell.
    special : values that are no measurement.
    """

    def __init__(self, column: Column, buckets: Buckets, sums: CellSums, special: Sequence[Any]) -> None:
        super().__init__(column, buckets, special)
        self._sums, self._cells = sums, sums.cells

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        rows: NDArray[np.intp] = self._by_outcome(self._sums.rows(*self._but()))
        return rows

    @cached_property
    def outcomes(self) -> Floats:
        weights: Floats = self._by_outcome(self._sums.weights(*self._but()))
        return weights

    @cached_property
    def groups(self) -> tuple[GroupCounts, ...]:
        return tuple(
            GroupCounts(
                attribute=each,
                rows=self._sums.weights(0, *self._but(axis)),
                bad=self._sums.weights(0, *self._but(axis), label=self._cells.favourable),
            )
            for axis, each in enumerate(self._cells.attributes, start=1)
        )

    def rows_by_group(self, attribute: ProtectedAttribute) -> NDArray[np.intp]:
        """(k, groups) numbers of rows of some weight."""
        axis = 1 + [each.name for each in self._cells.attributes].index(attribute.name)
        return self._sums.rows(0, *self._but(axis))

    def _but(self, *kept: int) -> list[int]:
        """The axes of protected attributes, but some."""
        return [axis for axis in range(1, len(self._cells.shape)) if axis not in kept]

    def _by_outcome(self, by_class: NDArray[Any]) -> NDArray[Any]:
        """(k, 2) with another and with the favourable outcome."""
        good = self._cells.favourable
        return np.stack([by_class[:, 1 - good], by_class[:, good]], axis=1)


def count_tables(
    tables: Iterable[Table], places: Mapping[str, Places], sums: Mapping[str, CellSums], roles: Roles
) -> None:
    """One pass over all batches, in which the rows of some columns are counted."""
    for table in tables:
        rows = roles.told(table)
        cells = next(iter(sums.values())).cells
        seen, cell = rows.weight > 0, cells.of(rows)
        every = bool(seen.all())
        for name, own in sums.items():
            place = places[name].of(table.column(name))
            if every:
                own.add(place, cell, rows.weight)
            else:
                own.add(place[seen], cell[seen], rows.weight[seen])
