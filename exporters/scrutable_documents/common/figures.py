"""Numbers as a document writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scrutable.writing import in_digits

#: Where all points are smaller, as in log-odds, two decimals would not tell them apart.
_SMALL = 10.0


def plain(value: float, digits: int = 6) -> str:
    """A number with so many digits that count.

    >>> plain(487.1228762), plain(0.25), plain(2255000.0), plain(float("nan"))
    ('487.123', '0.25', '2,255,000', 'undefined')
    """
    return "undefined" if math.isnan(value) else in_digits(value, digits)


def points(value: float, beside: Sequence[float] = (), scale: float = 0.0) -> str:
    """Points, or a score: without decimals if they are whole, else with two, and with four digits where all are small.

    Parameters
    ----------
    beside : points in the same column, told in the same way.
    scale : the largest points of the model; see `largest`.

    Examples
    --------
    >>> points(-12.345), points(20.0), points(20.0, [12.5]), points(0.0123456), points(0.5, scale=40.0)
    ('-12.35', '20', '20.00', '0.01235', '0.50')
    """
    every = [value, *beside]
    if all(each.is_integer() for each in every):
        return f"{value:,.0f}"
    return plain(value, 4) if max(scale, largest(every)) < _SMALL else f"{value:,.2f}"


def largest(values: Sequence[float]) -> float:
    """The largest size among points, 0 where there are none.

    >>> largest([-12.5, 3.0]), largest([])
    (12.5, 0.0)
    """
    return max(map(abs, values), default=0.0)


def count(value: float) -> str:
    """A number of rows, or their weight.

    >>> count(12345.0), count(0.5)
    ('12,345', '0.5')
    """
    return _short(f"{value:,.2f}")


def percent(share: float) -> str:
    """A share in per cent.

    >>> percent(0.1234)
    '12.3%'
    """
    return "undefined" if math.isnan(share) else f"{share:.1%}"


def decimals(value: float, digits: int = 3) -> str:
    """A number with a fixed number of decimals.

    >>> decimals(0.12345), decimals(float("inf"))
    ('0.123', 'infinite')
    """
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.{digits}f}"


def interval(value: float, ends: Sequence[float | None] | None) -> str:
    r"""A number with its interval in brackets, on one line; without one where there is none, NaN or None in JSON.

    >>> interval(0.75, (0.7, 0.8)), interval(0.75, (math.nan, math.nan))
    ('0.750 [0.700,\xa00.800]', '0.750')
    """
    known = [end for end in ends or () if end is not None and not math.isnan(end)]
    if math.isnan(value) or len(known) < 2:
        return decimals(value)
    return f"{decimals(value)} [{decimals(known[0])},\u00a0{decimals(known[1])}]"


def _short(text: str) -> str:
    short = text.rstrip("0").rstrip(".")
    return "0" if short in ("-0", "") else short
