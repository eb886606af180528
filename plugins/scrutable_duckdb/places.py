"""What a text names: files of Parquet or CSV, a table of a database, or a query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable_duckdb.connections import Limits, connected, told
from scrutable_duckdb.csv_files import csv_query
from scrutable_duckdb.databases import Database, parsed_table
from scrutable_duckdb.parquet_files import parquet_query
from scrutable_duckdb.quoting import name_of
from scrutable_duckdb.results import Query

if TYPE_CHECKING:
    import duckdb

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
        query = f"SELECT * FROM {name_of(*parsed_table(table, where))}"
        return Query(connection, query, where, Database.read(connection, file, where))
    suffixes = [suffix.lower() for suffix in Path(place).suffixes]
    if suffixes[-1:] == [".sql"]:
        attached = None if database is None else Database.read(connection, database, f"database {database!r}")
        return Query(connection, _checked(connection, _read(Path(place), where), where), where, attached)
    if suffixes[-1:] == [".parquet"]:
        with told(where):
            query = parquet_query(connection, place)
        return Query(connection, query, where)
    if {*suffixes[-2:]} & {".csv", ".tsv"}:
        with told(where):
            query = csv_query(connection, place, text=text, numbers=numbers, missing=missing)
        return Query(connection, query, where)
    raise InputError("no place that DuckDB reads", where=where, allowed=_ALLOWED, fix="name one of these")


def _read(file: Path, where: str) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise InputError("cannot be read", where=where, got=str(error), fix="check the file") from None


def _checked(connection: duckdb.DuckDBPyConnection, query: str, where: str) -> str:
    """A query that reads and does nothing else, without what ends it, so that it can be a part of another one."""
    import duckdb
    import sqlglot

    with told(where):
        statements = connection.extract_statements(query)
    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
        got = ", ".join(each.type.name for each in statements) or "nothing"
        raise InputError("no query", where=where, got=got, allowed="one SELECT", fix="write one SELECT")
    tokens = sqlglot.tokenize(query, read="duckdb")
    while tokens[-1].token_type is sqlglot.TokenType.SEMICOLON:
        query = query[: tokens.pop().start]
    return query
