"""What a text names: files of Parquet or CSV, a table of a database, or a query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable_duckdb.connections import Limits, connected, told
from scrutable_duckdb.csv_files import csv_query
from scrutable_duckdb.quoting import name_of, text_of
from scrutable_duckdb.results import Query

if TYPE_CHECKING:
    import duckdb

#: What a database is called within a connection of ours.
_BANK = "given"
_ALLOWED = ".parquet or .csv files, a table as bank.duckdb::schema.table, or a .sql file with one SELECT"


def opened_place(
    place: str,
    limits: Limits,
    *,
    database: str | None = None,
    text: Sequence[str] = (),
    numbers: Sequence[str] = (),
    missing: Sequence[str] = (),
) -> Query:
    """The rows that a text names, by a connection of their own; see `DuckDBSource.opened`.

    Raises
    ------
    InputError : there is no such place, or DuckDB cannot read it.
    """
    where = f"place {place!r}"
    file, _, table = place.partition("::")
    connection = connected(limits)
    if table:
        begin = _attached(connection, file, where)
        return Query(connection, f"SELECT * FROM {_table(table, where)}", where, begin)
    suffixes = [suffix.lower() for suffix in Path(place).suffixes]
    if suffixes[-1:] == [".sql"]:
        begin = "" if database is None else _attached(connection, database, f"database {database!r}")
        return Query(connection, _checked(connection, _read(Path(place), where), where), where, begin)
    if suffixes[-1:] == [".parquet"]:
        return Query(connection, f"SELECT * FROM read_parquet({text_of(place)}, union_by_name = TRUE)", where)
    if {*suffixes[-2:]} & {".csv", ".tsv"}:
        with told(where):
            query = csv_query(connection, place, text=text, numbers=numbers, missing=missing)
        return Query(connection, query, where)
    raise InputError("no place that DuckDB reads", where=where, allowed=_ALLOWED, fix="name one of these")


def _attached(connection: duckdb.DuckDBPyConnection, file: str, where: str) -> str:
    """Attach a database without the right to change it; what makes it the one that a cursor's tables are in."""
    if not Path(file).is_file():
        raise InputError("there is no such database", where=where, got=file, fix="correct its path")
    with told(where):
        connection.execute(f"ATTACH {text_of(file)} AS {_BANK} (READ_ONLY)")
    return f"USE {_BANK}"


def _table(table: str, where: str) -> str:
    """The quoted name of a table, with its schema if that is named."""
    import sqlglot
    from sqlglot import exp

    try:
        parsed = sqlglot.parse_one(table, into=exp.Table, dialect="duckdb")
        parts = [part.name for part in parsed.parts]
    except (sqlglot.errors.SqlglotError, AttributeError):
        parts = []
    if not 1 <= len(parts) <= 2 or parsed.alias or parsed.args.get("joins"):
        raise InputError(
            "no name of a table", where=where, got=table, allowed="table or schema.table", fix="correct it"
        )
    return name_of(*parts)


def _read(file: Path, where: str) -> str:
    try:
        return file.read_text(encoding="utf-8-sig").strip().rstrip(";")
    except (OSError, UnicodeError) as error:
        raise InputError("cannot be read", where=where, got=str(error), fix="check the file") from None


def _checked(connection: duckdb.DuckDBPyConnection, query: str, where: str) -> str:
    """A query that reads and does nothing else."""
    import duckdb

    with told(where):
        statements = connection.extract_statements(query)
    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
        got = ", ".join(each.type.name for each in statements) or "nothing"
        raise InputError("no query", where=where, got=got, allowed="one SELECT", fix="write one SELECT")
    return statements[0].query
