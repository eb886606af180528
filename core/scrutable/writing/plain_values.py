"""Measurements as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any


def plain(value: Any) -> Any:
    """Tuples become lists, NaN, which JSON cannot hold, becomes None, and what has `to_dict` becomes what that says.

    >>> plain({"ratio": (0.5, float("nan"))})
    {'ratio': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def plain_fields(whole: Any, *, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass by name, as `plain` values.

    >>> from dataclasses import make_dataclass
    >>> plain_fields(make_dataclass("Rate", ["value", "ends", "kind"])(0.5, (0.4, float("nan")), 1), without=["kind"])
    {'value': 0.5, 'ends': [0.4, None]}
    """
    return {each.name: plain(getattr(whole, each.name)) for each in fields(whole) if each.name not in without}
