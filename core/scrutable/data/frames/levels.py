"""The different values of a column, one by one or in buckets, and which of them each row has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]

#: Up to so many rows every value is by itself.
FEW_ROWS = 2**15
#: Significant bits that buckets have at first, and the number of buckets below which they get more.
BITS, BUCKETS = 10, 4_096
#: A bucket of more than this share of the rows is parted further, by so many bits at a time.
HEAVY, FURTHER = 1 / 256, 4
#: All bits of a double; and numbers from which on Veltkamp's product may be infinite, with the power that avoids it.
ALL_BITS, _HUGE, _SMALLER = 53, 2.0**900, 2.0**-200


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """k values or buckets of them.

    Parameters
    ----------
    low, high : (k,) the least and the greatest value of the rows in each; the same where it is one value. Numbers are
        sorted by `low`, NaN the last; texts are in the order of their column, None the last.
    """

    low: npt.NDArray[Any]
    high: npt.NDArray[Any]

    def parts_at(self, cuts: Sequence[float]) -> bool:
        """Whether every cut falls between two of them, so that what they count tells all about these cuts.

        >>> buckets = Buckets(np.array([1.0, 3.0]), np.array([2.0, 3.0]))
        >>> buckets.parts_at([1.0, 2.5, 3.0]), buckets.parts_at([1.5])
        (True, False)
        """
        if self.low is self.high or not len(cuts):
            return True
        below = np.searchsorted(self.low, cuts)  # how many begin below each cut
        reached = np.maximum.accumulate(self.high)  # by these: a number that is apart may lie within a bucket
        return not bool(((below > 0) & (np.asarray(cuts) <= reached[below - 1])).any())


@dataclass(frozen=True, slots=True, eq=False)
class Levels(Buckets):
    """k values or buckets, and which of them each of n rows has.

    Parameters
    ----------
    place : (n,) position of each row's.
    """

    place: Places


def distinct_numbers(values: Floats) -> Levels:
    """Every different number by itself.

    >>> levels = distinct_numbers(np.array([41.0, 17.0, np.nan, 41.0]))
    >>> levels.low.tolist(), levels.place.tolist()
    ([17.0, 41.0, nan], [1, 0, 2, 1])
    """
    low, place = np.unique(values, return_inverse=True)
    return Levels(low, low, place.astype(np.int32))


def bucketed_numbers(values: Floats, apart: Sequence[float] = ()) -> Levels:
    """Numbers in buckets: some thousands of them, however many rows there are.

    A bucket is what is rounded alike to some significant bits, by Veltkamp's splitting, two products and two
    differences that every machine with IEEE doubles does alike: ten bits, or more where that leaves fewer than 4,096
    buckets and not every value has one of its own. A bucket of more than 1/256 of the rows is parted further, so that a
    frequent number is alone. So a column of few different numbers has each by itself, as all have up to 32,768 rows.

    Parameters
    ----------
    apart : numbers that are no measurement, each of which is always by itself.

    Examples
    --------
    >>> amounts = np.arange(1.0, 100_001.0)
    >>> levels = bucketed_numbers(np.append(amounts, [np.nan] * 9))
    >>> len(levels.low), levels.low[[0, -2, -1]].tolist(), levels.high[-2].item()
    (4366, [1.0, 99905.0, nan], 100000.0)
    """
    if len(values) <= FEW_ROWS:
        return distinct_numbers(values)
    special = np.isin(values, np.asarray(apart, dtype=np.float64)) if len(apart) else np.zeros(len(values), dtype=bool)
    ordinary = ~(np.isnan(values) | special)
    if ordinary.all():
        return _parted(values, BITS, len(values))
    counted, others = _parted(values[ordinary], BITS, len(values)), distinct_numbers(values[~ordinary])
    return _together(counted, others, ordinary)


def divided_numbers(levels: Levels, values: Floats, ends: Sequence[float]) -> Levels:
    """Buckets of numbers, with a further one from each of some rising ends on that lies within one of them.

    >>> values = np.array([1.0, 3.0, 2.5, 4.0])
    >>> levels = Levels(np.array([1.0, 4.0]), np.array([3.0, 4.0]), np.array([0, 0, 0, 1], dtype=np.int32))
    >>> divided = divided_numbers(levels, values, [2.0])
    >>> divided.low.tolist(), divided.high.tolist(), divided.place.tolist()
    ([1.0, 2.5, 4.0], [1.0, 3.0, 4.0], [0, 1, 1, 2])
    """
    beyond = np.searchsorted(ends, values, side="right")
    size, place = _places(levels.place.astype(np.int64) * (len(ends) + 1) + beyond)
    with np.errstate(invalid="ignore"):  # of missing numbers, which are apart
        low, high = _ends(values, place, size)
    order = np.argsort(low, kind="stable")
    new = np.empty(size, dtype=np.int32)
    new[order] = np.arange(size)
    return Levels(low[order], high[order], new[place])


def _parted(values: Floats, bits: int, n_rows: int) -> Levels:
    """Ordinary numbers in buckets of so many bits or more."""
    levels = _rounded_alike(values, bits)
    mixed = levels.low < levels.high
    while bits < ALL_BITS and len(mixed) < BUCKETS and mixed.any():
        bits = min(ALL_BITS, bits + max(1, math.ceil(math.log2(BUCKETS / len(mixed)))))
        levels = _rounded_alike(values, bits)
        mixed = levels.low < levels.high
    heavy = _heavy(levels, n_rows)
    if not heavy.any():
        return levels
    rest = ~heavy[levels.place]
    kept = np.flatnonzero(~heavy)
    new = np.zeros(len(heavy), dtype=np.int32)
    new[kept] = np.arange(len(kept))
    light = Levels(levels.low[kept], levels.high[kept], new[levels.place[rest]])
    return _together(light, _further(values[~rest], bits, n_rows), rest)


def _further(values: Floats, bits: int, n_rows: int) -> Levels:
    """Numbers of heavy buckets by more bits, until none is heavy."""
    bits = min(ALL_BITS, bits + FURTHER)
    levels = _rounded_alike(values, bits)
    return _further(values, bits, n_rows) if _heavy(levels, n_rows).any() else levels


def _heavy(levels: Levels, n_rows: int) -> npt.NDArray[np.bool_]:
    """Buckets of several values and of more rows than one may have."""
    heavy: npt.NDArray[np.bool_] = np.bincount(levels.place, minlength=len(levels.low)) > HEAVY * n_rows
    return heavy & (levels.low < levels.high)


def _together(one: Levels, other: Levels, of_one: npt.NDArray[np.bool_]) -> Levels:
    """The levels of some rows and those of the rest, in one order."""
    low, high = np.concatenate([one.low, other.low]), np.concatenate([one.high, other.high])
    order = np.argsort(low, kind="stable")
    new = np.empty(len(low), dtype=np.int32)
    new[order] = np.arange(len(low))
    place = np.empty(len(of_one), dtype=np.int32)
    place[of_one], place[~of_one] = new[one.place], new[len(one.low) + other.place]
    return Levels(low[order], high[order], place)


def _rounded_alike(values: Floats, bits: int) -> Levels:
    """Numbers, none of them NaN, by what they are rounded to."""
    size, place = _places(rounded_wholes(values, bits))
    return Levels(*_ends(values, place, size), place)


def _ends(values: Floats, place: Places, size: int) -> tuple[Floats, Floats]:
    """(size,) the least and the greatest of the numbers that have each place."""
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, place, values)
    np.maximum.at(high, place, values)
    return low, high


def rounded_wholes(values: Floats, bits: int) -> npt.NDArray[np.int64]:
    """What numbers, none of them NaN, are rounded to, as whole numbers in the same order.

    >>> rounded_wholes(np.array([1.0, 1.0001, 1.01, -1.0]), 10).tolist()
    [523776, 523776, 523781, -523776]
    """
    return _whole(_rounded(values, bits), bits)


def _rounded(values: Floats, bits: int) -> Floats:
    """Numbers rounded to significant bits (Dekker, "A floating-point technique", Numer. Math. 18, 1971)."""
    factor = 2.0 ** (ALL_BITS - bits) + 1
    huge = np.abs(values) >= _HUGE
    some = np.where(huge, values * _SMALLER, values) if huge.any() else values
    with np.errstate(over="ignore", invalid="ignore"):
        product = some * factor
        rounded: Floats = np.where(np.isinf(some), some, product - (product - some))
        return np.where(huge, rounded / _SMALLER, rounded) if huge.any() else rounded


def _whole(rounded: Floats, bits: int) -> npt.NDArray[np.int64]:
    """Rounded numbers as whole ones in the same order: their bits, from which those that are zero are cut off."""
    whole = (rounded + 0.0).view(np.int64) >> (ALL_BITS - bits)
    negative = whole < 0
    if not negative.any():
        return whole
    return np.where(negative, (np.int64(-1) << (bits + 10)) - whole, whole)


def _places(whole: npt.NDArray[np.int64]) -> tuple[int, Places]:
    """How many different whole numbers there are, and the place of each among them, sorted."""
    if not len(whole):
        return 0, np.zeros(0, dtype=np.int32)
    least = int(whole.min())
    spread = int(whole.max()) - least + 1
    if spread > max(4 * len(whole), 2**21):
        different, place = np.unique(whole, return_inverse=True)
        return len(different), place.astype(np.int32)
    beyond = whole - least
    there = np.zeros(spread, dtype=bool)
    there[beyond] = True
    used = np.flatnonzero(there)
    new = np.empty(spread, dtype=np.int32)
    new[used] = np.arange(len(used))
    return len(used), new[beyond]
