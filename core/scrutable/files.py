"""Reading of texts, and writing of files, whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from scrutable.errors import InputError


def write_whole(path: str | os.PathLike[str], content: str | bytes, *, overwrite: bool = False) -> None:
    """Write a file so that no reader ever sees half of it, and no failure harms what was there.

    The content goes to a temporary file in the same folder, reaches the disk, and then takes the target's name.

    Parameters
    ----------
    path : where to write; a symbolic link is followed.
    content : bytes, or text that is written in UTF-8 with its line ends unchanged.
    overwrite : replace an existing file.

    Raises
    ------
    InputError : the target exists and `overwrite` is False, it is no regular file, or its folder is missing or closed.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.json")
    >>> write_whole(path, "{}")
    >>> path.read_text()
    '{}'
    >>> write_whole(path, "[]")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: file '...': exists already. Fix: pass --overwrite (in Python overwrite=True), or ...
    """
    data = content.encode() if isinstance(content, str) else content
    target = check_target(path, overwrite=overwrite)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(
            "cannot be written",
            where=f"file {str(target)!r}",
            got=error.strerror,
            fix="choose another folder, or make room and permissions in this one",
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def check_target(path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """The file that a path leads to, refused as `write_whole` would; for callers who work long before they write."""
    target = Path(os.path.realpath(path))
    where = f"file {str(target)!r}"
    if not target.parent.is_dir():
        raise InputError(
            "its folder does not exist", where=where, got=str(target.parent), fix="create the folder first"
        )
    if target.exists() and not target.is_file():
        raise InputError("exists and is not a regular file", where=where, fix="give another path")
    if target.exists() and not overwrite:
        raise InputError(
            "exists already", where=where, fix="pass --overwrite (in Python overwrite=True), or give another path"
        )
    return target


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a UTF-8 file, its line ends unchanged, without a byte-order mark.

    Raises
    ------
    InputError : the file is missing, cannot be read, or is not UTF-8.

    Examples
    --------
    >>> read_text("no such model.json")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: file 'no such model.json': cannot be read; got 'No such file or directory'...
    """
    where = f"file {str(path)!r}"
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            "cannot be read", where=where, got=error.strerror, fix="check the path and its permissions"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "not UTF-8 text",
            where=where,
            got=f"byte 0x{error.object[error.start]:02x} at position {error.start}",
            fix="give the file as it was exported, or save it in UTF-8",
        ) from error
