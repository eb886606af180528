"""Reading of texts, and writing of files, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from scrutable.errors import InputError
from scrutable.writing.locks import folders_locked
from scrutable.writing.manifest import Naming
from scrutable.writing.stopping import held
from scrutable.writing.temporary import complete, temporary_folder

AnyPath = str | os.PathLike[str]

#: Bytes of a file of text that is read whole; rows of applicants are read otherwise.
LARGEST = 2**27


def json_text(data: Any) -> str:
    """What a JSON file of ours holds: two blanks an indent, texts as they are, a line end; a NaN is a ValueError.

    >>> print(json_text({"größe": 1.5}), end="")
    {
      "größe": 1.5
    }
    """
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: AnyPath, content: str | bytes, *, overwrite: bool = False) -> None:
    """Write a file so that no reader ever sees half of it, and no failure harms what was there.

    The content goes to a temporary folder in the same folder, reaches the disk, and then takes the target's name.

    Parameters
    ----------
    path : where to write; a symbolic link is followed.
    content : bytes, or text that is written in UTF-8 with its line ends unchanged.
    overwrite : replace an existing file, whose permissions stay.

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
    write_all({os.fspath(path): content}, overwrite=overwrite)


def write_all(contents: Mapping[str, str | bytes], *, overwrite: bool = False) -> None:
    """Write several files as `write_whole` does: all of a folder or none, also where the process is killed.

    None takes its name before all have reached the disk. A process that is killed in between leaves it to the next one
    that writes or reads a file of ours there. Of two processes that write the same files one comes after the other.
    """
    targets = check_targets(contents, overwrite=overwrite)
    with written_together(overwrite=overwrite) as files:
        for target, content in zip(targets, contents.values(), strict=True):
            with _reporting(target, "cannot be written"):
                data = content.encode() if isinstance(content, str) else content
            with files.new(target) as handle:
                handle.write(data)


