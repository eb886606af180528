"""Writing a new plugin: its whole folder, or nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scrutable.errors import InputError
from scrutable.plugins.registry import registry
from scrutable.testing.scaffold.names import Names, check_author
from scrutable.testing.scaffold.rendering import render
from scrutable.writing.files import AnyPath, make_folder, write_all
from scrutable.writing.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class NewPlugin:
    """A plugin that was written: what it is called, and its files in their folder."""

    names: Names
    folder: Path
    files: tuple[str, ...]


def new_plugin(names: Names, *, folder: AnyPath | None = None, author: str | None = None) -> NewPlugin:
    """Write an installable package with a small component that works, its tests, and all that a project has.

    Parameters
    ----------
    folder : a folder that is not there yet; the distribution's name in the current one when None.
    author : who holds the copyright; "The <distribution> developers" when None.

    Raises
    ------
    InputError : the name is taken, the author cannot be used, the folder exists or cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> made = new_plugin(Names("binner", "halves"), folder=Path(tempfile.mkdtemp(), "halves"), author="Jane Doe")
    >>> [name for name in made.files if name.startswith("src/")]
    ['src/scrutable_halves/__init__.py', 'src/scrutable_halves/binner.py', 'src/scrutable_halves/py.typed']
    """
    names.refuse_taken(registry())
    who = check_author(f"The {names.distribution} developers" if author is None else author)
    files = render(names, who)
    home = _write_folder(names.distribution if folder is None else folder, files)
    return NewPlugin(names, home, tuple(files))


def _write_folder(folder: AnyPath, files: Mapping[str, str]) -> Path:
    """Write texts by path into a new folder; it gets its name when all of them are there."""
    target = Path(os.path.abspath(folder))
    where = f"folder {os.fspath(folder)!r}"
    if os.path.lexists(target):
        raise InputError("exists already", where=where, fix="name a new one with --output, or another plugin")
    if not target.parent.is_dir():
        fix = "create that folder first"
        raise InputError("the folder that would hold it does not exist", where=where, got=str(target.parent), fix=fix)
    try:
        with temporary_folder(target.parent) as beside:
            staged = beside / "made"
            for name in files:
                for parent in reversed(PurePosixPath(name).parents):
                    make_folder(staged / parent)
            write_all({str(staged / name): text for name, text in files.items()})
            os.rename(staged, target)
    except OSError as error:
        fix = "check the path, and that there are room and permissions for it"
        raise InputError("cannot be made", where=where, got=error.strerror, fix=fix) from error
    return Path(folder)
