"""The manifest of an archive: its parts, in order, each with its records and the digest of the last of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrutable.errors import InputError
from scrutable.writing import check_target, json_text, locked, make_folder, read_json, write_whole
from scrutable_records.chain import Head
from scrutable_records.fields import DIGEST

MANIFEST = "manifest.json"
_FORMAT, _VERSION = "scrutable-decision-archive", 1


@dataclass(frozen=True, slots=True)
class Part:
    """A file of an archive: the number of its first record, and its last one's with the digest."""

    file: str
    first: int
    head: Head

    @property
    def rows(self) -> int:
        """How many records it holds."""
        return self.head.record - self.first + 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The parts of an archive.

    >>> Manifest((Part("part-000001.parquet", 1, Head(3)),)).next_file
    'part-000002.parquet'
    """

    parts: tuple[Part, ...] = ()

    @property
    def head(self) -> Head:
        """The last record."""
        return self.parts[-1].head if self.parts else Head()

    @property
    def next_file(self) -> str:
        """What a further part is called."""
        return f"part-{len(self.parts) + 1:06}.parquet"

    def text(self) -> str:
        """The manifest as JSON."""
        parts = [
            {"file": part.file, "first": part.first, "last": part.head.record, "sha256": part.head.digest.hex()}
            for part in self.parts
        ]
        return json_text({"format": _FORMAT, "version": _VERSION, "parts": parts})


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an archive.

    Raises
    ------
    InputError : the folder is no archive, or its manifest is none.
    """
    file = folder / MANIFEST
    if not file.is_file():
        raise InputError(
            "not a decision archive",
            where=f"folder {str(folder)!r}",
            got=f"no {MANIFEST}",
            fix="give the folder that `scrutable archive append` wrote to",
        )
    stated = read_json(file)
    where = f"file {str(file)!r}"
    if not isinstance(stated, dict) or (stated.get("format"), stated.get("version")) != (_FORMAT, _VERSION):
        raise InputError("not the manifest of an archive that this release reads", where=where, fix="upgrade scrutable")
    try:
        return Manifest(tuple(_part(each) for each in stated["parts"]))
    except (KeyError, TypeError, ValueError):
        fix = "restore the file; `scrutable replay` reads rows out of single parts, too"
        raise InputError("a part that is not described as parts are", where=where, fix=fix) from None


@contextmanager
def held_manifest(folder: Path) -> Iterator[Manifest]:
    """A block that one process at a time is in, which writes to an archive; a folder that is none yet becomes one.

    Raises
    ------
    InputError : the folder holds other things, or cannot be made.
    """
    file = make_folder(folder) / MANIFEST
    if not file.exists():
        others = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
        if others and not file.exists():
            fix = "give a folder that is empty or does not exist yet"
            raise InputError(
                "holds other files and no archive", where=f"folder {str(folder)!r}", got=others[0], fix=fix
            )
        with suppress(InputError):  # another process made it
            write_whole(file, Manifest().text())
    with locked(check_target(file, overwrite=True)):
        yield read_manifest(folder)


def _part(stated: Any) -> Part:
    file, first, last = stated["file"], stated["first"], stated["last"]
    if Path(file).name != file or type(first) is not int or type(last) is not int or not 1 <= first <= last:
        raise ValueError
    digest = bytes.fromhex(stated["sha256"])
    if len(digest) != DIGEST:
        raise ValueError
    return Part(file, first, Head(last, digest))
