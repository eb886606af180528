"""Small CSV files in which nothing is doubtful, read without pandas, whose import takes longer than reading them."""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from scrutable.data.frames.column import Coded, Column, from_numbers
from scrutable.data.frames.reading import MISSING
from scrutable.data.frames.table import Table
from scrutable.data.frames.totals import Sums, is_word_for_totals

#: Bytes of the largest file that is read so; beyond, pandas reads in less time than it is imported in.
LARGEST = 2**21
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
#: A number that every reader takes for this very double, and none for a code, thousands or a date.
_NUMBER = re.compile(r"(?!-0$)-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,2}|\.[0-9]{4,25})?")
#: A text that looks like no number, with or without a unit, and like no truth value or word for nothing.
_WORD = re.compile(r"(?!(?i:true|false|inf|infinity)$)[^\W\d_][^\W\d_ ]{2,}[^\d]*")


def is_small(file: Path) -> bool:
    """Whether a file is no Parquet and no larger than what is read so, or not there at all."""
    try:
        return file.suffix.lower() != ".parquet" and file.stat().st_size <= LARGEST
    except OSError:
        return True


def read_plain(file: Path, *, text: Container[str], numbers: Container[str]) -> Table | None:
    """The rows of a file; None where it is large, is no such file, or anything in it is to be mended or told of.

    Parameters
    ----------
    text, numbers : columns to read as they stand in the file, and as numbers; others hold either numbers or words that
        nobody takes for numbers.
    """
    separator = _SEPARATORS.get(file.suffix.lower())
    rows = None if separator is None else _rows(file, separator)
    if rows is None:
        return None
    header, *cells = rows
    names = [name.strip() for name in header]
    if not cells or not _are_names(names) or any(len(row) != len(names) for row in cells):
        return None
    if is_word_for_totals(cells[-1]):
        return None
    columns, sums = {}, Sums()
    for name, values in zip(names, zip(*cells, strict=True), strict=True):
        known = [None if value in MISSING else value for value in values]
        column = _texts(name, known) if name in text else _numbers(name, known)
        if column is None and name not in numbers and all(value not in MISSING for value in values if value):
            column = _words(name, known)
        if column is None or name in values:  # which would then be a row of data
            return None
        columns[name] = column
        if column.kind == "numeric":
            sums.add(name, np.nan_to_num(column.values))
    if sums.names:
        return None
    return Table(len(cells), {name: partial(columns.__getitem__, name) for name in names})


def are_numbers(values: Iterable[str]) -> bool:
    """Whether a column of these is read as numbers, which are these very doubles, and nothing is told of it.

    >>> are_numbers(["640", "529.5"]), are_numbers(["640", "007"])
    (True, False)
    """
    return all(map(_NUMBER.fullmatch, values))


def _rows(file: Path, separator: str) -> list[list[str]] | None:
    """The fields of all lines; None where quotes, other separators or blank lines ask for more than splitting."""
    try:
        if file.stat().st_size > LARGEST:
            return None
        content = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeError):
        return None
    lines = content.removesuffix("\n").split("\n")
    others = {",", ";", "\t", "|", '"', "\r", "\0"} - {separator}
    if any(mark in content for mark in others) or separator not in lines[0] or not all(map(str.strip, lines)):
        return None
    return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))


def _are_names(names: Sequence[str]) -> bool:
    """Whether these are names of columns, each once, and no row of data."""
    return len(set(names)) == len(names) and not any(name == "" or name[0] in "+-.0123456789" for name in names)


def _texts(name: str, known: Sequence[str | None]) -> Column:
    levels = [*dict.fromkeys(value for value in known if value is not None), None]
    places = {level: place for place, level in enumerate(levels)}
    codes = np.array([places[value] for value in known], dtype=np.intp)
    return Column(name, "categorical", Coded(np.array(levels, dtype=object), codes))


def _numbers(name: str, known: Sequence[str | None]) -> Column | None:
    if not are_numbers(value for value in known if value is not None):
        return None
    return from_numbers(name, np.array([np.nan if value is None else float(value) for value in known]))


def _words(name: str, known: Sequence[str | None]) -> Column | None:
    return _texts(name, known) if all(value is None or _WORD.fullmatch(value) for value in set(known)) else None
