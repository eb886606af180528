"""CSV files: a first pass with the standard library finds what pandas would mend in silence, then pandas reads."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scrutable.data.frames.day_first import year_first
from scrutable.data.frames.encodings import not_in_encoding, open_text
from scrutable.data.frames.headers import ADD_HEADER, warn_of_data_in_header
from scrutable.data.frames.leading_zeros import ZeroWatch, codes_among
from scrutable.data.frames.lookalikes import warn_of_lookalikes
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.numerals import read_numerals
from scrutable.data.frames.reading import MISSING, Reading
from scrutable.data.frames.thousands import SAMPLED, warn_of_thousands
from scrutable.data.masking import masked
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = (",", ";", "\t", "|")
_SAMPLED_LINES = 64


def read(file: Path, separator: str | None, reading: Reading) -> pd.DataFrame:
    """All rows; see `scrutable.data.frames.read_file`."""
    import pandas as pd

    with _reporting(file, reading.encoding):
        separator = separator or guess_separator(file, reading.encoding)
        names, n_rows, zeros = _scan(file, separator, reading.encoding)
        doubtful = {name: count for name, count in zeros.items() if name not in reading.text | reading.numbers}
        text = [name for name in names if name in reading.text or name in doubtful]
        try:
            frame = _parsed(file, separator, names, reading, text)
        except pd.errors.ParserError as error:
            raise _broken(file, str(error)) from None
    if len(frame) != n_rows:
        raise _broken(file, f"{n_rows} rows by one reading, {len(frame)} by another")
    reading = replace(reading, text=reading.text | codes_among(frame, doubtful))
    with_points, frame = frame, read_numerals(frame, separator, reading)
    if reading.decimal is None:
        commas = [name for name in frame.columns if frame[name].dtype != with_points[name].dtype]
        warn_of_thousands(
            frame,
            commas or list(frame.columns),
            separator,
            lambda columns: _parsed(file, separator, names, reading, columns, usecols=columns, nrows=SAMPLED),
        )
    if reading.dates is not None:
        frame = year_first(frame, reading.dates)
    warn_of_data_in_header(frame)
    warn_of_lookalikes(frame, separator, reading)
    return frame


def _parsed(
    file: Path, separator: str, names: tuple[str, ...], reading: Reading, text: list[str], **more: Any
) -> pd.DataFrame:
    """The rows as pandas reads them, some columns as texts."""
    import pandas as pd

    with open_text(file, reading.encoding) as handle:
        _header(handle, separator, file)
        frame: pd.DataFrame = pd.read_csv(
            handle,
            sep=separator,
            header=None,
            names=list(names),
            index_col=False,
            dtype=dict.fromkeys(text, "str"),
            skipinitialspace=_skips_spaces(separator),
            skip_blank_lines=len(names) > 1,
            na_values=[*MISSING, *sorted(reading.missing)],
            keep_default_na=False,
            low_memory=False,
            decimal=reading.decimal or ".",
            **nearest_doubles(pd.__version__),
            **more,
        )
    return frame


def read_header(file: Path, separator: str | None, encoding: str | None) -> tuple[str, ...]:
    """Column names from the first line that is not empty."""
    with _reporting(file, encoding):
        separator = separator or guess_separator(file, encoding)
        with open_text(file, encoding) as handle:
            return _header(handle, separator, file)


def nearest_doubles(pandas_version: str) -> dict[str, Any]:
    """What makes pandas parse every number to the nearest double: from 3.1 on it always does, and deprecates asking.

    >>> nearest_doubles("2.3.3")
    {'float_precision': 'round_trip'}
    """
    major, minor = map(int, pandas_version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


@contextmanager
def _reporting(file: Path, encoding: str | None) -> Iterator[None]:
    try:
        yield
    except UnicodeError as error:
        got = error.object[error.start : error.start + 1] if isinstance(error, UnicodeDecodeError) else str(error)
        raise not_in_encoding(file, encoding, got) from None
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


def guess_separator(file: Path, encoding: str | None) -> str:
    """The separator that splits the header into most columns, those first that split every row alike."""
    with open_text(file, encoding) as handle:
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
            got=masked(row),
            allowed="a name for every column",
            fix="name the column, or drop it (pandas writes such a column unless index=False is given); " + ADD_HEADER,
        )
    return checked_names(names, where, fix=f"rename or drop the repeated columns; {ADD_HEADER}")


def _scan(file: Path, separator: str, encoding: str | None) -> tuple[tuple[str, ...], int, dict[str, int]]:
    """Names, the number of rows, and for each column that has any the number of values with leading zeros."""
    n_rows = 0
    with open_text(file, encoding) as handle:
        names = _header(handle, separator, file)
        watch = ZeroWatch(handle, separator)
        for row in _rows(iter(watch), separator):
            watch.look(row)
            if len(row) == len(names):
                n_rows += 1
            elif len(names) == 1 and not row:
                n_rows += 1  # an empty line of a single column is a missing value
            elif not _is_blank(row):
                raise InputError(
                    "a row of another length than the header",
                    where=f"file {str(file)!r}, row {n_rows + 1} below the header",
                    got=f"{len(row)} values",
                    allowed=f"{len(names)} values separated by {separator!r}",
                    fix="quote values that contain the separator, or state the right separator",
                )
    if not n_rows:
        raise InputError(
            "no rows below the header", where=f"file {str(file)!r}", fix="give a file with at least one row"
        )
    return names, n_rows, {names[i]: count for i, count in sorted(watch.counts.items())}
