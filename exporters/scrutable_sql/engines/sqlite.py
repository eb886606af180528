"""SQLite, of Python's standard library."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

from scrutable.proof import execute
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.table import Columns, Table, transposed


@dataclass(frozen=True, slots=True)
class SQLite(Engine):
    """A database in memory or in a file, where all happens in a transaction that is rolled back."""

    path: str = ":memory:"

    def run(self, text: str, table: Table) -> Columns:
        with self.connected() as connection:
            for schema in table.schemas():
                connection.execute(f"ATTACH ':memory:' AS {schema}")
            connection.execute("BEGIN")
            connection.execute(table.create("CREATE TEMPORARY TABLE" if table.plain else "CREATE TABLE"))
            marks = ", ".join("?" * len(table.all_columns()))
            connection.executemany(f"INSERT INTO {table.quoted} VALUES ({marks})", table.rows())
            cursor = table.select(text, partial(execute, connection))
            return transposed(cursor.fetchall(), len(cursor.description))

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path)) as connection:
            connection.isolation_level = None  # no transaction but our own
            _mathematics(connection)
            yield connection

    def version(self) -> str:
        return f"SQLite {sqlite3.sqlite_version}"


def _mathematics(connection: sqlite3.Connection) -> None:
    """EXP and LN, if SQLite was built without its mathematical functions."""
    try:
        connection.execute("SELECT EXP(0)")
    except sqlite3.OperationalError:
        for name, function in (("EXP", math.exp), ("LN", math.log)):
            connection.create_function(name, 1, partial(_of_number, function), deterministic=True)


def _of_number(function: Callable[[float], float], value: float | None) -> float | None:
    return None if value is None else function(value)
