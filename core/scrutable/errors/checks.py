"""Checks of options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

from scrutable.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "as_options",
    "check_choice",
    "check_mapping",
    "check_number",
    "check_whole",
    "options_or_default",
]

Options = TypeVar("Options", bound="DataclassInstance")


def check_whole(value: Any, where: str, least: int, most: float = math.inf) -> None:
    """Refuse what is no whole number in a range.

    >>> check_whole(3, "iterations", 0)
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        to = "" if most == math.inf else f" to {most:.0f}"
        raise InputError("unusable number", where=where, got=value, allowed=f"a whole number from {least}{to}")


def check_number(value: Any, where: str, allowed: str, *, low: float = 0.0, high: float = math.inf) -> None:
    """Refuse what is no finite number from `low` to `high`, said in `allowed`.

    >>> check_number(0.5, "penalty", "0 or more")
    """
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or not is_finite(value) or not low <= value <= high:
        raise InputError("unusable number", where=where, got=value, allowed=allowed)


def check_choice(value: str, allowed: tuple[str, ...], where: str) -> None:
    """Refuse a word that is not one of the allowed ones.

    >>> check_choice("events", ("events", "all"), "rows")
    """
    if value not in allowed:
        words = " or ".join(map(repr, allowed))
        raise InputError("unknown choice", where=where, got=value, allowed=words, fix=f"use {words}")


def is_finite(value: Any) -> bool:
    """Whether a double can hold a number, and it is neither infinite nor undefined.

    >>> is_finite(2), is_finite(10**400)
    (True, False)
    """
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def check_mapping(value: Any, where: str, example: str) -> None:
    """Refuse what is no mapping from names.

    >>> check_mapping({"age": "ascending"}, "trends", "{'age': 'ascending'}")
    """
    if not isinstance(value, Mapping):
        raise InputError("expected a mapping", where=where, got=value, allowed=f"for example {example}, or None")
    for key in value:
        if not isinstance(key, str):
            raise InputError("expected a name", where=where, got=key, allowed=f"for example {example}")


def as_options(value: Any, cls: type[Options], where: str) -> Options | None:
    """Options as they are, or made from a mapping with fields of their dataclass; None stays None.

    >>> from scrutable.model import Scaling
    >>> as_options({"pdo": 40}, Scaling, "scaling")
    Scaling(pdo=40.0, base_score=600.0, base_odds=50.0, decimals=None)
    """
    if value is None or isinstance(value, cls):
        return value
    names = [field.name for field in fields(cls)]
    if not isinstance(value, Mapping):
        allowed = f"{cls.__name__}(...), a mapping with {', '.join(names)}, or None"
        raise InputError("expected options", where=where, got=value, allowed=allowed)
    for name in value:
        if name not in names:
            raise InputError("unknown option", where=where, got=name, fix=did_you_mean(name, names))
    return cls(**value)


def options_or_default(value: Any, cls: type[Options], where: str) -> Options:
    """Options as `as_options` reads them, or those by default for None.

    >>> from scrutable.model import Scaling
    >>> options_or_default(None, Scaling, "scaling").pdo
    20.0
    """
    options = as_options(value, cls, where)
    return cls() if options is None else options
