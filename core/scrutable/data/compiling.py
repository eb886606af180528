"""Loops as machine code, where an extra brings numba; the core works without it.

Making machine code takes a second or more a loop, so loops that small data goes through in less run as Python there:
those that say how many steps a call takes. Both ways give the same bits.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar, overload

import numpy as np

#: No way in from C, which nobody takes and which takes long to make.
_OPTIONS: Any = {"no_cfunc_wrapper": True}
#: Steps that a loop takes as Python, in all calls, before it is made machine code: a quarter to half a second.
FEW_STEPS = 1_500_000
Function = TypeVar("Function", bound=Callable[..., Any])

_lock = threading.RLock()
#: What compiled code may call and has not been told of yet: the name it goes by there, and what is compiled for it.
_parts: list[tuple[Callable[..., Any], Callable[..., Any]]] = []


class Compiled:
    """A function that becomes machine code when that is first worth it; `compiled` makes it.

    Parameters
    ----------
    function : what is made machine code.
    steps : how many steps a call takes, about, from its arguments; None for a function that never runs as Python.
    small : what runs as Python, with the same results.
    options : of `numba.njit`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        steps: Callable[..., int] | None,
        small: Callable[..., Any],
        options: dict[str, Any],
    ) -> None:
        functools.update_wrapper(self, function)
        self._function, self._steps, self._small, self._options = function, steps, small, options
        self._taken, self._machine_code = 0, None

    def __call__(self, *given: Any) -> Any:
        if self._steps is not None and self._taken < FEW_STEPS:
            self._taken += self._steps(*given)
            if self._taken < FEW_STEPS:
                return self.as_python(*given)
        if self._small is not self._function and not _has_numba():
            return self.as_python(*given)
        return self.machine_code(*given)

    @property
    def runs_as_python(self) -> bool:
        """Whether it does so on small data."""
        return self._steps is not None

    def as_python(self, *given: Any) -> Any:
        """Call the function, or what stands for it on small data, as Python."""
        with np.errstate(all="ignore"):
            return self._small(*given)

    @property
    def machine_code(self) -> Any:
        """The function as numba's, which compiles it at its first call."""
        if self._machine_code is None:
            with _lock:
                self._machine_code = self._machine_code or _made(self._function, self._options)
        return self._machine_code

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this for where compiled code calls it."""
        return self.machine_code._numba_type_


@overload
def compiled(function: Function, /, **options: Any) -> Function: ...


@overload
def compiled(
    *, steps: Callable[..., int], small: Callable[..., Any] | None = None, **options: Any
) -> Callable[[Function], Function]: ...


def compiled(
    function: Any = None,
    /,
    *,
    steps: Callable[..., int] | None = None,
    small: Callable[..., Any] | None = None,
    **options: Any,
) -> Any:
    """The function as machine code, made when it is needed and kept beside its file; a decorator.

    Parameters
    ----------
    steps : how many steps a call takes, about, from the same arguments. While those of all calls are few, the function
        runs as Python. None for one that is machine code from the first call.
    small : what runs in its place as Python, such as the same in NumPy; the function itself if None. Both have to give
        the same bits: NumPy's sums do not (it adds in pairs), and of sorts stable ones alone. Without numba it runs
        on any data.
    options : further ones of `numba.njit`.

    Examples
    --------
    >>> @compiled(steps=len)
    ... def total(values):
    ...     whole = 0.0
    ...     for value in values:
    ...         whole += value
    ...     return whole
    >>> total([1.0, 2.0])
    3.0
    """
    if function is None:
        return functools.partial(compiled, steps=steps, small=small, **options)
    return Compiled(function, steps, small or function, options)


@overload
def compiled_part(function: Function, /) -> Function: ...


@overload
def compiled_part(*, small: Callable[..., Any]) -> Callable[[Function], Function]: ...


def compiled_part(function: Any = None, /, *, small: Callable[..., Any] | None = None) -> Any:
    """A function that compiled ones call, made machine code as part of theirs; called from Python, it runs as Python.

    One that is `compiled` itself takes longer to make: numba makes a version for every literal argument,
    each with a way in from Python, and keeps them all, though nothing but the code of their callers is ever loaded.

    Parameters
    ----------
    small : what runs as Python in its place, with parameters of the same names and the same results.
    """
    if function is None:
        return functools.partial(compiled_part, small=small)
    with _lock:
        _parts.append((small or function, function))
    return small or function


@functools.cache
def _has_numba() -> bool:
    return find_spec("numba") is not None


def _made(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """The function as numba's, which is told before of all parts that compiled code may call."""
    import numba

    while _parts:
        _tell(*_parts.pop())
    options = _OPTIONS | options
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # there is no place to keep it
        return numba.njit(**options)(function)


def _tell(called: Callable[..., Any], part: Callable[..., Any]) -> None:
    """Have numba compile the part where compiled code calls this."""
    from numba.extending import overload as replaced

    @replaced(called, jit_options=_OPTIONS, strict=False)
    def chosen(*types: Any, **named: Any) -> Callable[..., Any]:
        return part
