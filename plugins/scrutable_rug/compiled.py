"""Loops as machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function as machine code, made at its first call and kept beside its file."""
    try:
        return cast(Function, numba.njit(cache=True)(function))
    except RuntimeError:  # there is no place to keep it
        return cast(Function, numba.njit(function))
