"""Folders for what has no name yet: gone in the end, and those of runs that were killed by the next run."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.locks import take
from scrutable.stopping import held

_NAME, _END = "scrutable-", ".tmp"
_LOCK, _FILES = "lock", "files"


class LeftBehindWarning(ScrutableWarning):
    """What a run that was killed had begun to write was removed."""


@contextmanager
def temporary_folder(beside: Path | None = None) -> Iterator[Path]:
    """A new folder that only this user can look into, gone at the end.

    Whoever makes one removes those that killed runs left at the same place, and says so. That a run goes on is told by
    a lock that its process holds.

    Parameters
    ----------
    beside : the folder that it is made in, hidden; that of the system for temporary files if None.

    Raises
    ------
    OSError : it cannot be made.

    Examples
    --------
    >>> with temporary_folder() as folder:
    ...     file = folder / "rows.csv"
    ...     _ = file.write_text("paid")
    >>> file.exists()
    False
    """
    home = Path(tempfile.gettempdir()) if beside is None else beside
    start = _NAME if beside is None else f".{_NAME}"
    _sweep(home, start)
    with ExitStack() as end:
        with held():
            folder, claim = _claimed(home, start)
            end.enter_context(claim)
        (folder / _FILES).mkdir(mode=0o700)
        yield folder / _FILES


def _claimed(home: Path, start: str) -> tuple[Path, ExitStack]:
    """A new folder, locked, and what removes it; before it is locked, another run may take it for left behind."""
    while True:
        folder = home / f"{start}{secrets.token_hex(8)}{_END}"
        folder.mkdir(mode=0o700)
        with suppress(FileNotFoundError), ExitStack() as claim:
            lock = claim.enter_context(open(folder / _LOCK, "xb"))
            take(lock)
            if os.fstat(lock.fileno()).st_nlink:
                claim.callback(_remove, folder)
                return folder, claim.pop_all()


def _sweep(home: Path, start: str) -> None:
    swept = 0
    with suppress(OSError):  # a folder that can be written to and not read
        swept = sum(_swept(home / name) for name in os.listdir(home) if name.startswith(start) and name.endswith(_END))
    if swept:
        runs = "a run that was" if swept == 1 else f"{swept} runs that were"
        warn_caller(f"removed the unfinished files that {runs} killed had left in {str(home)!r}", LeftBehindWarning)


def _swept(folder: Path) -> bool:
    """Whether a folder was left behind, and is gone now."""
    try:
        with open(folder / _LOCK, "r+b") as lock:
            if take(lock, wait=False):
                _remove(folder)
    except OSError:  # another user's, or its lock is gone, or not there yet
        with suppress(OSError):
            folder.rmdir()
    return not folder.exists()


def _remove(folder: Path) -> None:
    """Remove a folder, its lock last, so that what cannot be removed now is swept later."""
    with held():
        shutil.rmtree(folder / _FILES, ignore_errors=True)
        if not (folder / _FILES).exists():
            with suppress(OSError):
                os.unlink(folder / _LOCK)
                folder.rmdir()
