"""Checks of options."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from scrutable.errors import InputError


def check_whole(value: Any, where: str, least: int, most: float = np.inf) -> None:
    """Refuse what is no whole number in a range.

    >>> check_whole(3, "iterations", 0)
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        to = "" if most == np.inf else f" to {most:.0f}"
        raise InputError("unusable number", where=where, got=value, allowed=f"a whole number from {least}{to}")


def check_number(value: Any, where: str, allowed: str, *, low: float = 0.0, high: float = np.inf) -> None:
    """Refuse what is no finite number from `low` to `high`, said in `allowed`.

    >>> check_number(0.5, "penalty", "0 or more")
    """
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or not np.isfinite(float(value)) or not low <= value <= high:
        raise InputError("unusable number", where=where, got=value, allowed=allowed)
