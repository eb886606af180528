"""Locks on files, which the system takes back when their process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def take(file: IO[Any], *, wait: bool = True) -> bool:
    """Lock an open file until it is closed; whether it is locked now.

    It is not where somebody else has locked it and `wait` is False, nor on a file system without locks.

    Parameters
    ----------
    file : open for writing.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """A block that one process or thread at a time is in, for a file that is replaced by another of its name.

    Raises
    ------
    OSError : the file is not there, or cannot be written.
    """
    while True:
        with open(path, "r+b") as file:
            take(file)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):  # else it was replaced meanwhile
                yield
                return
