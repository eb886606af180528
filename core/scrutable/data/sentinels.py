"""Numbers of a column that are written as codes for no information are: in nines, or far more often than others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

#: How often a number is repeated that is taken for a code.
_REPEATED = 3
#: Most different negative numbers of a column of codes, such as -9, -8 and -7 for three kinds of no information.
_CODES = 6
#: Negative numbers among which so many different ones are looked for first.
_FIRST = 1_000
#: The next number is above this share of a lowest one that is taken for a code.
_FAR = 0.5
#: Negative codes that are not in nines: how many, their share of the values, how much more often than another number
#: each of them occurs, and how many other numbers there are.
_SPIKES, _SHARE, _OFTENER, _MANY = 3, 0.03, 3, 20
#: How many times as often as any other negative number one in nines occurs that need not lie far below them.
_FAR_OFTENER = 10
#: How far beyond all others a positive code lies, in ranges of the others.
_APART = 0.5


def suspected_codes(values: NDArray[np.float64]) -> list[float]:
    """Repeated numbers at the ends of others that are written all in nines, as codes for no information are.

    Negative ones are codes where there are but a few different negative numbers, all whole and one of them in nines, or
    far more frequent than others, as -1 below amounts; or the lowest is, if the next is not half as far below 0, or it
    occurs ten times as often as any other negative one.
    Positive ones lie well beyond all others; numbers up to nine less than one in nines go with it, as 9998 with 9999.

    Parameters
    ----------
    values : (n,) none of them missing, and none a special code that is known.

    Examples
    --------
    >>> suspected_codes(np.array([25.0, 31, 47] * 9 + [-999.0] * 5))
    [-999.0]
    >>> suspected_codes(np.array([0.0, 1, 2] * 9 + [9998.0] * 3 + [9999.0] * 5))
    [9998.0, 9999.0]
    """
    finite = values[np.isfinite(values)]
    ends = [float(end) for end in (finite.min(), finite.max())] if len(finite) else []
    if not ends or (ends[0] >= 0 and not _in_nines(ends[1])):
        return []
    in_nines = any(map(_in_nines, ends))
    if not in_nines and len(np.unique(finite[finite < 0][:_FIRST])) > _CODES:
        return []  # without sorting all
    levels, counts = np.unique(finite, return_counts=True)
    if not in_nines and levels.searchsorted(0.0) > _CODES:
        return []
    often = dict(zip(levels.tolist(), counts.tolist(), strict=True))
    return [code for code in (*_negative(often), *_positive(often)) if often[code] >= _REPEATED]


def far_beyond(code: float, others: Sequence[float]) -> bool:
    """Whether a positive code lies so far beyond all the others, in ascending order, as codes do."""
    return bool(others) and code - others[-1] >= max(_APART * (others[-1] - others[0]), 1)


def far_oftener(rows: int, others: int) -> bool:
    """Whether a number of so many rows is far more frequent than one of others."""
    return rows >= _FAR_OFTENER * others


def _in_nines(value: float) -> bool:
    """Whether a whole number is all nines; of a million on also nines and zeros, such as 9990000 or 9.99e20."""
    if not value.is_integer() or value == 0:
        return False
    digits = f"{abs(value):.17g}" if abs(value) < 1e15 else f"{abs(value):.6e}".partition("e")[0].replace(".", "")
    significant = digits.rstrip("0") if abs(value) >= 1e6 else digits
    return set(significant) == {"9"} and (value < 0 or len(significant) > 1)


def _negative(often: Mapping[float, int]) -> list[float]:
    below = [level for level in often if level < 0]
    few = len(below) <= _CODES and len(below) < len(often) and all(level.is_integer() for level in below)
    if few and any(map(_in_nines, below)):
        return below
    if few and _are_spikes(below, often):
        return below
    lowest, *others = sorted(below) or [0.0]
    if not others or not _in_nines(lowest):
        return []
    often_enough = far_oftener(often[lowest], max(often[level] for level in others))
    return [lowest] if others[0] > _FAR * lowest or often_enough else []


def _are_spikes(below: list[float], often: Mapping[float, int]) -> bool:
    """Whether the only negative numbers are few, from -9 to -1, and each far more frequent than most others."""
    others = [count for level, count in often.items() if level >= 0]
    if not 0 < len(below) <= _SPIKES or min(below) < -9 or len(others) < _MANY:
        return False
    rows = sum(often[level] for level in below)
    usual = float(np.median(others))
    return rows >= _SHARE * sum(often.values()) and all(often[level] >= _OFTENER * usual for level in below)


def _positive(often: Mapping[float, int]) -> list[float]:
    last = max(often)
    if last <= 0 or not _in_nines(last):
        return []
    family = [level for level in often if level.is_integer() and last - 9 <= level <= last] if last > 99 else [last]
    others = sorted(level for level in often if level not in family)
    return family if far_beyond(min(family), others) else []
