"""Loops as machine code, for plugins whose extra brings numba; nothing else of the core needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function as machine code, made at its first call and kept beside its file."""
    import numba

    try:
        return cast(Function, numba.njit(cache=True)(function))
    except RuntimeError:  # there is no place to keep it
        return cast(Function, numba.njit(function))
