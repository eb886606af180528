"""Applicants as tables in engines, and the CPU time of statements whose results are kept as tables."""

from __future__ import annotations

import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from exporting import cards
from scrutable.plugins import library
from scrutable.testing.servers import postgres_server


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table of applicants in an engine."""

    n_rows: int
    execute: Callable[[str], object]
    cpu: Callable[[], float] = time.process_time
    create: str = "CREATE TABLE results AS"

    def seconds(self, texts: Mapping[str, str], runs: int) -> dict[str, float]:
        """Median CPU seconds of each statement, all in turn, after a first time."""
        taken: dict[str, list[float]] = {name: [] for name in texts}
        for _ in range(runs + 1):
            for name, text in texts.items():
                self.execute("DROP TABLE IF EXISTS results")
                start = self.cpu()
                self.execute(f"{self.create} {text.rstrip().rstrip(';')}")
                taken[name].append(self.cpu() - start)
        return {name: statistics.median(each[1:]) for name, each in taken.items()}


@contextmanager
def in_duckdb(n_rows: int) -> Iterator[Loaded]:
    """DuckDB, in memory."""
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.register("rows", pa.table(_columns(n_rows)))
        connection.execute("CREATE TABLE applicants AS SELECT * FROM rows")
        yield Loaded(n_rows, connection.execute)


@contextmanager
def in_sqlite(n_rows: int) -> Iterator[Loaded]:
    """SQLite, in memory."""
    connection = sqlite3.connect(":memory:")
    connection.isolation_level = None
    connection.execute(f"CREATE TABLE applicants ({_typed('REAL', 'TEXT')})")
    marks = ", ".join("?" * len(_columns(0)))
    connection.executemany(f"INSERT INTO applicants VALUES ({marks})", _rows(n_rows))
    yield Loaded(n_rows, connection.execute)
    connection.close()


@contextmanager
def in_postgres(n_rows: int) -> Iterator[Loaded]:
    """PostgreSQL, a server of its own; Linux alone tells the time of its process."""
    psycopg = library("psycopg", "scrutable[sql]")
    with postgres_server() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE applicants ({_typed('DOUBLE PRECISION', 'TEXT')})")
        with connection.cursor().copy("COPY applicants FROM STDIN") as copy:
            for row in _rows(n_rows):
                copy.write_row(row)
        for setting in ("max_parallel_workers_per_gather = 0", "jit = off"):
            connection.execute(f"SET {setting}")
        connection.execute("VACUUM ANALYZE applicants")
        used = Path(f"/proc/{connection.info.backend_pid}/schedstat")
        yield Loaded(
            n_rows,
            connection.execute,
            cpu=lambda: int(used.read_text().split()[0]) / 1e9,
            create="CREATE UNLOGGED TABLE results AS",
        )


@contextmanager
def in_clickhouse(n_rows: int) -> Iterator[Loaded]:
    """ClickHouse, in this process."""
    connection = library("chdb", "chdb").connect(":memory:")
    connection.query(f"CREATE DATABASE bench_{os.getpid()}")
    connection.query(f"USE bench_{os.getpid()}")
    connection.query("SET max_threads = 1")
    rows = pa.table({name: pa.array(values, from_pandas=False) for name, values in _columns(n_rows).items()})
    kinds = _typed("Nullable(Float64)", "Nullable(String)")
    connection.query(f"CREATE TABLE applicants ({kinds}) ENGINE = MergeTree ORDER BY tuple()")
    assert rows.num_rows == n_rows  # found by its name, from the text of the query
    connection.query("INSERT INTO applicants SELECT * FROM Python(rows)")
    yield Loaded(n_rows, connection.query, create="CREATE TABLE results ENGINE = Memory AS")
    connection.close()


ENGINES: dict[str, Any] = {
    "postgres": in_postgres,
    "duckdb": in_duckdb,
    "sqlite": in_sqlite,
    "clickhouse": in_clickhouse,
}


def _columns(n_rows: int) -> dict[str, Any]:
    columns = cards.applicants(n_rows)
    return {feature.name: columns[feature.name] for feature in cards.scorecard().features}


def _rows(n_rows: int) -> Iterator[tuple[Any, ...]]:
    columns = (
        [None if value is None or value != value else value for value in values.tolist()]
        for values in map(np.asarray, _columns(n_rows).values())
    )
    return zip(*columns, strict=True)


def _typed(number: str, text: str) -> str:
    return ", ".join(f'"{name}" {number if name.startswith("number") else text}' for name in _columns(0))
