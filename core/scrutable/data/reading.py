"""Reading of data files, each as its user tells."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from scrutable.data.config import ReadingConfig
from scrutable.data.frames import read_file
from scrutable.data.frames.names import known_column


def read_rows(
    path: str | Path, told: ReadingConfig, *, text: Iterable[str] = (), numbers: Iterable[str] = ()
) -> pd.DataFrame:
    """The rows of a file.

    Parameters
    ----------
    told : how the file is written; what it says of a column comes before `text` and `numbers`.
    text : columns to read as they stand in the file, such as ids.
    numbers : columns to read as numbers, however they are written; of a column of both, `text` holds.

    Raises
    ------
    InputError, KindError : a file that cannot be read, or a column that is told of and that it lacks.
    """
    texts = set(text).difference(told.numbers).union(told.text)
    frame = read_file(
        path,
        text=texts,
        numbers=set(numbers).difference(texts).union(told.numbers),
        missing=told.missing,
        encoding=told.encoding,
        decimal=told.decimal,
        dates=told.dates,
    )
    for flag, names in (("--text", told.text), ("--numbers", told.numbers)):
        for name in names:
            known_column(name, frame.columns, f"{flag}, file {str(path)!r}")
    return frame
