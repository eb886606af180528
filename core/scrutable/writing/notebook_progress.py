"""How far a long call is, told in a notebook: one line that changes, and goes at the end."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from scrutable.writing.visible_text import visible

T = TypeVar("T")


@contextmanager
def told_in_notebooks(on: str) -> Iterator[Callable[[str], None]]:
    """Say in a notebook what is going on, for as long as it does; what is yielded says it anew. Elsewhere it is silent.

    Examples
    --------
    >>> with told_in_notebooks("Searching") as say:
    ...     say("Searching: 3 candidates")
    """
    display = _display()
    if display is None:
        yield lambda _: None
        return
    handle = display(_plain(on), raw=True, display_id=True)
    try:
        yield lambda text: handle.update(_plain(text), raw=True)
    finally:
        handle.update({"text/plain": ""}, raw=True)


def tracked_in_notebooks(items: Iterable[T], total: int, on: str = "Reading") -> Iterator[T]:
    """The items as they come, with a line in a notebook of how many there are yet to come.

    Parameters
    ----------
    total : about how many there are.

    Examples
    --------
    >>> list(tracked_in_notebooks("ab", 2))
    ['a', 'b']
    """
    with told_in_notebooks(on) as say:
        for number, item in enumerate(items, 1):
            say(f"{on}: {number:,} of {max(number, total):,}")
            yield item


def _plain(text: str) -> dict[str, str]:
    """A text that notebooks show as it is, and never as markup."""
    return {"text/plain": f"{visible(text)} …"}


def _display() -> Any:
    """IPython's function that shows something, where a notebook is there to show it; IPython is never imported anew."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    return importlib.import_module("IPython.display").display
