"""Several files of one run take their names together: the manifest that decides it, and who goes by it.

Files wait in a hidden folder beside the names that they are to take. When all of them have reached the disk, a manifest
there says which file takes which name; with it the run is decided. Where the run is killed before, no file takes its
name; after, whoever comes next lets the rest take theirs. A manifest knows names in its own folder's parent folder and
nothing else of the disk, and gives none that something else has got since.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

_NAME, _LARGEST = "manifest", 2**26


class Naming:
    """A block in which files that wait take their names: all of them, or, where one cannot, none.

    Parameters
    ----------
    overwrite : whether they replace what has these names.
    """

    def __init__(self, *, overwrite: bool) -> None:
        self._overwrite = overwrite
        self._decided: list[Path] = []
        self._taken: list[tuple[str, str, bool]] = []  # texts, which take a quarter of what paths do

    def decide(self, files: Iterable[tuple[Path, Path]]) -> None:
        """Write a manifest into each folder where files wait.

        Parameters
        ----------
        files : those that wait, each with its name to be, two folders up.

        Raises
        ------
        OSError : there is no room for it.
        """
        names: dict[Path, dict[str, Any]] = {}
        for file, target in files:
            names.setdefault(file.parent, {})[file.name] = {"name": target.name, "was": _identity(target)}
        for folder, of_folder in names.items():
            _write(folder, {"names": of_folder, "overwrite": self._overwrite})
            self._decided.append(folder)

    def take(self, file: Path, target: Path) -> None:
        """Give a file its name.

        Raises
        ------
        FileExistsError : something else has it, and is not to be replaced.
        OSError : the name cannot be taken.
        """
        before = file.with_name(f"{file.name}.before")
        there = os.path.lexists(target)
        with suppress(OSError):  # a file system without hard links, or nothing has the name
            os.link(target, before)
        _take_name(file, target, overwrite=self._overwrite)
        self._taken.append((str(before), str(target), there))

    def __enter__(self) -> Naming:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if error is None:
            return
        for folder in self._decided:
            with suppress(OSError):
                os.unlink(folder / _NAME)
        for before, target, there in reversed(self._taken):
            with suppress(OSError):
                os.replace(before, Path(target)) if there else os.unlink(target)


def is_decided(folder: Path) -> bool:
    """Whether files that wait in a folder are to take their names, though their run was killed."""
    return bool(_read(folder))


def take_names(folder: Path) -> tuple[int, list[str]]:
    """Let the files of a run that was killed take their names, if that was decided.

    Returns
    -------
    how many did so now, and the names that could not be taken, which the next one tries again.
    """
    manifest = _read(folder)
    taken, refused = 0, []
    for waiting, asked in manifest.get("names", {}).items():
        file, target = folder / waiting, folder.parent.parent / asked["name"]
        if not _waits(file) or not _as_it_was(target, asked.get("was"), overwrite=manifest["overwrite"]):
            continue
        try:
            _take_name(file, target, overwrite=manifest["overwrite"] or target.exists())
            taken += 1
        except OSError:
            refused.append(asked["name"])
    return taken, refused


def _take_name(file: Path, target: Path, *, overwrite: bool) -> None:
    if not overwrite:
        try:
            os.link(file, target)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links: the name first, without content
            open(target, "xb").close()
        else:
            os.unlink(file)
            return
    os.replace(file, target)


def _waits(file: Path) -> bool:
    with suppress(FileNotFoundError):
        return stat.S_ISREG(file.lstat().st_mode)
    return False


def _as_it_was(target: Path, was: object, *, overwrite: bool) -> bool:
    """Whether nothing has got a name since it was decided on; without hard links an empty file holds the place."""
    now = _identity(target)
    return now == was or (was is None and not overwrite and now is not None and now[1] == 0)


def _identity(path: Path) -> list[int] | None:
    """What tells a file from one that took its name later; None where there is none."""
    with suppress(FileNotFoundError):
        status = path.lstat()
        return [status.st_ino, status.st_size, status.st_mtime_ns]
    return None


def _write(folder: Path, content: Mapping[str, Any]) -> None:
    part = folder / f"{_NAME}.part"
    with open(part, "x", encoding="utf-8") as handle:
        json.dump(content, handle)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(part, folder / _NAME)


def _read(folder: Path) -> dict[str, Any]:
    """What the manifest of a folder says; empty where it has none, or one that is not ours."""
    with suppress(OSError, ValueError, RecursionError):
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(folder / _NAME, flags), "rb") as handle:
            if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
                return {}
            manifest = json.loads(handle.read(_LARGEST))
        if _is_manifest(manifest):
            return dict(manifest)
    return {}


def _is_manifest(manifest: Any) -> bool:
    return (
        isinstance(manifest, dict)
        and manifest.keys() == {"names", "overwrite"}
        and isinstance(manifest["names"], dict)
        and isinstance(manifest["overwrite"], bool)
        and all(_is_name(waiting) for waiting in manifest["names"])
        and all(isinstance(asked, dict) and _is_name(asked.get("name")) for asked in manifest["names"].values())
    )


def _is_name(text: object) -> bool:
    """Whether a text is the name of a file in a folder, and leads nowhere else."""
    if not isinstance(text, str) or text in ("", os.curdir, os.pardir) or "\0" in text:
        return False
    return not any(separator in text for separator in ("/", "\\", os.sep))
