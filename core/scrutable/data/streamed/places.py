"""Which bucket each number of a batch is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.compiling import compiled

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

#: Bits of a double, those of its sign and exponent first, by which buckets are looked up before they are compared.
_FIRST = 18


class NumberPlaces:
    """The place of numbers among rising buckets, those that are apart, and missing ones.

    Parameters
    ----------
    low : (k,) the least number of each bucket, rising; of numbers that are apart, themselves; NaN for missing ones.
    apart : numbers that are always by themselves.

    Examples
    --------
    >>> places = NumberPlaces(np.array([-9.0, 1.0, 5.0, np.nan]), [-9.0])
    >>> places.of(np.array([5.5, 1.0, np.nan, -9.0])).tolist()
    [2, 1, 3, 0]
    """

    def __init__(self, low: Floats, apart: Sequence[float]) -> None:
        by_itself = np.isin(low, np.array(apart, dtype=np.float64)) | np.isnan(low)
        self._ordinary = np.flatnonzero(~by_itself)
        self._low = np.ascontiguousarray(low[self._ordinary])
        self._apart = {float(low[at]): int(at) for at in np.flatnonzero(by_itself & ~np.isnan(low)).tolist()}
        missing = np.flatnonzero(np.isnan(low))
        self._missing = int(missing[0]) if len(missing) else -1
        tops = np.arange(2**_FIRST + 1, dtype=np.int64) - 2 ** (_FIRST - 1)
        self._first = np.searchsorted(_tops(self._low), tops, side="left").astype(np.int64)

    def of(self, values: Floats) -> Places:
        """(m,) the place of each of m numbers, each of which is in one of the buckets."""
        reached = np.empty(len(values), dtype=np.int64)
        whole = (values + 0.0).view(np.int64)
        look_up(values, whole, self._low, self._first, reached)
        places: Places = self._ordinary[reached] if len(self._ordinary) else reached
        for number, at in self._apart.items():
            places[values == number] = at
        places[np.isnan(values)] = self._missing
        return places


def _tops(values: Floats) -> NDArray[np.int64]:
    """First bits of numbers as whole ones in the same order."""
    whole = (values + 0.0).view(np.int64)
    rising = np.where(whole < 0, np.int64(-1) ^ (whole & np.int64(2**63 - 1)), whole)
    return rising >> (64 - _FIRST)


def _look_up(values: Floats, whole: NDArray[np.int64], low: Floats, first: NDArray[np.int64], reached: Places) -> None:
    """The last bucket that begins at or below each number, in NumPy."""
    reached[:] = np.maximum(np.searchsorted(low, values, side="right") - 1, 0)


@compiled(steps=lambda values, *_: 16 * len(values), small=_look_up, nogil=True)
def look_up(values: Any, whole: Any, low: Any, first: Any, reached: Any) -> None:
    """The last bucket that begins at or below each number, from where its first bits say that it is; 0 for others."""
    for row in range(values.shape[0]):
        value = values[row]
        bits = whole[row]
        top = (bits if bits >= 0 else -1 ^ (bits & 0x7FFFFFFFFFFFFFFF)) >> (64 - _FIRST)
        at = first[top + (1 << (_FIRST - 1))]
        end = first[top + (1 << (_FIRST - 1)) + 1]
        while at < end:
            middle = (at + end) >> 1
            if low[middle] <= value:
                at = middle + 1
            else:
                end = middle
        reached[row] = max(at - 1, 0)
