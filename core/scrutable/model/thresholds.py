"""Thresholds of single-precision trees as the double thresholds that route every double the same way.

XGBoost asks float32(x) < t, scikit-learn's trees ask float32(x) <= t. Rounding to single precision is monotone, so
either set of doubles x is an initial piece of the number line, and one double says where it ends.
"""

from __future__ import annotations

import math
import struct

_LARGEST = 3.4028234663852886e38  # the largest finite single
_BEYOND = 2.0**128  # what the next single would be; doubles from the midpoint on round to infinity


def below(threshold: float) -> float:
    """The double T for which x < T exactly when float32(x) < threshold.

    Parameters
    ----------
    threshold : a single-precision number, infinities included.

    Examples
    --------
    >>> below(0.5)
    0.4999999850988388
    """
    if math.isinf(threshold):
        return -math.inf if threshold < 0 else _first_rounding_to_infinity()
    lower = _neighbour(threshold, -1)
    if math.isinf(lower):
        return math.nextafter(-_first_rounding_to_infinity(), math.inf)
    midpoint = (lower + threshold) / 2
    return midpoint if _single(midpoint) == threshold else math.nextafter(midpoint, math.inf)


def at_most(threshold: float) -> float:
    """The double T for which x <= T exactly when float32(x) <= threshold.

    Examples
    --------
    >>> at_most(0.5)
    0.5000000298023224
    """
    if math.isinf(threshold) and threshold > 0:
        return math.inf
    above = -_LARGEST if math.isinf(threshold) else _neighbour(threshold, 1)
    return math.nextafter(below(above), -math.inf)


def _first_rounding_to_infinity() -> float:
    return (_LARGEST + _BEYOND) / 2


def _single(value: float) -> float:
    number: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return number


def _neighbour(value: float, step: int) -> float:
    """The next single in the direction of `step`."""
    if value == 0:
        return step * 2.0**-149
    bits: int = struct.unpack("<i", struct.pack("<f", value))[0]
    towards_infinity = step if value > 0 else -step
    neighbour: float = struct.unpack("<f", struct.pack("<i", bits + towards_infinity))[0]
    return neighbour
