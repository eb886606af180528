"""Monitoring as a statement in three engines: whether it tells what `monitor` does of the same rows, and what it takes.

CPU seconds are those of the engine on one thread, loading the table apart, beside those of `monitor` on files.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import pandas as pd
from clock import timed
from exporting import cards
from report import Row

from scrutable import create
from scrutable.measures import Stability
from scrutable.plugins import library
from scrutable.testing.servers import postgres_server
from scrutable_lifecycle.monitoring import Columns, Monitoring, monitor, watch

#: What engines take beside `monitor`, at most.
BOUNDS = {"duckdb": 3.0, "sqlite": 20.0, "postgres": 8.0}
_COLUMNS = Columns(protected=("sex",), reference={"sex": "m"}, target="paid")
#: Executes a statement; CPU seconds so far are told by the other.
Execute = Callable[[str], Sequence[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class _Engine:
    execute: Execute
    seconds: Callable[[], float] | None = None

    def timed(self, text: str) -> tuple[float, Sequence[tuple[Any, ...]]]:
        """CPU seconds of a statement, and what it returns."""
        if self.seconds is None:
            return timed(lambda: self.execute(text))
        start = self.seconds()
        told = self.execute(text)
        return self.seconds() - start, told


def rows_of_monitored(*, quick: bool = False) -> Iterator[Row]:
    """Counts and figures that differ, and CPU time."""
    n_rows, runs = (100_000, 3) if quick else (1_000_000, 3)
    model = cards.scorecard()
    with tempfile.TemporaryDirectory() as folder:
        baseline, new = Path(folder, "baseline.parquet"), Path(folder, "new.parquet")
        _applicants(n_rows // 2, 1).to_parquet(baseline)
        rows = _applicants(n_rows, 2)
        rows.to_parquet(new)
        measured = [timed(lambda: monitor(model, baseline, new, columns=_COLUMNS)) for _ in range(runs)]
        with patch.dict(os.environ, SCRUTABLE_MIN_CELL="1"):  # levels put together could not be compared
            watching = watch(model, baseline, columns=_COLUMNS)
    whole, monitoring = statistics.median(seconds for seconds, _ in measured), measured[0][1]
    for dialect, engine in (("duckdb", _duckdb), ("sqlite", _sqlite), ("postgres", _postgres)):
        exporter = create("exporter", "sql", dialect=dialect, monitoring=watching, checks=False)
        text = str(exporter.export(model).files["score_monitoring.sql"]).rstrip().rstrip(";")
        with engine(rows) as running:
            told = [running.timed(text) for _ in range(runs)]
        different, apart = _compared(told[0][1], monitoring)
        seconds = statistics.median(each for each, _ in told)
        what = f"monitoring {n_rows:,} rows in {dialect}"
        yield Row(name=f"{what}: counts that differ", value=different, unit="", relation="<=", bound=0)
        yield Row(name=f"{what}: largest relative difference", value=apart, unit="", relation="<=", bound=1e-12)
        yield Row(
            name=f"{what} / monitor",
            value=seconds / whole,
            unit="x",
            relation="<=",
            bound=BOUNDS[dialect],
            note=f"{seconds:.2f} s of CPU; monitor on Parquet, intervals included, {whole:.2f}",
        )


def _applicants(n_rows: int, seed: int) -> pd.DataFrame:
    """Applicants of whom those of the second sample drifted, with groups and outcomes."""
    rng = np.random.default_rng(seed)
    names = [feature.name for feature in cards.scorecard().features]
    frame = pd.DataFrame({name: cards.applicants(n_rows, seed)[name] for name in names})
    frame["number_0"] += 0.3 * (seed - 1)
    return frame.assign(
        sex=np.array(["f", "m", "x", None], dtype=object)[rng.choice(4, n_rows, p=[0.45, 0.45, 0.08, 0.02])],
        paid=np.array(["good", "bad", None], dtype=object)[rng.choice(3, n_rows, p=[0.7, 0.2, 0.1])],
    )


def _compared(told: Sequence[tuple[Any, ...]], monitoring: Monitoring) -> tuple[int, float]:
    """How many counts differ from those of a monitoring, and by how much its figures at most."""
    by_name = {tuple(row[:3]): row[3:] for row in told}
    [part] = monitoring.parts
    assert part.score is not None
    assert monitoring.reasons is not None
    reasons = monitoring.reasons
    indices: list[tuple[str, Stability, float, float]] = [
        ("psi", part.score, part.baseline_rows, part.new_rows),
        *(("csi", each, part.baseline_rows, part.new_rows) for each in part.characteristics),
        ("psi", reasons.first, reasons.baseline_declined, reasons.new_declined),
    ]
    counts, figures = [], []
    for measure, index, before, now in indices:
        figures.append((by_name[measure, index.name, None][4], index.index))
        for band in index.bands:
            count, expected, *_, value, _, _, _ = by_name[measure, index.name, band.name]
            counts += [(count, band.new * now), (expected, band.baseline * before)]
            figures.append((value, band.contribution))
    for group in monitoring.new.groups:
        counts.append((by_name["group", group.attribute, group.group][0], group.size))
        figures += [
            (by_name["approval rate", group.attribute, group.group][2], group.approval_rate),
            (by_name["adverse impact ratio", group.attribute, group.group][4], group.impact_ratio),
            (by_name["bad rate among approved", group.attribute, group.group][2], group.bad_rate_among_approved),
        ]
    different = sum(count != round(wanted) for count, wanted in counts)
    return different, max(abs(value - wanted) / abs(wanted) for value, wanted in figures if wanted)


@contextmanager
def _duckdb(rows: pd.DataFrame) -> Iterator[_Engine]:
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.register("given", rows)
        connection.execute("CREATE TABLE applicants AS SELECT * FROM given")
        yield _Engine(lambda text: connection.execute(text).fetchall())


@contextmanager
def _sqlite(rows: pd.DataFrame) -> Iterator[_Engine]:
    with closing(sqlite3.connect(":memory:")) as connection:
        rows.to_sql("applicants", connection, index=False)
        yield _Engine(lambda text: connection.execute(text).fetchall())


@contextmanager
def _postgres(rows: pd.DataFrame) -> Iterator[_Engine]:
    psycopg = library("psycopg", "scrutable[sql]")
    kinds = ", ".join(f'"{name}" {"FLOAT8" if name.startswith("number") else "TEXT"}' for name in map(str, rows))
    with postgres_server() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE UNLOGGED TABLE applicants ({kinds})")
        with connection.cursor().copy("COPY applicants FROM STDIN (FORMAT csv)") as copy:
            for start in range(0, len(rows), 50_000):
                copy.write(rows[start : start + 50_000].to_csv(header=False, index=False))
        for setting in ("max_parallel_workers_per_gather = 0", "jit = off", "work_mem = '256MB'"):
            connection.execute(f"SET {setting}")
        used = Path(f"/proc/{connection.info.backend_pid}/schedstat")
        yield _Engine(lambda text: connection.execute(text).fetchall(), lambda: int(used.read_text().split()[0]) / 1e9)
