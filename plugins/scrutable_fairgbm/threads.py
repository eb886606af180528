"""How many threads a library with OpenMP may be asked for."""

from __future__ import annotations

import os

_FORKED = False


def _note_fork() -> None:
    global _FORKED
    _FORKED = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def threads(wanted: int) -> int:
    """The threads to ask a library for: as many as wanted, and one in a forked process.

    A fork has none of the threads that its parent has started, and GNU's OpenMP waits for them without end as soon as
    it is to use more than one. So no library is left to choose how many it takes.

    Parameters
    ----------
    wanted : at least 1.

    Examples
    --------
    >>> threads(4)
    4
    """
    return 1 if _FORKED else wanted
