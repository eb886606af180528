"""The rows of one feature, counted once by value or bucket of values: all that binners and tables ask of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.exact import exact_bincount
from scrutable.data.frames import Column
from scrutable.data.frames.levels import Buckets, Levels, divided_numbers
from scrutable.data.groups import Groups

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """How the rows of each group of a protected attribute spread over the values of a feature, or its attributes.

    Parameters
    ----------
    rows, bad : (values, groups) weight of all rows, and of those with the unfavourable outcome; memberships count as
        weights.
    """

    attribute: ProtectedAttribute
    rows: Floats
    bad: Floats

    def summed(self, index: NDArray[np.intp], size: int) -> GroupCounts:
        """Those of (size,) attributes, for the attribute of each value."""
        return GroupCounts(
            attribute=self.attribute, rows=summed(index, self.rows, size), bad=summed(index, self.bad, size)
        )


class ValueCounts(ABC):
    """The rows of one feature, counted by k values or buckets of them.

    Parameters
    ----------
    column : (k,) the least value of each.
    buckets : the least and the greatest value of each.
    special : values that are no measurement.
    """

    def __init__(self, column: Column, buckets: Buckets, special: Sequence[Any] = ()) -> None:
        self.column, self.buckets = column, buckets
        self._special = np.isin(column.values, np.array(special, column.values.dtype))

    @property
    def size(self) -> int:
        """Number of values or buckets."""
        return len(self.buckets.low)

    @cached_property
    def ordinary(self) -> NDArray[np.intp]:
        """Positions of those that are neither missing nor special and have rows of some weight, sorted."""
        there = np.flatnonzero(~(self.column.missing | self._special) & self.rows.any(axis=1))
        if self.column.kind == "numeric":
            return there
        return there[np.argsort(self.column.values[there], kind="stable")]

    @property
    @abstractmethod
    def rows(self) -> NDArray[np.intp]:
        """(k, 2) numbers of rows of some weight, with another and with the favourable outcome."""

    @property
    @abstractmethod
    def outcomes(self) -> Floats:
        """(k, 2) weight of rows with another and with the favourable outcome; exact in any order of the rows."""

    @property
    @abstractmethod
    def groups(self) -> tuple[GroupCounts, ...]:
        """Counts by protected attribute; none where no groups are known."""


class RowCounts(ValueCounts):
    """Those of n rows in memory, each counted when it is first asked for.

    Parameters
    ----------
    column : the feature's.
    good : (n,) rows with the favourable outcome.
    weight : (n,) sample weights.
    groups : protected groups, where they are known.
    special : values that are no measurement.
    exact : whether each value is by itself, and no bucket has several.
    ends : rising numbers at which buckets are divided.

    Attributes
    ----------
    levels : the values or buckets, and which of them each row has.

    Examples
    --------
    >>> age = Column("age", "numeric", np.array([40.0, 20, 30, 20]))
    >>> counts = RowCounts(age, np.array([True, False, True, True]), np.array([1, 2, 0, 4.0]))
    >>> counts.column.values.tolist(), counts.outcomes.tolist(), counts.rows.tolist()
    ([20.0, 30.0, 40.0], [[2.0, 4.0], [0.0, 0.0], [0.0, 1.0]], [[1, 1], [0, 0], [0, 1]])
    """

    def __init__(
        self,
        column: Column,
        good: NDArray[np.bool_],
        weight: Floats,
        groups: Groups | None = None,
        special: Sequence[Any] = (),
        *,
        exact: bool = False,
        ends: Sequence[float] = (),
    ) -> None:
        self.levels: Levels = column.distinct if exact else column.buckets(special)
        if not self.levels.parts_at(ends):
            self.levels = divided_numbers(self.levels, column.values, ends)
        super().__init__(column.holding(self.levels), self.levels, special)
        self._of_rows, self._good, self._weight, self._groups = column, good, weight, groups

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        seen = self._weight > 0
        cells = self._cells if seen.all() else self._cells[seen]
        return np.bincount(cells, minlength=2 * self.size).reshape(-1, 2)

    @cached_property
    def outcomes(self) -> Floats:
        if self._unweighted:
            return self.rows.astype(np.float64)
        return exact_bincount(self._cells, self._weight, 2 * self.size).reshape(-1, 2)

    @cached_property
    def groups(self) -> tuple[GroupCounts, ...]:
        return tuple(self._by_group(each) for each in (self._groups.attributes if self._groups is not None else ()))

    def _by_group(self, attribute: ProtectedAttribute) -> GroupCounts:
        if attribute.hard and self._unweighted:
            cells, groups = self._cells * len(attribute.labels) + attribute.codes, len(attribute.labels)
            numbers = np.bincount(cells, minlength=2 * groups * self.size).reshape(-1, 2, groups).astype(np.float64)
            return GroupCounts(attribute=attribute, rows=numbers.sum(axis=1), bad=numbers[:, 0])
        bad, place = ~self._good * self._weight, self.levels.place
        return GroupCounts(
            attribute=attribute,
            rows=summed(place, self._weight[:, None] * attribute.membership, self.size),
            bad=summed(place, bad[:, None] * attribute.membership, self.size),
        )

    def ordinary_rows(self) -> tuple[NDArray[np.bool_], NDArray[Any], NDArray[np.intp]]:
        """(n,) which rows have `ordinary` values and some weight, and of these (m,) values and places among them."""
        new = np.full(self.size, -1)
        new[self.ordinary] = np.arange(len(self.ordinary))
        place = new[self.levels.place]
        rows = (place >= 0) & (self._weight > 0)
        return rows, self._of_rows.values[rows], place[rows]

    @cached_property
    def _unweighted(self) -> bool:
        return bool((self._weight == 1.0).all())

    @property
    def _cells(self) -> NDArray[np.intp]:
        return 2 * self.levels.place.astype(np.intp) + self._good


def summed(index: NDArray[np.integer], weights: NDArray[Any], size: int) -> Floats:
    """(size, k) sums of (m, k) weights by the place that each of the m has; the same in every order of them."""
    place = index.astype(np.intp)
    return np.stack([exact_bincount(place, weights[:, k], size) for k in range(weights.shape[1])], axis=1)
