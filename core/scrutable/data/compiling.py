"""Loops as machine code, where an extra brings numba; the core works without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

#: No way in from C, which nobody takes and which takes long to make.
_OPTIONS: dict[str, Any] = {"no_cfunc_wrapper": True}
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, **options: Any) -> Function:
    """The function as machine code, made at its first call and kept beside its file.

    Parameters
    ----------
    options : further ones of `numba.njit`.
    """
    import numba

    options = _OPTIONS | options
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # there is no place to keep it
        return cast(Function, numba.njit(**options)(function))


def compiled_part(function: Function) -> Function:
    """A function that compiled ones call, made machine code as part of theirs; called from Python, it runs as Python.

    One that is `compiled` itself takes longer to make: numba makes a version for every literal argument,
    each with a way in from Python, and keeps them all, though nothing but the code of their callers is ever loaded.
    """
    from numba.extending import register_jitable

    part: Function = register_jitable(**_OPTIONS)(function)
    return part
