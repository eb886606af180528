"""Reading of data files, each as its user tells, and of frames, which say themselves what they hold."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.config import FileConfig, ReadingConfig
from scrutable.data.frames.names import known_column

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table
    from scrutable.data.frames.arrow_csv import Kind
    from scrutable.data.frames.blocks import Blocks
    from scrutable.data.frames.labels import Labels


def read_rows(data: Any, told: ReadingConfig, *, text: Iterable[str] = (), numbers: Iterable[str] = ()) -> pd.DataFrame:
    """The rows of a file, or of a frame of any kind.

    Parameters
    ----------
    data : a path, or a frame, of which nothing that follows but ranges is of any concern.
    told : how the file is written; what it says of a column comes before `text` and `numbers`. Of `numbers` that lie
        outside its ranges it is told how many rows have them.
    text : columns to read as they stand in the file, such as ids or a model's categories; words such as NA, which are
        missing there, are told of in columns of `told` alone, since a model's were when it learned.
    numbers : columns to read as numbers, however they are written; of a column of both, `text` holds.

    Raises
    ------
    InputError, KindError : a file or a frame that cannot be read, or a column that is told of and that it lacks.
    """
    numbers = set(numbers)
    if isinstance(data, str | os.PathLike):
        frame = _read_path(data, told, set(text), numbers)
    else:
        from scrutable.data.frames.same_kind import as_pandas

        frame = as_pandas(data)
    if told.ranges:
        from scrutable.data.allowed_ranges import RangeWatch

        watch = RangeWatch(told, numbers, place_of(data))
        watch.look(frame)
        watch.tell()
    return frame


def read_columns(
    path: str | os.PathLike[str], told: ReadingConfig, *, text: Iterable[str] = (), numbers: Iterable[str] = ()
) -> Table | pd.DataFrame:
    """The rows of a file for who asks for columns alone: without pandas where it is small and nothing is doubtful.

    Parameters and errors are those of `read_rows`.
    """
    from scrutable.data.frames.plain_csv import read_plain

    texts, whole = frozenset(text), frozenset(numbers)
    plain = read_plain(Path(path), text=texts, numbers=whole - texts) if told == ReadingConfig() else None
    return read_rows(path, told, text=texts, numbers=whole) if plain is None else plain


def read_blocks(
    path: str | os.PathLike[str],
    told: ReadingConfig,
    *,
    text: Iterable[str],
    numbers: Iterable[str],
    carried: Iterable[str] = (),
) -> Blocks:
    """Some columns of a file, block by block, in memory that does not grow with its rows.

    Parameters
    ----------
    text, numbers : as in `read_rows`, of columns to read.
    carried : further columns, to read as they stand in the file.

    Raises
    ------
    DoubtfulError : something is to be mended, told of or refused, now or in a later block: `read_rows` does that.
    InputError : a file that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = path.write_text("id,age,job\\nA1,41,cook\\n")
    >>> [block] = read_blocks(path, ReadingConfig(), text=["job"], numbers=["age"], carried=["id"])
    >>> {name: array.to_pylist() for name, array in block.items()}
    {'id': ['A1'], 'job': ['cook'], 'age': [41.0]}
    """
    from scrutable.data.frames.blocks import blocks_of
    from scrutable.data.frames.reading import Reading
    from scrutable.writing.csv_blocks import DoubtfulError

    kinds: dict[str, Kind] = {**dict.fromkeys(text, "text"), **dict.fromkeys(numbers, "numbers")}
    as_they_stand = {name for name, kind in kinds.items() if kind == "text"}.union(carried)
    if not kinds or not kinds.keys().isdisjoint({*told.text, *told.numbers}):
        raise DoubtfulError("columns that are told to be what they are not read as")
    if any(kinds.get(name) == "numbers" or name in told.numbers for name in carried):
        raise DoubtfulError("numbers that are asked for as they stand")
    reading = Reading.of(
        text=as_they_stand.union(told.text),
        numbers={name for name, kind in kinds.items() if kind == "numbers"}.union(told.numbers),
        **_of_file(told),
    )
    blocks = blocks_of(Path(path), reading, {**dict.fromkeys(carried, "carried"), **kinds})
    if not {*told.text, *told.numbers} <= set(blocks.names):
        raise DoubtfulError("columns that are told of and not there")
    if told.ranges:
        from scrutable.data.allowed_ranges import RangeWatch

        return RangeWatch(told, numbers, place_of(path)).blocks(blocks)
    return blocks


def read_names(path: str | os.PathLike[str], told: ReadingConfig) -> tuple[str, ...]:
    """The names of a file's columns; errors are those of `read_rows`."""
    from scrutable.data.frames import read_header

    return read_header(path, **_of_file(told))


def read_labels(path: Path, told: ReadingConfig) -> Labels:
    """The labels of columns and codes that a file of statistics software holds; none of other files."""
    from scrutable.data.frames.files import existing_files
    from scrutable.data.frames.formats import format_of
    from scrutable.data.frames.reading import Reading

    [file, *_] = existing_files(path)
    return format_of(file).read_labels(file, Reading.of(**_of_file(told)))


def place_of(data: Any) -> str:
    """How errors name what rows come from.

    >>> import pandas as pd
    >>> place_of("loans.csv"), place_of(pd.DataFrame())
    ("file 'loans.csv'", 'data')
    """
    return f"file {str(data)!r}" if isinstance(data, str | os.PathLike) else "data"


def _of_file(told: ReadingConfig) -> dict[str, Any]:
    """What is told of a file as a whole, by parameter of `read_file`."""
    return {each.name: getattr(told, each.name) for each in fields(FileConfig)}


def _read_path(path: str | os.PathLike[str], told: ReadingConfig, text: set[str], numbers: set[str]) -> pd.DataFrame:
    from scrutable.data.frames import read_file

    texts = text.difference(told.numbers).union(told.text)
    frame = read_file(
        path,
        text=texts,
        silent=text.difference(told.text),
        numbers=numbers.difference(texts).union(told.numbers),
        **_of_file(told),
    )
    for flag, names in (("--text", told.text), ("--numbers", told.numbers)):
        for name in names:
            known_column(name, frame.columns, f"{flag}, file {str(path)!r}")
    return frame
