"""How long notices take, and reasons of a million applicants."""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
from clock import median_seconds, yardstick
from exporting import rates
from report import Row

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate

LENDER = {
    "name": "Example Bank",
    "address": ["1 Main Street", "Springfield, IL 62701"],
    "phone": "(555) 010-0100",
    "signature": "Credit Department",
    "agency": {
        "name": "Bureau of Consumer Financial Protection",
        "address": ["1700 G Street NW.", "Washington, DC 20552"],
    },
}


def rows_of_speed(quick: bool) -> Iterator[Row]:
    """Notices as HTML and PDF, reasons in Python and in DuckDB."""
    german = load_german_credit()
    card: Scorecard = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    count, runs = (100, 1) if quick else (1_000, 3)
    applicants = _declined(card, german.X, count)
    _notices(card, applicants.head(20), "pdf")  # imports, and fonts that are found once
    started = 60  # what it takes to start two workers, which import the documents' libraries
    for form, bound in (("html", 60), ("pdf", 1_500)):
        seconds, sort = statistics.median(_notices(card, applicants, form) for _ in range(runs)), yardstick(5)
        yield Row(
            name=f"{count:,} notices as {form} / sorting a million doubles",
            value=seconds / sort,
            unit="x",
            relation="<=",
            bound=started + bound * count / 1_000,
            note=f"two processes, written: {seconds:.2f} s and {1000 * sort:.0f} ms of CPU time",
        )
    n_rows = 100_000 if quick else 1_000_000
    X = german.X.iloc[np.random.default_rng(0).integers(0, len(german.X), n_rows)].reset_index(drop=True)
    taken = median_seconds(lambda: evaluate(card, X), 5)
    plain = median_seconds(lambda: evaluate(card, X, reasons=False), 5)
    yield Row(
        name=f"four reasons of {n_rows:,} applicants in Python / the score alone",
        value=taken / plain,
        unit="x",
        relation="<=",
        bound=4,
        note=f"{taken:.2f} and {plain:.2f} s of CPU time",
    )
    columns: dict[str, Any] = {
        str(name): X[name].to_numpy(dtype=object if X[name].dtype.kind not in "if" else float) for name in X
    }
    if quick:  # DuckDB's own cost of a statement counts less
        columns = {name: np.tile(values, 5) for name, values in columns.items()}
    alone = rates.sql(card, columns, 5, points=False, reasons=0)
    for what, further in (("four reasons", {"shortfalls": False}), ("four reasons and points short", {})):
        text = create("exporter", "sql", dialect="duckdb", points=False, **further).export(card).text
        taken = rates.in_duckdb(text, columns, 5)
        yield Row(
            name=f"{what} inside DuckDB, by the score alone",
            value=taken / alone,
            unit="x",
            relation=">=",
            bound=0.25,
            note=f"{taken / 1e6:.2f} and {alone / 1e6:.2f} M rows a second of CPU time, one thread; "
            f"by the clock, two threads: {_by_the_clock(text, columns) / 1e6:.2f}",
        )


def _by_the_clock(text: str, columns: dict[str, Any]) -> float:
    """Rows a second by the clock, of a table in memory, the results kept as another."""
    with duckdb.connect() as connection:
        connection.execute("SET threads = 2")
        connection.register("rows", pa.table(columns))
        connection.execute("CREATE TABLE applicants AS SELECT * FROM rows")
        taken = []
        for _ in range(6):
            before = time.perf_counter()
            connection.execute(f"CREATE OR REPLACE TEMP TABLE results AS {text.rstrip().rstrip(';')}")
            taken.append(time.perf_counter() - before)
    return len(next(iter(columns.values()))) / statistics.median(taken[1:])


def _declined(card: Scorecard, X: pd.DataFrame, count: int) -> pd.DataFrame:
    declined = X[~evaluate(card, X).approved]
    drawn = declined.iloc[np.random.default_rng(0).integers(0, len(declined), count)].reset_index(drop=True)
    return drawn.assign(number=[f"A-{i:05d}" for i in range(count)], who=[f"Applicant {i}" for i in range(count)])


def _notices(card: Scorecard, applicants: pd.DataFrame, form: str) -> float:
    """Seconds of CPU time from the options to files in a folder, of this process and its workers."""
    with tempfile.TemporaryDirectory() as folder:
        before = _of_all()
        notices = create(
            "exporter",
            "notices",
            applicants=applicants,
            lender=LENDER,
            date="2026-11-22",
            formats=form,
            id="number",
            name="who",
            workers=2,
        )
        notices.export(card).write(folder)
        taken = _of_all() - before
        assert len(list(Path(folder).iterdir())) > len(applicants)
    return taken


def _of_all() -> float:
    """Seconds of CPU time of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
