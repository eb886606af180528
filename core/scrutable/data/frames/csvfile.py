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

from scrutable.data.frames.encodings import not_in_encoding, open_text, warn_of_western, western_letters
from scrutable.data.frames.header_line import SAMPLED as TITLED
from scrutable.data.frames.header_line import header_place, warn_of_lines_passed_over
from scrutable.data.frames.headers import ADD_HEADER
from scrutable.data.frames.leading_zeros import ZeroWatch, codes_among
from scrutable.data.frames.missing_words import warn_of_missing_words, with_gaps
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import MISSING, Reading
from scrutable.data.frames.settling import settled
from scrutable.data.frames.thousands import marked_reading
from scrutable.data.frames.totals import leaves_out_totals
from scrutable.data.masking import masked
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = (",", ";", "\t", "|")
_SAMPLED_LINES = 64
_WESTERN = "cp1252"


def read(file: Path, reading: Reading) -> pd.DataFrame:
    """All rows; see `scrutable.data.frames.read_file`."""
    import pandas as pd

    told = reading.header
    with _reporting(file, reading.encoding):
        if reading.encoding is None and (letters := western_letters(file)):
            reading = replace(reading, encoding=_WESTERN)
            warn_of_western(file, letters)
        separator, reading = guessed(file, reading)
        names, n_rows, zeros = _scan(file, separator, reading)
        doubtful = {name: count for name, count in zeros.items() if name not in reading.text | reading.numbers}
        text = [name for name in names if name in reading.text or name in doubtful]
        try:
            frame = _parsed(file, separator, names, reading, text)
        except pd.errors.ParserError as error:
            raise _broken(file, str(error)) from None
    if len(frame) != n_rows:
        raise _broken(file, f"{n_rows} rows by one reading, {len(frame)} by another")
    if leaves_out_totals(frame, reading):
        n_rows -= 1
        frame = _parsed(file, separator, names, reading, text, nrows=n_rows)
    reading = replace(reading, text=reading.text | codes_among(frame, doubtful))
    if told is None:
        _warn_of_titles(file, separator, reading)

    def read_texts(columns: list[str], rows: int | None) -> pd.DataFrame:
        least = n_rows if rows is None else min(rows, n_rows)
        return _parsed(file, separator, names, reading, columns, usecols=columns, nrows=least)

    marked = marked_reading(frame, separator, reading, read_texts)
    if marked != reading:
        reading = marked
        text = [name for name in names if name in reading.text | {*doubtful}]
        frame = _parsed(file, separator, names, reading, text, nrows=n_rows)
    frame = settled(frame, separator, reading)
    if gaps := with_gaps(frame, reading):
        written = _parsed(file, separator, names, reading, gaps, usecols=gaps, na_values=[], nrows=n_rows)
        warn_of_missing_words({name: written[name] for name in gaps}, reading)
    return frame


def _parsed(
    file: Path, separator: str, names: tuple[str, ...], reading: Reading, text: list[str], **more: Any
) -> pd.DataFrame:
    """The rows as pandas reads them, some columns as texts."""
    import pandas as pd

    with _opened(file, reading) as handle:
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
            keep_default_na=False,
            low_memory=False,
            decimal=reading.decimal or ".",
            **nearest_doubles(pd.__version__),
            **{"na_values": [*MISSING, *sorted(reading.missing)], **more},
        )
    return frame


def read_names(file: Path, reading: Reading) -> tuple[str, ...]:
    """Column names from the line that is told, or from the first one that is no title and not empty."""
    with _reporting(file, reading.encoding):
        if reading.encoding is None and western_letters(file):
            reading = replace(reading, encoding=_WESTERN)
        separator, reading = guessed(file, reading)
        with _opened(file, reading) as handle:
            return _header(handle, separator, file)


@contextmanager
def _opened(file: Path, reading: Reading) -> Iterator[TextIO]:
    """The text of a file from the line of its header on."""
    with open_text(file, reading.encoding) as handle:
        for _ in range((reading.header or 1) - 1):
            handle.readline()
        yield handle


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


def guessed(file: Path, reading: Reading) -> tuple[str, Reading]:
    """The separator that is told or splits most columns, and what is told, with the line of a header below titles.

    Best is the separator with which the lines from the header on have one number of columns, then the one with most.
    """
    with _opened(file, reading) as handle:
        lines = list(islice(handle, _SAMPLED_LINES))
    stated = separator_of(file, reading)
    choices = SEPARATORS if stated is None else (stated,)
    if reading.header is None:
        starts = {separator: _start(lines, separator) for separator in choices}
    else:
        starts = dict.fromkeys(choices, 0)
    separator = max(choices, key=lambda each: _merit(lines, each, starts[each]))
    return separator, reading if not starts[separator] else replace(reading, header=starts[separator] + 1)


def separator_of(file: Path, reading: Reading) -> str | None:
    """What stands between two values as it is told, or the file's name says; None where nothing does."""
    return reading.separator or ("\t" if file.name.lower().endswith(".tsv") else None)


def _merit(lines: list[str], separator: str, start: int) -> tuple[bool, int]:
    rows = [row for row in _rows(iter(lines[start:]), separator) if not _is_blank(row)]
    if len(lines) == _SAMPLED_LINES:
        rows = rows[:1] + rows[1:-1]  # the last row may go on below the sample
    widths = [len(row) for row in rows] or [1]
    return len(set(widths)) == 1 < widths[0], widths[0]


def _start(lines: list[str], separator: str) -> int:
    """How many lines stand above the header where these are titles."""
    rows, starts, reader = [], [0], _rows(iter(lines), separator)
    for row in islice(reader, TITLED):
        rows.append(row)
        starts.append(reader.line_num)
    place = header_place(rows)
    return starts[place] if any(not _is_blank(row) for row in rows[:place]) else 0


def _warn_of_titles(file: Path, separator: str, reading: Reading) -> None:
    if reading.header is not None:
        with open_text(file, reading.encoding) as handle:
            above = list(islice(handle, reading.header - 1))
        warn_of_lines_passed_over([row for row in _rows(iter(above), separator) if not _is_blank(row)], reading.header)


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


def _line_of(row: int, file: Path, separator: str, reading: Reading) -> int:
    """The line of the file on which a row begins, 0 being the header."""
    above = (reading.header or 1) - 1
    with open_text(file, reading.encoding) as handle:
        reader = _rows(islice(handle, above, None), separator)
        begins, read = above + 1, -1
        for cells in reader:
            read += not _is_blank(cells)
            if read == row:
                break
            begins = above + reader.line_num + 1
    return begins


def _scan(file: Path, separator: str, reading: Reading) -> tuple[tuple[str, ...], int, dict[str, int]]:
    """Names, the number of rows, and for each column that has any the number of values with leading zeros."""
    n_rows = 0
    with _opened(file, reading) as handle:
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
                    where=f"file {str(file)!r}, row {n_rows + 1} below the header, line "
                    f"{_line_of(n_rows + 1, file, separator, reading)}",
                    got=f"{len(row)} values",
                    allowed=f"{len(names)} values separated by {separator!r}",
                    fix="quote values that contain the separator, or state the right separator",
                )
    if not n_rows:
        raise InputError(
            "no rows below the header", where=f"file {str(file)!r}", fix="give a file with at least one row"
        )
    return names, n_rows, {names[i]: count for i, count in sorted(watch.counts.items())}
