"""Files of DuckDB as databases of a connection of ours: read without the right to change them, unless we write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable_duckdb.connections import told
from scrutable_duckdb.quoting import text_of

if TYPE_CHECKING:
    import duckdb

#: What databases are called within a connection: one that rows are read from, and another one that we write to.
READ, WRITTEN = "given", "written"


@dataclass(frozen=True)
class Database:
    """A file whose tables a connection reads."""

    file: str
    where: str

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection, file: str, where: str) -> Database:
        """Attach a file without the right to change it.

        Raises
        ------
        InputError : there is no such file, or it is none of DuckDB.
        """
        _attach(connection, file, where, READ, " (READ_ONLY)")
        return cls(file, where)

    def use(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Make its tables those that a cursor finds without the name of a database."""
        cursor.execute(f"USE {READ}")

    @contextmanager
    def writable(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[str]:
        """The name by which a cursor may write to it meanwhile."""
        cursor.execute(f"USE memory; DETACH {READ}")
        try:
            _attach(cursor, self.file, self.where, READ, "")
            self.use(cursor)
            yield READ
        finally:
            cursor.execute(f"USE memory; DETACH DATABASE IF EXISTS {READ}")
            self.read(cursor, self.file, self.where)


@contextmanager
def writable(cursor: duckdb.DuckDBPyConnection, read: Database | None, file: str, where: str) -> Iterator[str]:
    """The name of a database that a cursor may write to meanwhile, which may be the one that it reads.

    Raises
    ------
    InputError : there is no such file, or it cannot be written to.
    """
    if read is not None and os.path.exists(file) and os.path.samefile(file, read.file):
        with read.writable(cursor) as name:
            yield name
        return
    _attach(cursor, file, where, WRITTEN, "")
    try:
        yield WRITTEN
    finally:
        cursor.execute(f"DETACH {WRITTEN}")


def parsed_table(table: str, where: str) -> list[str]:
    """The name of a table, behind that of its schema if there is one.

    Raises
    ------
    InputError : it is no such name.

    Examples
    --------
    >>> parsed_table('lending."all loans"', "place")
    ['lending', 'all loans']
    """
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
    return parts


def _attach(connection: duckdb.DuckDBPyConnection, file: str, where: str, name: str, how: str) -> None:
    if not Path(file).is_file():
        raise InputError("there is no such database", where=where, got=file, fix="correct its path")
    with told(where):
        connection.execute(f"ATTACH {text_of(file)} AS {name}{how}")
