"""Measurements as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """Tuples become lists, and NaN, which JSON cannot hold, becomes None.

    >>> plain({"ratio": (0.5, float("nan"))})
    {'ratio': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    return value
