"""Whole processes that take files block by block: CPU time and peak memory, beside PyArrow copying the same file.

Run: python benchmarks/streaming.py [--quick] [--json FILE]

A copy reads all columns as doubles and texts and writes them to a file of the same kind. Memory stands beside that of
600,000 rows, for which the compiled loops are there, too. What each different weight adds to the monitoring's is the
peak of a million weights of many digits less that of the same applicants who weigh 1 each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from clock import process
from exporting import cards
from pyarrow import csv
from report import Row, options, show

from scrutable import dump
from scrutable.measures import score_rows

_COPY = """
import sys
import pyarrow as pa, pyarrow.csv as csv, pyarrow.parquet as pq
pa.set_cpu_count(1)
source, target = sys.argv[1:]
if source.endswith(".csv"):
    with csv.open_csv(source, csv.ReadOptions(use_threads=False)) as rows, csv.CSVWriter(target, rows.schema) as copy:
        for batch in rows:
            copy.write_batch(batch)
else:
    with pq.ParquetFile(source) as rows, pq.ParquetWriter(target, rows.schema_arrow) as copy:
        for batch in rows.iter_batches(131_072, use_threads=False):
            copy.write_batch(batch)
"""
_PLAIN = csv.WriteOptions(quoting_style="none", quoting_header="none")
_CLI = [sys.executable, "-m", "scrutable.cli"]
_FEWER, _MILLION = 600_000, 1_000_000
#: Rows that are made at once.
_BLOCK = 500_000


def main() -> None:
    """CSV and Parquet, scored with points and reasons; CSV monitored, and its declined noticed."""
    chosen = options(__doc__ or "")
    os.environ.update(OMP_NUM_THREADS="1", ARROW_IO_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        dump(cards.scorecard(), home / "model.json")
        runs = 3 if chosen.quick else 5
        many, parquet_bounds = (_MILLION, (2.5, 1000.0, 3.0)) if chosen.quick else (10_000_000, (15.0, 1000.0, 3.0))
        of_csv, of_parquet = made(home, ".csv", _MILLION), made(home, ".parquet", many)
        rows = [
            *scored(home, of_csv, _MILLION, (3.0, 500.0, 2.5), runs),
            *scored(home, of_parquet, many, parquet_bounds, runs),
            *monitored(home, of_csv, runs),
            *weighed(home, of_csv[0]),
            *noticed(home, of_csv, runs),
        ]
    show("Streaming", rows, chosen.json)


def made(home: Path, suffix: str, n_rows: int) -> tuple[Path, Path]:
    """Files of so many rows, and of fewer."""
    source, fewer = home / f"rows{suffix}", home / f"fewer{suffix}"
    write(source, n_rows)
    write(fewer, _FEWER)
    return source, fewer


def scored(
    home: Path, files: tuple[Path, Path], n_rows: int, bounds: tuple[float, float, float], runs: int
) -> Iterator[Row]:
    """CPU time, also in copies, and memory of one kind of file."""
    yield from timed_beside_copy("score", files, n_rows, partial(score, home), bounds, runs)


def monitored(home: Path, files: tuple[Path, Path], runs: int) -> Iterator[Row]:
    """The monitoring of a million rows beside themselves."""

    def command(source: Path) -> list[str]:
        return monitor(home, source, source)

    yield from timed_beside_copy("monitor", files, _MILLION, command, (8.0, 600.0, 4.0), runs)


def weighed(home: Path, source: Path) -> Iterator[Row]:
    """What a weight that differs from all others takes of the memory of monitoring."""
    applicants, peaks = csv.read_csv(source), dict[str, float]()
    for name, weights in (
        ("equal", np.ones(_MILLION)),
        ("different", np.random.default_rng(1).uniform(0.5, 2, _MILLION)),
    ):
        csv.write_csv(applicants.append_column("weight", pa.array(weights)), home / f"{name}.csv", _PLAIN)
        command = [*monitor(home, source, home / f"{name}.csv"), "--weight", "weight"]
        _, peaks[name] = process(command, 1)
    each = (peaks["different"] - peaks["equal"]) * 1e6 / _MILLION
    yield Row(name="monitor, each different weight: memory", value=each, unit="bytes", relation="<=", bound=300)


def noticed(home: Path, files: tuple[Path, Path], runs: int) -> Iterator[Row]:
    """The notices of a million rows of which one in a thousand is declined."""
    shown = subprocess.run([*_CLI, "notices", "--example-lender"], check=True, capture_output=True, text=True)
    (home / "lender.toml").write_text(shown.stdout)
    card = cards.scorecard()
    few_below = float(np.quantile(score_rows(card, cards.applicants(100_000)).score, 0.001))
    assert card.reasons is not None
    dump(replace(card, cutoff=few_below, reasons=replace(card.reasons, cutoff=few_below)), home / "lenient.json")
    yield from timed_beside_copy("notices", files, _MILLION, partial(notices, home), (30.0, 600.0, 15.0), runs)


def timed_beside_copy(
    command: str,
    files: tuple[Path, Path],
    n_rows: int,
    called: Callable[[Path], list[str]],
    bounds: tuple[float, float, float],
    runs: int,
) -> Iterator[Row]:
    """Rows of a command on a file: CPU time, also in copies, and memory, also in that of fewer rows."""
    source, fewer = files
    seconds, peak = process(called(source), runs)
    copy, copied = process([sys.executable, "-c", _COPY, str(source), str(source.with_stem("copy"))], runs)
    _, before = process(called(fewer), 1)
    what = f"{command} {n_rows:,} rows of {source.suffix}"
    note = f"copying takes {copy:.2f} s and {copied:.0f} MB"
    yield Row(name=f"{what}: CPU", value=seconds, unit="s", relation="<=", bound=bounds[0], peer=copy, note=note)
    yield Row(name=f"{what}: memory", value=peak, unit="MB", relation="<=", bound=bounds[1], peer=copied)
    yield Row(name=f"{what}: CPU / copy", value=seconds / copy, unit="x", relation="<=", bound=bounds[2])
    yield Row(name=f"{what}: memory / {_FEWER:,} rows", value=peak / before, unit="x", relation="<=", bound=1.25)


def score(home: Path, source: Path) -> list[str]:
    """The command."""
    output = home / f"scores{source.suffix}"
    asked = ["--points", "--reasons", "--overwrite", "--output", str(output)]
    return [*_CLI, "score", str(home / "model.json"), str(source), *asked]


def monitor(home: Path, baseline: Path, new: Path) -> list[str]:
    """The command; without drift it ends well."""
    return [*_CLI, "monitor", str(home / "model.json"), str(baseline), str(new), "--json"]


def notices(home: Path, source: Path) -> list[str]:
    """The command; each format would write a file for every declined applicant, so text is asked for."""
    asked = ["--lender", str(home / "lender.toml"), "--date", "2026-11-22", "--format", "text"]
    folder = home / f"notices of {source.stem}"
    return [*_CLI, "notices", str(home / "lenient.json"), str(source), *asked, "--overwrite", "--output", str(folder)]


def write(file: Path, n_rows: int) -> None:
    """Applicants with numbers of four decimals."""
    names = [feature.name for feature in cards.scorecard().features]

    def block(start: int) -> pa.Table:
        columns = cards.applicants(min(_BLOCK, n_rows - start), seed=start)
        rounded = {name: columns[name] if columns[name].dtype == object else columns[name].round(4) for name in names}
        return pa.table({name: pa.array(values, from_pandas=True) for name, values in rounded.items()})

    schema = block(0).schema
    is_csv = file.suffix == ".csv"
    with csv.CSVWriter(file, schema, write_options=_PLAIN) if is_csv else pq.ParquetWriter(file, schema) as rows:
        for start in range(0, n_rows, _BLOCK):
            rows.write_table(block(start))


if __name__ == "__main__":
    main()
