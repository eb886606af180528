"""One application, one month and the new rows alone, in PostgreSQL, beside look-ups and the whole table.

Times are CPU seconds of the server process on one thread: neither the client's work nor the way to it counts.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from exporting import cards
from report import Row

from scrutable import create
from scrutable.plugins import library
from scrutable.testing.servers import postgres_server

#: Executions of a prepared statement that are timed as one; the first of them plan it anew.
MANY, FIRST = 300, 20
NEW = 1_000


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL with applicants in a table with a key, and in one that is partitioned by month."""

    execute: Callable[..., Any]
    cpu: Callable[[], float]

    def seconds(self, works: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
        """Median CPU seconds of each piece of work, all in turn, after a first time."""
        taken: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(runs + 1):
            for name, work in works.items():
                start = self.cpu()
                work()
                taken[name].append(self.cpu() - start)
        return {name: statistics.median(each[1:]) for name, each in taken.items()}


def rows(*, quick: bool) -> Iterator[Row]:
    """The figures of all forms."""
    n_rows, runs = (100_000, 3) if quick else (1_000_000, 5)
    with _server(n_rows) as server:
        yield from _one_application(server, n_rows, runs)
        yield from _one_month(server, runs)
        yield from _new_rows(server, n_rows, runs)


def _one_application(server: Server, n_rows: int, runs: int) -> Iterator[Row]:
    """A prepared look-up by key, the view and the function by the same key, and the function with values."""
    _make(server, form="view", name="scores", key="id")
    _make(server, form="function", name="score_one")
    names = ", ".join(f'a."{feature.name}"' for feature in cards.scorecard().features)
    texts = {
        "look-up": "SELECT * FROM applicants WHERE id = $1",
        "view": "SELECT * FROM scores WHERE id = $1",
        "function": f"SELECT s.* FROM applicants AS a CROSS JOIN LATERAL score_one({names}) AS s WHERE a.id = $1",
    }
    for name, text in texts.items():
        server.execute(f'PREPARE "{name}" (BIGINT) AS {text}')
    keys = np.random.default_rng(0).integers(1, n_rows + 1, MANY).tolist()

    def executed(name: str) -> Callable[[], None]:
        def work() -> None:
            for key in keys:
                server.execute(f'EXECUTE "{name}" ({key})')

        return work

    for name in texts:
        for key in keys[:FIRST]:
            server.execute(f'EXECUTE "{name}" ({key})')
    taken = server.seconds({name: executed(name) for name in texts}, runs)
    for name in ("view", "function"):
        yield Row(
            name=f"one application by the {name} / look-up by key",
            value=taken[name] / taken["look-up"],
            unit="x",
            relation="<=",
            bound=20,
            note=f"{taken[name] / MANY * 1e6:.0f} µs; look-up {taken['look-up'] / MANY * 1e6:.0f} µs",
        )


def _one_month(server: Server, runs: int) -> Iterator[Row]:
    """A month of twelve through a view of a table that is partitioned by month."""
    _make(server, form="view", name="monthly", key="id", ids=["day"], table="by_month")
    month = "SELECT * FROM monthly WHERE day >= DATE '2026-03-01' AND day < DATE '2026-04-01'"
    works = {"month": _kept(server, month), "whole": _kept(server, "SELECT * FROM monthly")}
    taken = server.seconds(works, runs)
    yield Row(
        name="a month of twelve / a twelfth of the whole",
        value=taken["month"] / (taken["whole"] / 12),
        unit="x",
        relation="<=",
        bound=1.3,
        note=f"{taken['month']:.2f} s; whole {taken['whole']:.2f} s",
    )


def _new_rows(server: Server, n_rows: int, runs: int) -> Iterator[Row]:
    """A thousand rows whose keys are not in the target yet, beside scoring all rows anew."""
    _make(server, form="table", name="kept_scores", key="id")
    server.execute("CREATE UNIQUE INDEX ON kept_scores (id)")
    server.execute("ANALYZE kept_scores")
    keys = {"by a rising key": "id", "by key": None}
    inserts = {
        name: _text(form="insert", name="kept_scores", key="id", new_only=True, rising=rising)
        for name, rising in keys.items()
    }
    whole = _kept(server, _text(key="id").rstrip().rstrip(";"))
    taken: dict[str, list[float]] = {name: [] for name in (*inserts, "whole")}
    for _ in range(runs):
        for name, insert in inserts.items():
            server.execute(f"DELETE FROM kept_scores WHERE id > {n_rows - NEW}")
            start = server.cpu()
            server.execute(insert)
            taken[name].append(server.cpu() - start)
            ((count,),) = server.execute("SELECT COUNT(*) FROM kept_scores").fetchall()
            assert count == n_rows
            server.execute("VACUUM kept_scores")
        start = server.cpu()
        whole()
        taken["whole"].append(server.cpu() - start)
    medians = {name: statistics.median(each) for name, each in taken.items()}
    for name in inserts:
        yield Row(
            name=f"{NEW:,} new rows of {n_rows:,} {name} / the whole",
            value=medians[name] / medians["whole"],
            unit="x",
            relation="<=",
            bound=0.01 if keys[name] else 0.5,  # every key of both tables is compared
            note=f"{medians[name] * 1e3:.0f} ms; whole {medians['whole']:.1f} s",
        )


def _text(**options: Any) -> str:
    exporter = create("exporter", "sql", dialect="postgres", points=False, shortfalls=False, checks=False, **options)
    text: str = exporter.export(cards.scorecard()).text
    return text


def _make(server: Server, **options: Any) -> None:
    server.execute(_text(**options))


def _kept(server: Server, text: str) -> Callable[[], None]:
    def work() -> None:
        server.execute("DROP TABLE IF EXISTS results")
        server.execute(f"CREATE UNLOGGED TABLE results AS {text}")

    return work


@contextmanager
def _server(n_rows: int) -> Iterator[Server]:
    psycopg = library("psycopg", "scrutable[sql]")
    with postgres_server() as url, psycopg.connect(url, autocommit=True) as connection:
        _load(connection, n_rows)
        for setting in ("max_parallel_workers_per_gather = 0", "jit = off", "work_mem = '256MB'"):
            connection.execute(f"SET {setting}")
        used = Path(f"/proc/{connection.info.backend_pid}/schedstat")
        yield Server(connection.execute, cpu=lambda: int(used.read_text().split()[0]) / 1e9)


def _load(connection: Any, n_rows: int) -> None:
    columns = cards.applicants(n_rows)
    names = [feature.name for feature in cards.scorecard().features]
    typed = ", ".join(f'"{name}" {"FLOAT8" if name.startswith("number") else "TEXT"}' for name in names)
    connection.execute(f"CREATE UNLOGGED TABLE applicants (id BIGINT PRIMARY KEY, day DATE, {typed})")
    days = np.datetime64("2026-01-01") + np.arange(n_rows) * 365 // n_rows
    values = [[None if each is None or each != each else each for each in columns[name].tolist()] for name in names]
    with connection.cursor().copy("COPY applicants FROM STDIN") as copy:
        for row in zip(range(1, n_rows + 1), days.tolist(), *values, strict=True):
            copy.write_row(row)
    connection.execute(f"CREATE TABLE by_month (id BIGINT, day DATE, {typed}) PARTITION BY RANGE (day)")
    for month in range(1, 13):
        end = "2027-01-01" if month == 12 else f"2026-{month + 1:02}-01"
        within = f"FOR VALUES FROM ('2026-{month:02}-01') TO ('{end}')"
        connection.execute(f"CREATE UNLOGGED TABLE month_{month} PARTITION OF by_month {within}")
    connection.execute("INSERT INTO by_month SELECT * FROM applicants")
    connection.execute("VACUUM ANALYZE applicants")
    connection.execute("ANALYZE by_month")
