"""Several files of one run take their names together: the manifest that decides it, and who goes by it.

Files wait in a hidden folder beside the names that they are to take. When all of them have reached the disk, a manifest
in each such folder says which file takes which name, that of the first folder last: with it the run is decided. Where
the run is killed before, no file takes its name; after, whoever comes next lets the rest take theirs. A manifest gives
names in the folder that its own is in, and no others, and none that something else has got since.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

_NAME = "manifest"


def decide(files: Mapping[Path, Path], *, overwrite: bool) -> None:
    """Write the manifests of a run.

    Parameters
    ----------
    files : the files that wait, two folders deep where they are to be, and their names to be.
    overwrite : whether they replace what has these names.

    Raises
    ------
    OSError : there is no room for them.
    """
    home, *others = (str(folder.absolute()) for folder in dict.fromkeys(file.parent for file in files))
    for folder in (*others, home):
        names = {
            file.name: {"name": target.name, "was": _identity(target)}
            for file, target in files.items()
            if str(file.parent.absolute()) == folder
        }
        others_then = others if folder == home else []
        _write(Path(folder), {"home": home, "others": others_then, "names": names, "overwrite": overwrite})


def is_decided(folder: Path) -> bool:
    """Whether files that wait in a folder are to take their names, though their run was killed."""
    return bool(_folders_of_run(folder))


def take_names(folder: Path) -> int:
    """Let the files of a run that was killed take their names, if that was decided; how many did so now.

    Parameters
    ----------
    folder : one of those where its files waited.
    """
    manifests = {each: _read(each) for each in _folders_of_run(folder)}
    return sum(_take(each, found) for each, found in manifests.items() if found)


def take_name(file: Path, target: Path, *, overwrite: bool) -> None:
    """Give a file that is complete its name.

    Raises
    ------
    FileExistsError : something else has it, and is not to be replaced.
    OSError : the name cannot be taken.
    """
    if not overwrite:
        try:
            os.link(file, target)
            return
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links: the name first, without content
            open(target, "xb").close()
    os.replace(file, target)


def _folders_of_run(folder: Path) -> list[Path]:
    """All folders where files of a run wait, the first last; none where the run had not decided."""
    home = _read(folder).get("home", "")
    decided = _read(Path(home)) if home else {}
    folders = [Path(each) for each in (*decided.get("others", ()), home)]
    if decided.get("home") != home or folder.absolute() not in folders:
        return []
    return [each for each in folders if _read(each).get("home") == home]


def _take(folder: Path, manifest: Mapping[str, Any]) -> int:
    taken = 0
    for waiting, asked in manifest["names"].items():
        file, target = folder / os.path.basename(waiting), folder.parent.parent / os.path.basename(asked["name"])
        if _identity(file) and _identity(target) == asked.get("was"):
            with suppress(OSError):
                take_name(file, target, overwrite=bool(manifest["overwrite"]))
                taken += 1
    return taken


def _identity(path: Path) -> list[int] | None:
    """What tells a file from one that took its name later; None where there is none."""
    with suppress(FileNotFoundError):
        found = path.stat()
        return [found.st_ino, found.st_size, found.st_mtime_ns]
    return None


def _write(folder: Path, content: Mapping[str, Any]) -> None:
    part = folder / f"{_NAME}.part"
    with open(part, "x", encoding="utf-8") as handle:
        json.dump(content, handle)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(part, folder / _NAME)


def _read(folder: Path) -> dict[str, Any]:
    """What the manifest of a folder says; empty where it has none, or one that is not this user's or not ours."""
    with suppress(OSError, ValueError, RecursionError):
        if hasattr(os, "getuid") and folder.lstat().st_uid != os.getuid():
            return {}
        found = json.loads((folder / _NAME).read_text(encoding="utf-8"))
        if _is_manifest(found):
            return dict(found)
    return {}


def _is_manifest(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and found.keys() == {"home", "others", "names", "overwrite"}
        and isinstance(found["home"], str)
        and isinstance(found["others"], list)
        and all(isinstance(other, str) for other in found["others"])
        and isinstance(found["names"], dict)
        and all(isinstance(asked, dict) and isinstance(asked.get("name"), str) for asked in found["names"].values())
    )
