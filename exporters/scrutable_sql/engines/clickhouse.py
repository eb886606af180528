"""ClickHouse, in this process, from the wheel `chdb`."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from scrutable.plugins import library
from scrutable.proof import execute
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.table import Columns, Table
from scrutable_sql.quoting import name


@dataclass(frozen=True, slots=True)
class ClickHouse(Engine):
    """A database in memory, or in a folder; one thread, so that rows keep their order.

    The process has one ClickHouse only, so that each run has a database of its own there, dropped in the end.
    """

    path: str = ":memory:"

    def run(self, text: str, table: Table) -> Columns:
        with self.connected() as connection:
            made: list[str] = []
            try:
                for database in (f"`scrutable_{uuid.uuid4().hex}`", *table.schemas()):
                    connection.query(f"CREATE DATABASE {database}")
                    made.append(database)
                connection.query(f"USE {made[0]}")
                connection.query(f"SET max_threads = 1, max_query_size = {len(text.encode()) + 1_000_000}")
                _load(table, connection)
                result = table.select(text, partial(execute, connection))
                return [column.to_numpy() for column in result.itercolumns()]
            finally:
                for database in made:
                    connection.query(f"DROP DATABASE {database}")

    @contextmanager
    def connected(self) -> Iterator[Any]:
        connection = library("chdb", "chdb").connect(self.path)
        try:
            yield connection
        finally:
            connection.close()

    def version(self) -> str:
        with self.connected() as connection:
            version = str(connection.query("SELECT version()", "TSV")).strip()
        return f"ClickHouse {version}"


def _load(table: Table, connection: Any) -> None:
    d = table.options.target
    kinds = [kind for _, kind, _ in table.all_columns()]
    connection.query(f"{table.create('CREATE TABLE')} ENGINE = MergeTree ORDER BY tuple()")
    rows = table.arrow()  # found by its name, from the text of the query
    columns = ", ".join(f"CAST({name(f'c{i}', d)} AS {kind})" for i, kind in enumerate(kinds))
    if rows.num_rows:
        connection.query(f"INSERT INTO {table.quoted} SELECT {columns} FROM Python(rows)")
