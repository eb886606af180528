"""Several files with the same columns, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.data.frames.formats import format_of
from scrutable.data.frames.reading import Reading
from scrutable.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd


def read_together(files: Sequence[Path], reading: Reading) -> pd.DataFrame:
    """The rows of files, in the order of the files, with the columns in that of the first.

    A column that is text in one file and numbers in another is read as text in all of them, as it would be in one file.

    Raises
    ------
    InputError : a file lacks a column of the first, or has one more; errors of reading as of each format.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> files = [folder / "1.csv", folder / "2.csv"]
    >>> _ = files[0].write_text("age,zip\\n41,01001\\n"), files[1].write_text("zip,age\\n90210,17\\n")
    >>> read_together(files, Reading.of(text=["zip"])).to_dict("list")
    {'age': [41, 17], 'zip': ['01001', '90210']}
    """
    import pandas as pd

    frames = [format_of(file).read(file, reading) for file in files]
    names = list(frames[0].columns)
    for file, frame in zip(files[1:], frames[1:], strict=True):
        _check_names(files[0], names, file, list(frame.columns))
    mixed = [name for name in names if len({_kind(frame[name]) for frame in frames} - {"empty"}) > 1]
    if mixed:
        reading = replace(reading, text=reading.text.union(mixed).difference(reading.numbers))
        frames = [format_of(file).read(file, reading) for file in files]
    return pd.concat([frame[names] for frame in frames], ignore_index=True)


def _check_names(first: Path, names: Sequence[str], file: Path, others: Sequence[str]) -> None:
    for name, known, place in (
        *((name, others, file) for name in names if name not in others),
        *((name, names, first) for name in others if name not in names),
    ):
        raise InputError(
            "files that are read together need the same columns",
            where=f"file {str(place)!r}",
            got=f"no column {name!r}",
            allowed=did_you_mean(name, known),
            fix="rename the column, or leave the file out",
        )


def _kind(column: pd.Series) -> str:
    """Whether a column holds numbers, texts or neither."""
    if column.isna().all():
        return "empty"
    return "numbers" if column.dtype.kind in "iuf" else "bools" if column.dtype.kind == "b" else "texts"
