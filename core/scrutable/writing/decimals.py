"""Numbers for people: as few decimals as it takes to tell them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable

#: Points are multiples of 2^-30, which so many decimals tell apart.
_MOST = 10
#: Decimals of points of which none are declared.
_USUAL = 4


def decimals_apart(numbers: Iterable[float], least: int = 1) -> int:
    """The fewest decimals, at least so many, with which different numbers read differently.

    A score just below a cutoff must not be shown as the cutoff. Where all numbers lie close together, two digits of
    their range are shown.

    >>> decimals_apart([571.2, 600]), decimals_apart([571.2, 599.96, 600]), decimals_apart([0.25, 0.5])
    (1, 2, 2)
    """
    finite = {number for number in numbers if math.isfinite(number)}
    spread = max(finite, default=0.0) - min(finite, default=0.0)
    if spread > 0:
        least = min(max(least, 1 - math.floor(math.log10(spread))), _MOST)
    enough = (n for n in range(least, _MOST) if len({f"{number:.{n}f}" for number in finite}) == len(finite))
    return next(enough, _MOST)


def decimal(number: float, decimals: int, *, sign: bool = False) -> str:
    """A number with at most so many decimals, without zeros at their end.

    >>> decimal(1200.0, 1), decimal(-0.001, 1), decimal(18.25, 2, sign=True)
    ('1,200', '0', '+18.25')
    """
    text = f"{number:{'+' if sign else ''},.{decimals}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short in ("-0", "+0") else short


def points_in_words(points: float, decimals: int | None = None, *, sign: bool = False) -> str:
    """Points or a score for people: with the decimals that are declared, or six digits where none are.

    Points are held as multiples of 2^-30, which is not for people to see.

    Parameters
    ----------
    decimals : those of the scaling.

    Examples
    --------
    >>> points_in_words(-0.0020000003278255463, 3, sign=True), points_in_words(1234.5669999998063, 3)
    ('-0.002', '1234.567')
    >>> points_in_words(12.123456, sign=True), points_in_words(-2**-30, 2, sign=True)
    ('+12.1235', '+0')
    """
    marked = "+" if sign else ""
    if decimals is None:
        return f"{round(points, _USUAL) + 0.0:{marked}g}"
    text = f"{round(points, decimals) + 0.0:{marked}.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def number(value: float) -> str:
    """The shortest text that reads back as this double, without a needless '.0'."""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else repr(value)
