"""The values of a column that comes in batches, in the buckets that the whole column has in memory."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames.levels import (
    ALL_BITS,
    BITS,
    BUCKETS,
    FEW_ROWS,
    FURTHER,
    HEAVY,
    Buckets,
    rounded_wholes,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Different values of a column up to which each is kept, and entries that wait until they are put together.
MOST_VALUES, _WAITING = 2**18, 2**18


@dataclass(frozen=True, slots=True, eq=False)
class Spread(Buckets):
    """k numbers or buckets of them, rising, none of them missing, and how many rows have each.

    Parameters
    ----------
    rows : (k,) numbers of rows.
    """

    rows: Ints

    @classmethod
    def of(cls, values: Floats, bits: int) -> Self:
        """That of numbers by what they are rounded to."""
        return cls.together(values, values, np.ones(len(values), dtype=np.int64), bits)

    @classmethod
    def together(cls, low: Floats, high: Floats, rows: Ints, bits: int) -> Self:
        """Numbers, or buckets of as many bits or more, by what they are rounded to."""
        import pandas as pd

        # By a table of hashes, which takes a fraction of the time that sorting all of them would take.
        place, keys = pd.factorize((low + 0.0).view(np.int64) if bits == ALL_BITS else rounded_wholes(low, bits))
        least, greatest = np.full(len(keys), np.inf), np.full(len(keys), -np.inf)
        np.minimum.at(least, place, low)
        np.maximum.at(greatest, place, high)
        total = np.zeros(len(keys), dtype=np.int64)
        np.add.at(total, place, rows)
        order = np.argsort(least, kind="stable")
        return cls(least[order], greatest[order], total[order])

    def rounded(self, bits: int) -> Spread:
        """In buckets of fewer bits."""
        return Spread.together(self.low, self.high, self.rows, bits)

    def within(self, ranges: Spread | None) -> Spread:
        """Those within ranges; all where None."""
        if ranges is None:
            return self
        own = inside(self.low, ranges)
        return Spread(self.low[own], self.high[own], self.rows[own])

    def only(self, own: NDArray[Any]) -> Spread:
        """Some of them."""
        return Spread(self.low[own], self.high[own], self.rows[own])


def inside(values: Floats, ranges: Spread) -> NDArray[np.bool_]:
    """(m,) whether numbers lie in some of the ranges, which are apart."""
    at = np.searchsorted(ranges.low, values, side="right") - 1
    return (at >= 0) & (values <= ranges.high[np.maximum(at, 0)])


class Tally:
    """Numbers counted by what they are rounded to, batch after batch.

    Parameters
    ----------
    bits : significant bits that are kept. Values that are all kept are rounded to `BITS` once there are too many.
    complete : whether all of them are kept however many there are.

    Examples
    --------
    >>> tally = Tally(ALL_BITS)
    >>> tally.add(np.array([2.0, 1.0]))
    >>> tally.add(np.array([2.0]))
    >>> tally.spread().low.tolist(), tally.spread().rows.tolist()
    ([1.0, 2.0], [1, 2])
    """

    def __init__(self, bits: int, *, complete: bool = False) -> None:
        self.bits, self._complete, self._waiting, self._parts = bits, complete, 0, list[Spread]()

    def add(self, values: Floats) -> None:
        """Add numbers, none of them missing."""
        if not len(values):
            return
        self._parts.append(Spread.of(values + 0.0, self.bits))
        self._waiting += len(self._parts[-1].low)
        if self._waiting > _WAITING:
            self._gather()

    def spread(self) -> Spread:
        """All that was added."""
        self._gather()
        return self._parts[0] if self._parts else Spread.of(np.empty(0), self.bits)

    def _gather(self) -> None:
        if len(self._parts) > 1:
            parts = ([part.low for part in self._parts], [part.high for part in self._parts])
            low, high = map(np.concatenate, parts)
            rows = np.concatenate([part.rows for part in self._parts])
            self._parts = [Spread.together(low, high, rows, self.bits)]
        if self.bits == ALL_BITS and not self._complete and self._parts and len(self._parts[0].low) > MOST_VALUES:
            self.bits = BITS
            self._parts = [self._parts[0].rounded(BITS)]
        self._waiting = sum(len(part.low) for part in self._parts)


#: What a column is asked for next: significant bits, and the ranges to which it is restricted.
Request = tuple[int, Spread | None]


def parted(n_rows: int) -> Generator[Request, Spread, Spread]:
    """The buckets that `scrutable.data.frames.levels.bucketed_numbers` gives for a column of so many rows.

    Yields
    ------
    Request : for which the spread is sent that a pass over the column finds.
    """
    if n_rows <= FEW_ROWS:
        return (yield ALL_BITS, None)
    bits = BITS
    spread = yield bits, None
    mixed = spread.low < spread.high
    while bits < ALL_BITS and len(mixed) < BUCKETS and mixed.any():
        bits = min(ALL_BITS, bits + max(1, math.ceil(math.log2(BUCKETS / len(mixed)))))
        spread = yield bits, None
        mixed = spread.low < spread.high
    heavy = _heavy(spread, n_rows)
    if not heavy.any():
        return spread
    ranges, light = spread.only(heavy), spread.only(~heavy)
    parts = ranges
    while _heavy(parts, n_rows).any():
        bits = min(ALL_BITS, bits + FURTHER)
        parts = yield bits, ranges
    return ordered([light, parts])


def ordered(spreads: Sequence[Spread]) -> Spread:
    """Several that are apart as one."""
    low = np.concatenate([each.low for each in spreads])
    order = np.argsort(low, kind="stable")
    high, rows = (np.concatenate(each)[order] for each in zip(*((s.high, s.rows) for s in spreads), strict=True))
    return Spread(low[order], high, rows)


def _heavy(spread: Spread, n_rows: int) -> NDArray[np.bool_]:
    heavy: NDArray[np.bool_] = (spread.rows > HEAVY * n_rows) & (spread.low < spread.high)
    return heavy
