"""Cuts that people can read: the shortest decimal that decides the same on the rows that a cut was found on.

A binner may cut at the double next to 0.79048, or in the middle between two values; its digits say nothing about the
rows. A cut is shortened once, where it is found, so that tables, files of edits, audit trails, models and documents
hold one and the same number. Cuts by hand, of imported tables and of boosters stay as they are, since these decide on
more than the rows. All are spelled alike, by the limits of the whole characteristic (`model.limits`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import PluginError
from scrutable.writing.decimals import number

Floats = NDArray[np.float64]

#: Significant digits of a cut that is left as it is.
SHORT = 12
_ALL = 17


def shortest_between(low: float, high: float, near: float) -> float:
    """The decimal of fewest significant digits that is above `low` and not above `high`; of several the closest one.

    Parameters
    ----------
    low, high : finite, low < high.
    near : a number in between; what is closest to it is taken, and itself where nothing is shorter.

    Examples
    --------
    >>> shortest_between(0.79048, 0.7952, 0.7904800000000001), shortest_between(1234.5, 1260.0, 1250.0)
    (0.791, 1250.0)
    >>> shortest_between(-0.3, 0.1, -0.1)
    0.0
    """
    if low < 0 <= high:
        return 0.0
    for digits in range(1, _ALL):
        step = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - digits + 1)
        if step == 0:
            break  # numbers next to 0, of which doubles do not hold more digits
        around = math.floor(near / step)
        decimals = [float(f"{multiple * step:.{digits}g}") for multiple in (around - 1, around, around + 1, around + 2)]
        inside = [each for each in decimals if low < each <= high]
        if inside:
            return min(inside, key=lambda each: (abs(each - near), each))
    return near


def shortened(cuts: Sequence[float], low: Floats, high: Floats) -> list[float]:
    """Rising cuts, those of many digits as the shortest decimals that part these values alike.

    Parameters
    ----------
    cuts : rising, each opens the interval above it.
    low, high : (k,) the ends of the feature's different values, or of buckets of them, rising by `low`.

    Examples
    --------
    >>> values = np.array([0.1, 0.5, 0.79048, 0.7952, 1.0])
    >>> shortened([0.2, 0.7904800000000001], values, values)
    [0.2, 0.791]
    >>> shortened([0.51234567890123, 0.6, 0.61234567890123], values, values)  # all part the same
    [0.6]
    """
    if all(map(_is_short, cuts)):
        return list(cuts)
    finite = np.isfinite(low) & np.isfinite(high)
    low, high = low[finite], np.maximum.accumulate(high[finite])  # a code may lie within a bucket
    alike: dict[int, list[float]] = {}
    for cut in cuts:
        alike.setdefault(int(np.searchsorted(low, cut, side="left")), []).append(cut)
    return [cut for at, between in alike.items() for cut in _shortest(between, low, high, at)]


def _shortest(cuts: list[float], low: Floats, high: Floats, at: int) -> list[float]:
    """The short ones of cuts below the level at a position and above the one before, or else one in their place."""
    if not 0 < at < len(low) or min(cuts) <= high[at - 1]:
        return cuts  # they part nothing, or a bucket
    return list(filter(_is_short, cuts)) or [shortest_between(float(high[at - 1]), float(low[at]), cuts[0])]


def _is_short(cut: float) -> bool:
    digits = number(cut).partition("e")[0].strip("-").replace(".", "").strip("0")
    return len(digits) <= SHORT


def usable(cuts: Sequence[float], where: str) -> list[float]:
    """The cuts of a binner, finite: one at infinity opens at the largest double, and one at -infinity parts nothing.

    Raises
    ------
    PluginError : they are no list of numbers.

    >>> usable([-np.inf, 2, np.inf], "find_cuts")
    [2.0, 1.7976931348623157e+308]
    """
    if not isinstance(cuts, Sequence | np.ndarray) or not all(isinstance(cut, Real) and cut == cut for cut in cuts):
        raise PluginError(
            "find_cuts must return a list of numbers", where=where, got=cuts, allowed="finite or infinite ones"
        )
    return [min(float(cut), sys.float_info.max) for cut in cuts if cut > -np.inf]
