"""Rows as files that are read again to learn or to measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.writing.spreadsheet import csv_text, reads_as_formula

if TYPE_CHECKING:
    import pandas as pd

_ENDINGS = (".csv", ".parquet")


def check_row_file(path: str | Path, option: str) -> None:
    """Refuse a file of rows that an option names, of another kind than those that can be written.

    Raises
    ------
    InputError : another ending than .csv and .parquet.
    """
    ending = Path(path).suffix
    if ending not in _ENDINGS:
        fix = f"for example {option} rows.csv"
        raise InputError("unknown kind of file", where=option, got=ending, allowed=", ".join(_ENDINGS), fix=fix)


def changed_texts(frame: pd.DataFrame, path: str | Path) -> list[str]:
    """Columns with texts, or names, that a CSV file would not hold as they are: spreadsheets take them for formulas.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"home": ["owns", "- none"]})
    >>> changed_texts(frame, "rows.csv"), changed_texts(frame, "rows.parquet")
    (['home'], [])
    """
    names: list[str] = []
    for name in frame.columns if Path(path).suffix == ".csv" else ():
        values = () if frame[name].dtype.kind in "biuf" else frame[name].unique()
        if any(isinstance(value, str) and reads_as_formula(value) for value in (name, *values)):
            names.append(str(name))
    return names


def row_file(frame: pd.DataFrame, path: str | Path) -> str | bytes:
    """The content of a file of rows, by its ending; `check_row_file` has checked that."""
    if Path(path).suffix == ".csv":
        return csv_text(frame)
    parquet: bytes = frame.to_parquet(index=False)
    return parquet
