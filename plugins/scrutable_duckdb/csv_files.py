"""CSV files as DuckDB reads them, with kinds that all rows decide and not a sample of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.data.frames import read_header
from scrutable.errors import InputError
from scrutable_duckdb.quoting import name_of, text_of

if TYPE_CHECKING:
    import duckdb

#: A number that is no code: of leading zeros and signs of plus there are none.
_NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?"


def csv_query(
    connection: duckdb.DuckDBPyConnection,
    place: str,
    *,
    text: Sequence[str] = (),
    numbers: Sequence[str] = (),
    missing: Sequence[str] = (),
) -> str:
    """A query of CSV files, in which a column is of numbers if each text in it is one; the empty text is missing.

    Nothing is left to DuckDB to guess: commas (tabs in .tsv files) stand between values, and names in the first line.

    Raises
    ------
    InputError : files whose first lines differ.
    duckdb.Error : they cannot be read.
    """
    names = _header(connection, place)
    texts = _texts(place, names, missing)
    doubtful = [name for name in names if name not in {*text, *numbers}]
    counts = [f"coalesce(bool_and(regexp_full_match({name_of(name)}, {text_of(_NUMBER)})), TRUE)" for name in doubtful]
    are = connection.sql(f"SELECT {', '.join(counts)} FROM {texts}").fetchall()[0] if counts else ()
    numeric = {*numbers, *(name for name, number in zip(doubtful, are, strict=True) if number)}
    listed = [
        f"CAST({name_of(name)} AS DOUBLE) AS {name_of(name)}" if name in numeric else name_of(name) for name in names
    ]
    return f"SELECT {', '.join(listed)} FROM {texts}"


def _header(connection: duckdb.DuckDBPyConnection, place: str) -> tuple[str, ...]:
    """The names in the first line, which are the same in all files."""
    where = f"place {place!r}"
    files = [Path(file) for (file,) in connection.execute("SELECT file FROM glob(?) ORDER BY ALL", [place]).fetchall()]
    if not files:
        raise InputError("there are no such files", where=where, fix="correct the path or the pattern")
    names = read_header(files[0])
    other = next((file for file in files[1:] if read_header(file) != names), None)
    if other is not None:
        raise InputError(
            f"other columns, or in another order, in {str(other)!r} than in {str(files[0])!r}",
            where=where,
            fix="give files of the same columns, or write them as Parquet, which is read by name",
        )
    return names


def _texts(place: str, names: Sequence[str], missing: Sequence[str]) -> str:
    """What reads all columns as texts."""
    columns = ", ".join(f"{text_of(name)}: 'VARCHAR'" for name in names)
    nothing = ", ".join(map(text_of, ["", *missing]))
    tabs = ".tsv" in Path(place).suffixes
    return (
        f"read_csv({text_of(place)}, auto_detect = FALSE, header = TRUE, delim = {text_of(chr(9) if tabs else ',')}, "
        f"quote = '\"', escape = '\"', columns = {{{columns}}}, nullstr = [{nothing}])"
    )
