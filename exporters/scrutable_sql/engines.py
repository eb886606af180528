"""Running a text in a real engine, on rows that are loaded for it and gone afterwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError, PluginError
from scrutable.model.evaluator import OutputFrame
from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import name, qualified

Values = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows to load: columns by name, each of doubles or of texts and None."""

    options: SQLOptions
    columns: dict[str, Values]
    kinds: dict[str, str]
    n_rows: int

    def all_columns(self) -> list[tuple[str, str, Values]]:
        """Name, type and values of every column; identifiers that are not among the data are numbered rows."""
        d = self.options.engine
        types = {"numeric": d.double, "categorical": d.text}
        booleans = {self.options.column(feature) for feature in self.options.booleans}
        found = [
            (key, "BOOLEAN", _booleans(key, values)) if key in booleans else (key, types[self.kinds[key]], values)
            for key, values in self.columns.items()
        ]
        taken = {key.casefold() for key in self.columns}
        numbers = np.arange(self.n_rows)
        found += [(key, "BIGINT", numbers) for key in self.options.ids if key.casefold() not in taken]
        return found or [("nothing", "BIGINT", numbers)]

    @property
    def quoted(self) -> str:
        """The table's name for the engine."""
        return qualified(self.options.table, self.options.engine)

    def create(self) -> str:
        """The statement that makes the table."""
        columns = ", ".join(f"{name(key, self.options.engine)} {kind}" for key, kind, _ in self.all_columns())
        return f"CREATE TABLE {self.quoted} ({columns})"

    def rows(self) -> Iterable[tuple[Any, ...]]:
        """Rows of Python values."""
        return zip(*(values.tolist() for _, _, values in self.all_columns()), strict=True)

    def schemas(self) -> list[str]:
        """The schemas that must be there, quoted."""
        used = [self.options.table, *([self.options.name] if self.options.name is not None else [])]
        return list(dict.fromkeys(name(item[0], self.options.engine) for item in used if not isinstance(item, str)))

    def select(self, text: str, execute: Callable[[str], Any]) -> Any:
        """Execute the text, and read what it made if it is no query itself."""
        if self.options.name is None:
            return execute(text)
        execute(text)
        return execute(f"SELECT * FROM {qualified(self.options.name, self.options.engine)}")


def run(text: str, results: Sequence[str], table: Table, url: str | None) -> OutputFrame:
    """The results of a text, in the order of the table's rows.

    The statements only project: no join, no sort, no aggregate. Rows come out as they went in, given that the engines
    scan in the order of insertion, which is set or the rule in each of them.
    """
    engine = {"sqlite": _sqlite, "duckdb": _duckdb, "postgres": _postgres}[table.options.dialect]
    columns = engine(text, table, url)[len(table.options.ids) :]
    return OutputFrame({key: _typed(key, values) for key, values in zip(results, columns, strict=True)})


def _sqlite(text: str, table: Table, url: str | None) -> list[Any]:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    try:
        try:
            connection.execute("SELECT EXP(0)")
        except sqlite3.OperationalError:  # built without its mathematical functions
            connection.create_function("EXP", 1, lambda z: None if z is None else math.exp(z), deterministic=True)
        for schema in table.schemas():
            connection.execute(f"ATTACH ':memory:' AS {schema}")
        connection.execute(table.create())
        marks = ", ".join("?" * len(table.all_columns()))
        connection.executemany(f"INSERT INTO {table.quoted} VALUES ({marks})", table.rows())
        return _columns(table.select(text, connection.execute).fetchall())
    finally:
        connection.close()


def _duckdb(text: str, table: Table, url: str | None) -> list[Any]:
    import pyarrow as pa

    duckdb = _imported("duckdb", "scrutable[sql]")
    with duckdb.connect() as connection:
        for schema in table.schemas():
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        connection.execute(table.create())
        arrays = [pa.array(values, from_pandas=False) for _, _, values in table.all_columns()]
        connection.register("loaded rows", pa.table(arrays, names=[f"c{i}" for i in range(len(arrays))]))
        connection.execute(f'INSERT INTO {table.quoted} SELECT * FROM "loaded rows"')
        connection.unregister("loaded rows")
        found = table.select(text, connection.sql).to_arrow_table()
        return [column.to_numpy() for column in found.itercolumns()]


def _postgres(text: str, table: Table, url: str | None) -> list[Any]:
    """In one transaction that is rolled back, in the temporary schema unless one is named; nothing stays."""
    psycopg = _imported("psycopg", "psycopg[binary]")
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        schemas = table.schemas()
        for schema in schemas:
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        cursor.execute(f"SET LOCAL search_path TO {schemas[0] if schemas else 'pg_temp'}")
        cursor.execute("SET LOCAL jit TO off")  # compiling a long statement takes longer than running it here
        cursor.execute("SET LOCAL synchronize_seqscans TO off")
        cursor.execute("SET LOCAL max_parallel_workers_per_gather TO 0")
        cursor.execute(table.create())
        with cursor.copy(f"COPY {table.quoted} FROM STDIN") as copy:
            for row in table.rows():
                copy.write_row(row)
        columns = _columns(table.select(text, cursor.execute).fetchall())
        connection.rollback()
        return columns


def _columns(rows: list[tuple[Any, ...]]) -> list[Any]:
    return list(zip(*rows, strict=True))


def _typed(key: str, values: Any) -> Values:
    """Codes as objects, decisions as integers, everything else as doubles."""
    if key == "knock_out" or key.startswith("reason_"):
        return np.array(values, dtype=object)
    return np.asarray(values, dtype=np.int64 if key in ("approved", "predicted") else np.float64)


def _booleans(key: str, values: Values) -> Values:
    if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        raise InputError(
            "other values than 0 and 1 in a column of truth values",
            where=f"column {key!r}",
            fix="leave the feature out of the option booleans",
        )
    return np.array([None if math.isnan(value) else value == 1.0 for value in values.tolist()], dtype=object)


def _imported(module: str, package: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PluginError("a library it needs is not installed", got=module, fix=f"pip install '{package}'") from error
