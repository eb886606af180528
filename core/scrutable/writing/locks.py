"""Locks on files, which the system takes back when their process ends, however it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # a module elsewhere


def take(file: IO[Any], *, wait: bool = True) -> bool:
    """Lock an open file until it is closed; whether it is locked now.

    It is not where somebody else has locked it and `wait` is False, nor on a file system without locks.

    Parameters
    ----------
    file : open for writing, which file systems of a network ask for.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def locked(path: str | os.PathLike[str]) -> AbstractContextManager[object]:
    """A block that one process or thread at a time is in, for a file that is replaced by another of its name.

    Where there is no file yet, any number are in it: whoever makes the file must be ready to find it made.

    Examples
    --------
    >>> with locked("no such file"):
    ...     print("nobody waits")
    nobody waits
    """
    while os.path.exists(path):
        with suppress(FileNotFoundError), ExitStack() as lock:
            file = lock.enter_context(open(path, "r+b" if os.access(path, os.W_OK) else "rb"))
            take(file)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):  # else it was replaced meanwhile
                return lock.pop_all()
    return nullcontext()


@contextmanager
def folders_locked(folders: Iterable[str | os.PathLike[str]]) -> Iterator[None]:
    """A block that one process or thread at a time is in for each of these folders, for names that change together.

    Whoever waits longer than ten seconds goes on: a process that was stopped holds nobody up.
    """
    with ExitStack() as locks:
        for folder in sorted({os.path.realpath(folder) for folder in folders}):
            with suppress(OSError):  # a folder that cannot be opened, which whoever writes there is told
                opened = os.open(folder, os.O_RDONLY)
                locks.callback(os.close, opened)
                _take_in_time(opened)
        yield


def _take_in_time(opened: int) -> None:
    if fcntl is None:
        return
    for _ in range(1000):
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.01)
