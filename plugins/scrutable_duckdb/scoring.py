"""What a model says of rows, worked out by DuckDB from the text of the exporter `sql`, into a file or a table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scrutable import create
from scrutable.errors import InputError
from scrutable.measures import ScoredFile
from scrutable.model.evaluator import kind_of
from scrutable.writing import check_targets, written_whole
from scrutable_duckdb.connections import told
from scrutable_duckdb.databases import parsed_table, writable
from scrutable_duckdb.quoting import name_of, text_of
from scrutable_duckdb.results import Query

if TYPE_CHECKING:
    import duckdb

    from scrutable.model import Model

Say = Callable[[str], None]
#: What the text of the exporter reads.
_ROWS = "scrutable_rows"
#: Seconds between two looks at how far it is.
_LOOKS = 0.2


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is written of each row.

    Parameters
    ----------
    columns : what is selected of each column that the model reads, by its name.
    results : names of results.
    identifier : a column to carry through.
    """

    model: Model
    columns: Mapping[str, str]
    results: Sequence[str]
    identifier: str | None = None

    def select(self) -> str:
        """The query of the results, of a table called `scrutable_rows`."""
        ids = () if self.identifier is None else (self.identifier,)
        told_why = any(name.startswith(("reason_", "short_")) for name in self.results)
        exporter = create(
            "exporter",
            "sql",
            dialect="duckdb",
            table=_ROWS,
            ids=ids,
            points=any(name.startswith("points_") for name in self.results),
            reasons=None if told_why else 0,
            shortfalls=told_why,
            checks=False,
            utf8_names=True,
        )
        export = exporter.export(self.model)
        absent = [name for name in self.results if name not in (export.results or ())]
        if absent:
            fix = "leave --reasons out, or score without --engine"
            raise InputError("SQL does not tell it", where="results", got=", ".join(absent), fix=fix)
        text = export.text.strip().removesuffix(";")
        listed = [*map(name_of, ids), *map(_typed, self.results)]
        return f"SELECT {', '.join(listed)} FROM (\n{text}\n)"

    def rows(self, query: str) -> str:
        """What makes the table that is read."""
        carried = [] if self.identifier is None or self.identifier in self.columns else [name_of(self.identifier)]
        listed = [*(f"{value} AS {name_of(name)}" for name, value in self.columns.items()), *carried]
        return f"CREATE OR REPLACE TEMP VIEW {_ROWS} AS SELECT {', '.join(listed) or 'TRUE AS x'} FROM (\n{query}\n)"


def _typed(name: str) -> str:
    """A result of the kind that the evaluator gives."""
    column = name_of(name)
    return f"CAST({column} AS BIGINT) AS {column}" if kind_of(name) is np.int64 else column


def write_parquet(rows: Query, asked: Asked, output: Path, *, overwrite: bool, say: Say) -> ScoredFile:
    """Write results to a file, which takes its name when all is there.

    Raises
    ------
    InputError : no rows, or a file that cannot be written.
    """
    check_targets([output], overwrite=overwrite)
    with written_whole(output, overwrite=overwrite) as handle, _cursor(rows, asked) as cursor:
        waiting = text_of(handle.name)
        copy = f"COPY ({asked.select()}) TO {waiting} (FORMAT PARQUET, USE_TMP_FILE FALSE)"
        _follow(cursor, copy, rows.where, say)
        return _counted(cursor, f"read_parquet({waiting})", asked, rows.where)


def write_table(rows: Query, asked: Asked, place: str, *, overwrite: bool, say: Say) -> ScoredFile:
    """Write results to a table of a database, in one transaction.

    Raises
    ------
    InputError : no rows, no such database, or a table that is there already.
    """
    file, _, table = place.partition("::")
    where = f"output {place!r}"
    named = parsed_table(table, where)
    with _cursor(rows, asked) as cursor, writable(cursor, rows.database, file, where) as database:
        written = name_of(database, *named)
        if not overwrite and _exists(cursor, written):
            fix = "pass --overwrite (in Python overwrite=True), or name another table"
            raise InputError("exists already", where=where, fix=fix)
        cursor.execute("BEGIN")
        try:
            _follow(cursor, f"CREATE OR REPLACE TABLE {written} AS {asked.select()}", where, say)
            done = _counted(cursor, written, asked, where)
        except BaseException:
            cursor.execute("ROLLBACK")
            raise
        with told(where):
            cursor.execute("COMMIT")
        return done


def _cursor(rows: Query, asked: Asked) -> duckdb.DuckDBPyConnection:
    """A cursor that sees what is to be scored, and writes it in the order of the files."""
    with told(rows.where):
        cursor = rows.cursor()
        cursor.execute("SET preserve_insertion_order = TRUE")
        cursor.execute(asked.rows(rows.query))
    return cursor


def _exists(cursor: duckdb.DuckDBPyConnection, table: str) -> bool:
    import duckdb

    try:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0").fetchall()
    except duckdb.CatalogException:
        return False
    return True


def _counted(cursor: duckdb.DuckDBPyConnection, table: str, asked: Asked, where: str) -> ScoredFile:
    """How many rows were written, and how many of them approved.

    Raises
    ------
    InputError : none.
    """
    decides = "approved" in asked.results
    with told(where):
        counts = f"count(*), {'coalesce(sum(approved), 0)' if decides else 'NULL'}"
        [(rows, approved)] = cursor.execute(f"SELECT {counts} FROM {table}").fetchall()
    if not rows:
        raise InputError("no rows", where=where, fix="give rows to score")
    return ScoredFile(rows=int(rows), approved=int(approved) if decides else None)


def _follow(cursor: duckdb.DuckDBPyConnection, statement: str, where: str, say: Say) -> None:
    """Execute a statement, and say how far it is; what stops us stops it."""
    failed: list[BaseException] = []

    def execute() -> None:
        try:
            cursor.execute(statement)
        except BaseException as error:
            failed.append(error)

    working = threading.Thread(target=execute, daemon=True)
    working.start()
    try:
        while working.is_alive():
            working.join(_LOOKS)
            if (percent := cursor.query_progress()) > 0:
                say(f"Scoring, {percent:.0f} %")
    except BaseException:
        cursor.interrupt()
        working.join()
        raise
    with told(where):
        if failed:
            raise failed[0]
