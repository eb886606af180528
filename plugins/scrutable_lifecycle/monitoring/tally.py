"""Rows tallied: each different one once, with how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Rows that wait until they are gathered with those before.
_WAITING = 2**18
#: The largest number that codes of several columns make together.
_MOST = 2**62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distinct:
    """Rows no two of which are alike, in an order that depends on nothing but them.

    Parameters
    ----------
    columns : by name, (k,) numbers, from 0 on where they are whole.
    count : (k,) how often each row occurs.
    """

    columns: Mapping[str, NDArray[Any]]
    count: NDArray[np.int64]

    @classmethod
    def of(cls, columns: Mapping[str, NDArray[Any]], count: NDArray[np.int64]) -> Distinct:
        """Gather rows that are alike.

        >>> said = Distinct.of({"age": np.array([41.0, 17.0, 41.0])}, np.array([1, 1, 2]))
        >>> said.columns["age"].tolist(), said.count.tolist()
        ([17.0, 41.0], [1, 3])
        """
        keys = list(_keys(columns))
        order = np.lexsort(keys)
        changed = np.zeros(len(order), dtype=bool)
        changed[:1] = True
        for key in keys:
            ordered = key[order]
            changed[1:] |= ordered[1:] != ordered[:-1]
        starts = np.flatnonzero(changed)
        first = order[starts]
        return cls(
            columns={name: values[first] for name, values in columns.items()},
            count=np.add.reduceat(count[order], starts) if starts.size else count,
        )


class Tally:
    """Rows that come block by block, as `Distinct`; memory grows with different rows alone.

    >>> tally = Tally()
    >>> tally.add({"age": np.array([41.0, 17.0])})
    >>> tally.add({"age": np.array([41.0])})
    >>> tally.distinct().count.tolist()
    [1, 2]
    """

    def __init__(self) -> None:
        self._parts: list[Distinct] = []

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add a block."""
        n_rows = len(next(iter(columns.values())))
        self._parts.append(Distinct.of(columns, np.ones(n_rows, dtype=np.int64)))
        if sum(len(part.count) for part in self._parts[1:]) > max(_WAITING, len(self._parts[0].count) // 2):
            self.distinct()

    @property
    def empty(self) -> bool:
        """Whether no row came."""
        return not self._parts

    def distinct(self) -> Distinct:
        """All rows so far."""
        if len(self._parts) > 1:
            parts = self._parts
            columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
            self._parts = [Distinct.of(columns, np.concatenate([part.count for part in parts]))]
        return self._parts[0]


def _keys(columns: Mapping[str, NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """What orders rows and tells them apart: bits of doubles, and as many whole numbers in one as there is room for."""
    packed: NDArray[np.int64] | None = None
    room = 1
    for values in columns.values():
        if values.dtype == np.float64:
            yield (values + 0.0).view(np.int64)  # of the two zeros one
            continue
        size = int(values.max(initial=0)) + 1
        if packed is not None and room * size > _MOST:
            yield packed
            packed, room = None, 1
        packed = values.astype(np.int64) + (0 if packed is None else packed * size)
        room *= size
    if packed is not None:
        yield packed
