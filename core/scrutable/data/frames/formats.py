"""Formats of data files by the ends of their names: what reads them, and what installs it."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.labels import Labels
from scrutable.data.frames.reading import Reading
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Format:
    """Files whose names end alike.

    Parameters
    ----------
    suffixes : in lower case, with their points.
    module : has `read(file, reading)`, all rows as a frame, and `read_names(file, reading)`, the names of its columns.
    needs : libraries that the extra `files` installs, by their import names.
    """

    suffixes: tuple[str, ...]
    module: str
    needs: tuple[str, ...] = ()

    def read(self, file: Path, reading: Reading) -> pd.DataFrame:
        """All rows of a file."""
        frame: pd.DataFrame = self._reader(file).read(file, reading)
        return frame

    def read_names(self, file: Path, reading: Reading) -> tuple[str, ...]:
        """The names of a file's columns."""
        names: tuple[str, ...] = self._reader(file).read_names(file, reading)
        return names

    def read_labels(self, file: Path, reading: Reading) -> Labels:
        """The labels of a file's columns and codes, where its format has some."""
        read = getattr(self._reader(file), "read_labels", None)
        labels: Labels = Labels() if read is None else read(file, reading)
        return labels

    def _reader(self, file: Path) -> Any:
        for name in self.needs:
            if importlib.util.find_spec(name) is None:
                raise InputError(
                    f"reading such a file needs {name}, which is not installed",
                    where=f"file {str(file)!r}",
                    fix="pip install 'scrutable[files]', or save the data as CSV or Parquet",
                )
        return importlib.import_module(f"scrutable.data.frames.{self.module}")


FORMATS = (
    Format((".csv", ".csv.gz", ".tsv"), "csvfile"),
    Format((".parquet",), "parquet"),
    Format((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "workbook", ("python_calamine",)),
    Format((".dta", ".sas7bdat", ".xpt"), "statistics_files", ("pyreadstat",)),
    Format((".sql",), "query", ("sqlalchemy",)),
)
SUFFIXES = tuple(suffix for each in FORMATS for suffix in each.suffixes)


def suffix_of(file: Path) -> str | None:
    """What kind of data file it is, by its name; None where it is none.

    >>> suffix_of(Path("Loans.XLSX")), suffix_of(Path("model.json"))
    ('.xlsx', None)
    """
    return next((suffix for suffix in SUFFIXES if file.name.lower().endswith(suffix)), None)


def format_of(file: Path) -> Format:
    """The format of a data file.

    Raises
    ------
    InputError : the name ends otherwise.
    """
    suffix = suffix_of(file)
    for each in FORMATS:
        if suffix in each.suffixes:
            return each
    raise InputError(
        "unknown kind of file",
        where=f"file {str(file)!r}",
        got=file.suffix,
        allowed=", ".join(SUFFIXES),
        fix="save the data in one of these formats and name the file accordingly",
    )
