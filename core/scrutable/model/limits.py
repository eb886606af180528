"""How the limits of intervals on one feature are spelled: all of them alike, by the short decimals that people read.

A limit is a double and whether it belongs itself to what is below it: `<= 2.5` ends at (2.5, True), `< 2.5` at
(2.5, False). Of limits that are all next above a short decimal people read `<=` and `>` of these decimals.
Otherwise the limits stand as they are, so that one feature never has intervals of two kinds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

Limit = tuple[float, bool]

#: Doubles between a limit and the short decimal that people read for it.
_NEAR = 4
_DIGITS = 12
#: LightGBM's zero: it takes numbers up to this far from 0, the single nearest to 1e-35, for 0.
_ZERO = 1.0000000180025095e-35


def spelled_alike(limits: Iterable[Limit]) -> Mapping[Limit, Limit]:
    """The limit that people read for each of the finite limits of one feature.

    >>> spelled_alike([(0.30000000000000004, False), (2.5, True)])
    {(0.30000000000000004, False): (0.3, True), (2.5, True): (2.5, True)}
    >>> spelled_alike([(0.2, False), (0.30000000000000004, False)])
    {(0.2, False): (0.2, False), (0.30000000000000004, False): (0.30000000000000004, False)}
    >>> spelled_alike([(2.5, False), (2.5, True)])  # nothing but the limits as they are tells these apart
    {}
    """
    spellings: tuple[Callable[[float, bool], Limit | None], ...] = (_behind, _around_zero, _before)
    ends = [limit for limit in dict.fromkeys(limits) if math.isfinite(limit[0])]
    for spell in spellings:
        spelled = {end: told for end in ends if (told := spell(*end)) is not None}
        if len(spelled) == len(ends) and len(set(spelled.values())) == len({value for value, _ in ends}):
            return spelled
    return {}


def decimal_below(limit: float) -> float | None:
    """The short decimal that a number is next above; None if there is none.

    >>> decimal_below(0.1 * 3), decimal_below(0.3)
    (0.3, None)
    """
    near, side = _short(limit)
    return near if side > 0 else None


def _behind(limit: float, below: bool) -> Limit | None:
    """By `<=` and `>`; None for what they cannot say shortly."""
    near, side = _short(limit)
    if side > 0:
        return near, True
    return (limit, True) if below and side == 0 else None


def _around_zero(limit: float, below: bool) -> Limit | None:
    """By `<=` and `>`, but for the lower end of LightGBM's zero."""
    return (0.0, False) if _short(limit) == (0.0, -1) else _behind(limit, below)


def _before(limit: float, below: bool) -> Limit | None:
    """By `<` and `>=`; None for what they cannot say shortly."""
    near, side = _short(limit)
    if side < 0 and (below or near == 0):
        return near, False
    return None if below else (limit, False)


def _short(limit: float) -> tuple[float, int]:
    """The number that people read for a limit, and on which side of it the limit is: -1 below, 1 above, 0 at it."""
    near = float(f"{limit:.{_DIGITS}g}") if math.isfinite(limit) and not limit.is_integer() else limit
    if abs(abs(limit) - _ZERO) <= _NEAR * math.ulp(_ZERO):
        return 0.0, 1 if limit > 0 else -1
    if limit == near or abs(limit - near) > _NEAR * math.ulp(near):
        return limit, 0
    return near, 1 if limit > near else -1
