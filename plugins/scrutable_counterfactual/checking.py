"""Options as users write them: what they must be, and what is said where they are something else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from scrutable.errors import InputError


def number(value: Any, where: str) -> float:
    """A number that is not NaN; infinities are numbers.

    >>> number(3, "here")
    3.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError("expected a number", where=where, got=value)
    try:
        double = float(value)
    except OverflowError:
        double = math.nan
    if math.isnan(double):
        raise InputError("expected a number", where=where, got=value, allowed="what a double can hold")
    return double


def flag(value: Any, where: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise InputError("expected true or false", where=where, got=value)
    return value


def listed(value: Any, where: str) -> tuple[Any, ...]:
    """A list of any things, which a text is not."""
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence | set | frozenset):
        fix = f"[{value!r}]" if isinstance(value, str) else "give a list"
        raise InputError("expected a list", where=where, got=value, fix=fix)
    return tuple(value)


def names(value: Any, where: str) -> tuple[str, ...]:
    """A list of texts, none of them twice.

    >>> names(["age", "job"], "here")
    ('age', 'job')
    """
    texts = listed(value, where)
    if not all(isinstance(name, str) for name in texts) or len(set(texts)) < len(texts):
        raise InputError("expected texts, each once", where=where, got=list(texts))
    return texts
