"""DuckDB, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from scrutable.plugins import library
from scrutable.proof import execute
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.refusals import refusals_told
from scrutable_sql.engines.table import Columns, Table


@dataclass(frozen=True, slots=True)
class DuckDB(Engine):
    """A database in memory or in a file, where all happens in a transaction that is rolled back."""

    path: str = ":memory:"

    def run(self, text: str, table: Table) -> Columns:
        with self.connected() as connection:
            connection.execute("BEGIN")
            for schema in table.schemas():
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            with refusals_told(table):
                connection.execute(table.create("CREATE TEMPORARY TABLE" if table.plain else "CREATE TABLE"))
            connection.register("loaded rows", table.arrow())
            connection.execute(f'INSERT INTO {table.quoted} SELECT * FROM "loaded rows"')
            connection.unregister("loaded rows")
            result = table.select(text, partial(execute, connection)).to_arrow_table()
            connection.execute("ROLLBACK")
            return [column.to_numpy() for column in result.itercolumns()]

    @contextmanager
    def connected(self) -> Iterator[Any]:
        with library("duckdb", "scrutable[sql]").connect(self.path) as connection:
            yield connection

    def version(self) -> str:
        return f"DuckDB {library('duckdb', 'scrutable[sql]').__version__}"
