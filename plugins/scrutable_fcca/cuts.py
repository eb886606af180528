"""Short decimals between neighbouring values."""

from __future__ import annotations

import math
from fractions import Fraction


def short_cut(low: float, high: float) -> float:
    """A double c with low < c <= high: the one with the fewest decimal places, and of these the nearest to the middle.

    Parameters
    ----------
    low, high : finite neighbouring values, low < high.

    Examples
    --------
    >>> short_cut(39.0, 42.5), short_cut(0.1, 0.2), short_cut(0.123, 0.1234), short_cut(-3.0, 7.0)
    (40.0, 0.2, 0.1232, 0.0)
    """
    below, above = Fraction(repr(float(low))), Fraction(repr(float(high)))  # the decimals that people write
    middle = (below + above) / 2
    largest = max(abs(low), abs(high))
    exponent = math.floor(math.log10(largest)) + 1
    while True:
        step = Fraction(10) ** exponent
        least, most = math.floor(below / step) + 1, math.floor(above / step)
        if least <= most:
            cut = float(min(max(round(middle / step), least), most) * step)
            if cut > low:  # else the decimal has no double of its own
                return cut
        if step < Fraction(math.ulp(largest)):
            return high
        exponent -= 1
