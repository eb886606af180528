"""Figures as the commands write them, and what stands where one is undefined."""

from __future__ import annotations

import math

from scrutable.measures import Interval
from scrutable.writing import in_digits

UNDEFINED = "undefined"


def percent(share: float, decimals: int = 1, undefined: str = UNDEFINED) -> str:
    """A share.

    >>> percent(0.256), percent(0.25614, 2), percent(float("nan")), percent(float("nan"), undefined="-")
    ('25.6%', '25.61%', 'undefined', '-')
    """
    return undefined if share != share else f"{share:.{decimals}%}"


def figure(value: float, decimals: int | None = None) -> str:
    """A number with so many decimals, or six digits; a dash where it is undefined.

    >>> figure(1234.5), figure(0.5, 3), figure(float("nan"))
    ('1,234.5', '0.500', '-')
    """
    if value != value:
        return "-"
    return in_digits(value) if decimals is None else f"{value:,.{decimals}f}"


def between(interval: Interval | None, form: str = ".3f") -> str:
    """The ends of an interval in brackets; empty where it has none.

    >>> between((0.25, 0.5)), between((0.25, 0.5), ".1%"), between(None)
    ('[0.250, 0.500]', '[25.0%, 50.0%]', '')
    """
    if interval is None or any(map(math.isnan, interval)):
        return ""
    return f"[{interval[0]:{form}}, {interval[1]:{form}}]"


def with_interval(value: float, interval: Interval | None) -> str:
    """A figure with its interval, as far as they are defined.

    >>> with_interval(0.5, (0.25, 0.75)), with_interval(0.5, None), with_interval(float("nan"), None)
    ('0.500 [0.250, 0.750]', '0.500', 'undefined')
    """
    return UNDEFINED if value != value else f"{value:.3f} {between(interval)}".rstrip()
