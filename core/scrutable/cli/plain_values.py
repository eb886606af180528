"""Values of options that are taken as they are typed, so that Typer does not import what checks values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, get_args, get_origin

from typer.core import TyperCommand

#: Stands for a value that is to be checked.
_TO_CHECK = object()
#: Digits of the longest whole number that is taken as it is typed.
_DIGITS = 18


class PlainCommand(TyperCommand):
    """A command that has values checked only where there is something to check."""

    def get_params(self, ctx: Any) -> list[Any]:
        return taking_plain_values(super().get_params(ctx))


def taking_plain_values(params: list[Any]) -> list[Any]:
    """Parameters of Typer, none of which has plain values checked.

    Typer leaves that to pydantic, whose import takes longer than all else that a command does to start.
    """
    for each in params:
        checking = getattr(each, "get_runtime_param", None)  # older releases of Typer check values themselves
        if checking is not None and not isinstance(checking, _Taking):
            each.get_runtime_param = _Taking(checking, each.type_descriptor)
    return params


class _Taking:
    """What makes the value of a parameter: of a plain one itself, of others by what checks them."""

    def __init__(self, checking: Any, kind: Any) -> None:
        self._checking, self._kind = checking, kind

    def __call__(self) -> _Taking:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        taken = _taken(value, self._kind.annotation, self._kind.parameter_info)
        return self._checking().coerce(value, param=param, ctx=ctx) if taken is _TO_CHECK else taken


def _taken(value: Any, kind: Any, asked: Any) -> Any:
    """The value that a text, a path, a whole number or a list of them stands for.

    Parameters
    ----------
    kind : the type of the parameter.
    asked : what else is asked of the value, as `typer.Option` keeps it.
    """
    if asked.parser is not None:
        return _TO_CHECK
    if get_origin(kind) is list and isinstance(value, list | tuple):
        parts = [_taken(each, get_args(kind)[0], asked) for each in value]
        return _TO_CHECK if any(each is _TO_CHECK for each in parts) else parts
    if kind is str and isinstance(value, str):
        return value
    if kind is Path and isinstance(value, str) and _passes(value, asked):
        return Path(value)
    if kind is int and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        value = int(value)
    return value if kind is type(value) and kind in (int, float) and _within(value, asked) else _TO_CHECK


def _passes(path: str, asked: Any) -> bool:
    """Whether nothing is to be said of a path: it can be read, or is not there and need not be."""
    if asked.allow_dash or asked.path_type or asked.resolve_path or asked.writable:
        return False
    if not os.path.exists(path):
        return not asked.exists
    return asked.file_okay and asked.dir_okay and os.access(path, os.R_OK)


def _within(number: float, asked: Any) -> bool:
    """Whether a number keeps the bounds that there may be."""
    return (asked.min is None or number >= asked.min) and (asked.max is None or number <= asked.max)
