"""Folders for what has no name yet: gone in the end, and those of runs that were killed by the next run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.locks import folders_locked, take
from scrutable.writing.manifest import is_decided, take_names
from scrutable.writing.stopping import held

_NAME, _END = "scrutable-", ".tmp"
_LOCK, _FILES = "lock", "files"
#: When a folder was last changed in which nothing was to be completed.
_COMPLETE: dict[str, int | None] = {}


class LeftBehindWarning(ScrutableWarning):
    """What a run that was killed had begun to write was removed, or took its names."""


@dataclass(frozen=True)
class _Left:
    """What became of a folder that may have been left behind."""

    removed: bool = False
    named: int = 0
    refused: tuple[str, ...] = ()


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
    import tempfile

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
    import secrets

    while True:
        folder = home / f"{start}{secrets.token_hex(8)}{_END}"
        folder.mkdir(mode=0o700)
        with suppress(FileNotFoundError), ExitStack() as claim:
            lock = claim.enter_context(_new_lock(folder))
            take(lock)
            if os.fstat(lock.fileno()).st_nlink:
                claim.callback(_remove, folder)
                return folder, claim.pop_all()


def _new_lock(folder: Path) -> IO[bytes]:
    """A new lock in a new folder, which goes where a full disk has no room for it."""
    try:
        return open(folder / _LOCK, "xb")
    except OSError:
        _rmdir(folder)
        raise


def complete(home: Path) -> None:
    """Let files of runs that were killed take their names in a folder, where that was decided, and say so.

    Of a run whose files take their names now it waits for the end.
    """
    changed = _changed(home)
    if changed is None or _COMPLETE.get(str(home)) != changed:
        _sweep(home, f".{_NAME}", only_decided=True)
        _COMPLETE[str(home)] = changed


def _changed(home: Path) -> int | None:
    with suppress(OSError):
        return home.stat().st_mtime_ns
    return None


def _sweep(home: Path, start: str, *, only_decided: bool = False) -> None:
    names: list[str] = []
    with suppress(OSError):  # a folder that can be written to and not read
        names = [name for name in os.listdir(home) if name.startswith(start) and name.endswith(_END)]
    if only_decided:
        names = [name for name in names if is_decided(home / name / _FILES)]
        with folders_locked([home] if names else []):
            pass
    left = [_swept(home / name) for name in names]
    removed, named = sum(each.removed and not each.named for each in left), sum(each.named for each in left)
    refused = sorted({name for each in left for name in each.refused})
    if removed:
        runs = "a run that was" if removed == 1 else f"{removed} runs that were"
        warn_caller(f"removed the unfinished files that {runs} killed had left in {str(home)!r}", LeftBehindWarning)
    if named:
        rest = "the last file" if named == 1 else f"the last {named} files"
        said = f"wrote {rest} of a run that was killed while its files took their names in {str(home)!r}"
        warn_caller(said, LeftBehindWarning)
    if refused:
        said = f"files of a run that was killed cannot take their names in {str(home)!r}: {', '.join(refused)}"
        warn_caller(f"{said}; they are of another run than those beside them", LeftBehindWarning)


def _swept(folder: Path) -> _Left:
    """Finish or remove a folder that was left behind; not one that is in use, or another user's."""
    left = _Left()
    try:
        if hasattr(os, "getuid") and folder.lstat().st_uid != os.getuid():
            return left
        with open(folder / _LOCK, "r+b") as lock:
            if take(lock, wait=False) and os.fstat(lock.fileno()).st_nlink:
                with held(), folders_locked([folder.parent]):
                    named, refused = take_names(folder / _FILES)
                if not refused:
                    _remove(folder)
                left = _Left(removed=not folder.exists(), named=named, refused=tuple(refused))
    except OSError:  # its lock is gone, or not there yet
        _rmdir(folder)
    return left


def _remove(folder: Path) -> None:
    """Remove a folder, its lock last, so that what cannot be removed now is swept later."""
    import shutil

    with held():
        shutil.rmtree(folder / _FILES, ignore_errors=True)
        if not (folder / _FILES).exists():
            with suppress(OSError):
                os.unlink(folder / _LOCK)
                folder.rmdir()


def _rmdir(folder: Path) -> None:
    """Remove a folder that is there and empty."""
    with suppress(OSError):
        folder.rmdir()