@contextmanager
def written_whole(path: AnyPath, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, which takes its name where the block ends well; else nothing is there of it.

    Parameters and errors are those of `write_whole`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "scores.csv")
    >>> with written_whole(path) as handle:
    ...     _ = handle.write(b"score\\n"), handle.write(b"510.0\\n")
    ...     path.exists()
    False
    >>> path.read_text()
    'score\\n510.0\\n'
    """
    targets = check_targets([path], overwrite=overwrite)
    with written_together(overwrite=overwrite) as files, files.new(targets[0]) as handle:
        yield handle


class NewFiles:
    """Files that are written one after another, on the disks of their names, which they take together in the end.

    Parameters
    ----------
    end : where what waits is gone.
    overwrite : whether they replace what has their names.
    """

    def __init__(self, end: ExitStack, *, overwrite: bool) -> None:
        self._end, self._overwrite = end, overwrite
        self._folders: dict[Path, Path] = {}
        self._targets: list[str] = []

    @contextmanager
    def new(self, target: Path) -> Iterator[BinaryIO]:
        """A file to write to.

        Parameters
        ----------
        target : a path that `check_target` gave.

        Raises
        ------
        InputError : it cannot be written.
        """
        if target.parent not in self._folders:
            with _reporting(target, "cannot be written"):
                self._folders[target.parent] = self._end.enter_context(temporary_folder(target.parent))
        self._targets.append(str(target))
        try:
            with _new(self._waiting(len(self._targets) - 1, target), target) as handle:
                yield handle
        except OSError as error:
            raise _refused(target, "cannot be written", error) from error

    def take_names(self) -> None:
        """Give all of them their names, or, where one cannot have it, none.

        Raises
        ------
        InputError : something else has one of the names, and is not to be replaced.
        """
        with held(), folders_locked(self._folders), Naming(overwrite=self._overwrite) as naming:
            if len(self._targets) > 1:
                with _reporting(self._targets[0], "cannot be written"):
                    naming.decide(self._pairs())
            for waiting, target in self._pairs():
                with _reporting(target, "cannot be written"):
                    naming.take(waiting, target)

    def _pairs(self) -> Iterator[tuple[Path, Path]]:
        """Each file where it waits, and where it is to be."""
        for number, target in enumerate(map(Path, self._targets)):
            yield self._waiting(number, target), target

    def _waiting(self, number: int, target: Path) -> Path:
        return self._folders[target.parent] / str(number)


@contextmanager
def written_together(*, overwrite: bool = False) -> Iterator[NewFiles]:
    """Files that take their names where the block ends well; else nothing is there of them.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_together() as files:
    ...     for name in ("a.txt", "b.txt"):
    ...         with files.new(check_target(folder / name)) as handle:
    ...             _ = handle.write(b"paid")
    ...     list(folder.glob("*.txt"))
    []
    >>> sorted(path.name for path in folder.glob("*.txt"))
    ['a.txt', 'b.txt']
    """
    with ExitStack() as end:
        files = NewFiles(end, overwrite=overwrite)
        yield files
        files.take_names()


def check_targets(paths: Iterable[AnyPath], *, inputs: Iterable[AnyPath] = (), overwrite: bool = False) -> list[Path]:
    """The files that paths lead to, refused as `write_all` would; for callers who work long before they write.

    Raises
    ------
    InputError : as `write_whole`; two paths lead to one file, or one of them to an input.
    """
    asked = [(path, _real(path)) for path in paths]
    for folder in dict.fromkeys(target.parent for _, target in asked):
        complete(folder)
    seen = {str(_real(path)) for path in inputs}
    targets = []
    for path, target in asked:
        if str(target) in seen:
            raise InputError(
                "the file has two uses",
                where=f"file {str(path)!r}",
                fix="give each output a file of its own, and none of the inputs'",
            )
        seen.add(str(target))
        targets.append(check_target(target, overwrite=overwrite))
    return targets


def check_target(path: AnyPath, *, overwrite: bool = False) -> Path:
    """The file that a path leads to, refused as `write_whole` would."""
    target = _real(path)
    where = f"file {str(target)!r}"
    if not os.path.isdir(target.parent):
        raise InputError(
            "its folder does not exist", where=where, got=str(target.parent), fix="create the folder first"
        )
    with _reporting(target, "cannot be written"):
        mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        raise InputError("exists and is not a regular file", where=where, fix="give another path")
    if mode is not None and not overwrite:
        raise _exists(target)
    return target


def make_folder(path: AnyPath) -> Path:
    """A folder that is there, or is made in one that is.

    Raises
    ------
    InputError : something else has the name, or the folder cannot be made.
    """
    folder = _real(path)
    if os.path.exists(folder) and not folder.is_dir():
        raise InputError("is not a folder", where=f"path {str(folder)!r}", fix="give another path")
    with _reporting(folder, "cannot be made"):
        folder.mkdir(exist_ok=True)
    return Path(path)


def read_text(path: AnyPath, largest: int = LARGEST) -> str:
    """The text of a UTF-8 file, its line ends unchanged, without a byte-order mark.

    Parameters
    ----------
    largest : bytes of the largest file that is read; of devices without an end no more are read either.

    Raises
    ------
    InputError : the file is missing, cannot be read, is too large, or is not UTF-8.

    Examples
    --------
    >>> read_text("no such model.json")
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: file 'no such model.json': cannot be read; got 'No such file or directory'...
    """
    with _reporting(path, "cannot be read"):
        complete(Path(os.path.realpath(path)).parent)
        with open(path, "rb") as handle:
            content = handle.read(largest + 1)
    if len(content) > largest:
        raise InputError(
            "the file is too large",
            where=f"file {str(path)!r}",
            got=f"more than {largest:,} bytes",
            allowed=f"at most {largest:,}",
            fix="look whether this is the right file",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "not UTF-8 text",
            where=f"file {str(path)!r}",
            got=f"byte 0x{error.object[error.start]:02x} at position {error.start}",
            fix="give the file as it was exported, or save it in UTF-8",
        ) from error


def _real(path: AnyPath) -> Path:
    if not os.fspath(path):
        raise InputError("the path is empty", where="file ''", fix="give the path of a file")
    with _reporting(path, "not a path"):
        return Path(os.path.realpath(path))


def _mode(target: Path) -> int | None:
    try:
        return target.stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def _new(temporary: Path, target: Path) -> Iterator[BinaryIO]:
    """A new file that has reached the disk in the end, with the permissions of the one that it is to replace."""
    with open(temporary, "xb") as handle:
        if (mode := _mode(target)) is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        yield handle
        handle.flush()
        os.fsync(handle.fileno())


def _exists(target: AnyPath) -> InputError:
    fix = "pass --overwrite (in Python overwrite=True), or give another path"
    return InputError("exists already", where=f"file {str(target)!r}", fix=fix)


@contextmanager
def _reporting(path: AnyPath, what: str) -> Iterator[None]:
    """What the system refuses, and a path that it cannot even take, as bad input."""
    try:
        yield
    except FileExistsError:
        raise _exists(path) from None
    except (OSError, ValueError) as error:
        raise _refused(path, what, error) from error


def _refused(path: AnyPath, what: str, error: Exception) -> InputError:
    return InputError(
        what,
        where=f"file {str(path)!r}",
        got=getattr(error, "strerror", None) or str(error),
        fix="check the path, and that there are room and permissions for it",
    )
