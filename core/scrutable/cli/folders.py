"""Folders that commands write to: one that a command makes goes again if nothing was written to it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from scrutable.writing.files import AnyPath, make_folder

_MADE: ContextVar[list[Path] | None] = ContextVar("folders made", default=None)


def output_folder(path: AnyPath) -> Path:
    """The folder, made if it is not there; within `tidied` it goes again if it is still empty at the end.

    Raises
    ------
    InputError : as of `make_folder`.
    """
    there = os.path.isdir(path)
    folder = make_folder(path)
    made = _MADE.get()
    if made is not None and not there:
        made.append(folder)
    return folder


@contextlib.contextmanager
def tidied() -> Iterator[None]:
    """Within this, folders that are made and left empty are removed at the end."""
    made: list[Path] = []
    token = _MADE.set(made)
    try:
        yield
    finally:
        _MADE.reset(token)
        for folder in made:
            with contextlib.suppress(OSError):  # it holds files
                os.rmdir(os.path.realpath(folder))
