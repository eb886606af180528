"""CSV files: a first pass with the standard library finds what pandas would mend in silence, then pandas reads."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scrutable.errors import InputError
from scrutable.frames.commas import SEPARATORS as COMMA_SEPARATORS
from scrutable.frames.commas import read_commas
from scrutable.frames.headers import ADD_HEADER, warn_of_data_in_header
from scrutable.frames.lookalikes import warn_of_lookalikes
from scrutable.frames.names import checked_names

if TYPE_CHECKING:
    import pandas as pd

MISSING = ("", "NA", "NaN", "nan", "NULL", "null", "N/A", "#N/A")
SEPARATORS = (",", ";", "\t", "|")
_SAMPLED_LINES = 64


def read(file: Path, separator: str | None, text: frozenset[str]) -> pd.DataFrame:
    """All rows; see `scrutable.frames.read_file`."""
    import pandas as pd

    with _reporting(file):
        separator = separator or _guess_separator(file)
        names, n_rows = _scan(file, separator)
        with _open(file) as handle:
            _header(handle, separator, file)
            try:
                frame: pd.DataFrame = pd.read_csv(
                    handle,
                    sep=separator,
                    header=None,
                    names=list(names),
                    index_col=False,
                    dtype={name: "str" for name in names if name in text},
                    skipinitialspace=_skips_spaces(separator),
                    skip_blank_lines=len(names) > 1,
                    na_values=list(MISSING),
                    keep_default_na=False,
                    low_memory=False,
                    **nearest_doubles(pd.__version__),
                )
            except pd.errors.ParserError as error:
                raise _broken(file, str(error)) from None
    if len(frame) != n_rows:
        raise _broken(file, f"{n_rows} rows by one reading, {len(frame)} by another")
    if separator in COMMA_SEPARATORS:
        frame = read_commas(frame, text)
    warn_of_data_in_header(frame)
    warn_of_lookalikes(frame, text)
    return frame


def read_header(file: Path, separator: str | None) -> tuple[str, ...]:
    """Column names from the first line that is not empty."""
    with _reporting(file):
        separator = separator or _guess_separator(file)
        with _open(file) as handle:
            return _header(handle, separator, file)


def nearest_doubles(pandas_version: str) -> dict[str, Any]:
    """What makes pandas parse every number to the nearest double: from 3.1 on it always does, and deprecates asking.

    >>> nearest_doubles("2.3.3")
    {'float_precision': 'round_trip'}
    """
    major, minor = map(int, pandas_version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _open(file: Path) -> TextIO:
    if file.name.lower().endswith(".gz"):
        return gzip.open(file, "rt", encoding="utf-8-sig", newline="")
    return open(file, encoding="utf-8-sig", newline="")


@contextmanager
def _reporting(file: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise InputError(
            "not UTF-8 text",
            where=f"file {str(file)!r}",
            got=error.object[error.start : error.start + 1],
            fix="save the file as CSV in UTF-8",
        ) from None
    except (OSError, EOFError, zlib.error, csv.Error) as error:
        raise _broken(file, str(error)) from None


def _broken(file: Path, got: str) -> InputError:
    return InputError(
        "cannot be read", where=f"file {str(file)!r}", got=got, fix="check the file's quotes, or write it again"
    )


def _skips_spaces(separator: str) -> bool:
    return separator != " "


def _rows(lines: Iterator[str] | TextIO, separator: str) -> Any:
    return csv.reader(lines, delimiter=separator, skipinitialspace=_skips_spaces(separator))


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def _guess_separator(file: Path) -> str:
    """The separator that splits the header into most columns, those first that split every row alike."""
    with _open(file) as handle:
        lines = list(islice(handle, _SAMPLED_LINES))

    def merit(separator: str) -> tuple[bool, int]:
        rows = [row for row in _rows(iter(lines), separator) if not _is_blank(row)]
        if len(lines) == _SAMPLED_LINES:
            rows = rows[:1] + rows[1:-1]  # the last row may go on below the sample
        widths = [len(row) for row in rows] or [1]
        return len(set(widths)) == 1 < widths[0], widths[0]

    return max(SEPARATORS, key=merit)


def _header(handle: TextIO, separator: str, file: Path) -> tuple[str, ...]:
    where = f"header of file {str(file)!r}"
    row = next((row for row in _rows(handle, separator) if not _is_blank(row)), None)
    if row is None:
        raise InputError("the file is empty", where=where, fix="give a file with a header and at least one row")
    names = [name.strip() for name in row]
    if "" in names:
        raise InputError(
            f"column {names.index('') + 1} has no name",
            where=where,
            got=row,
            allowed="a name for every column",
            fix="name the column, or drop it (pandas writes such a column unless index=False is given); " + ADD_HEADER,
        )
    return checked_names(names, where, fix=f"rename or drop the repeated columns; {ADD_HEADER}")


def _scan(file: Path, separator: str) -> tuple[tuple[str, ...], int]:
    n_rows = 0
    with _open(file) as handle:
        names = _header(handle, separator, file)
        rows = _rows(handle, separator)
        for row in rows:
            if len(row) == len(names):
                n_rows += 1
            elif len(names) == 1 and not row:
                n_rows += 1  # an empty line of a single column is a missing value
            elif not _is_blank(row):
                raise InputError(
                    "a row of another length than the header",
                    where=f"file {str(file)!r}, row {n_rows + 1} below the header",
                    got=row,
                    allowed=f"{len(names)} values separated by {separator!r}",
                    fix="quote values that contain the separator, or state the right separator",
                )
    if not n_rows:
        raise InputError(
            "no rows below the header", where=f"file {str(file)!r}", fix="give a file with at least one row"
        )
    return names, n_rows
