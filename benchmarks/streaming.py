"""Whole processes that take files block by block: CPU time and peak memory, beside PyArrow copying the same file.

Run: python benchmarks/streaming.py [--quick] [--json FILE]

A copy reads all columns as doubles and texts and writes them to a file of the same kind. Memory stands beside that of
600,000 rows, for which the compiled loops are there, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
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
_FEWER, _FEW, _MILLION = 600_000, 100_000, 1_000_000
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
        many, parquet_bounds = (1_000_000, (2.5, 1000.0, 3.0)) if chosen.quick else (10_000_000, (15.0, 1000.0, 3.0))
        rows = [
            *scored(home, ".csv", 1_000_000, (3.0, 500.0, 2.5), runs),
            *scored(home, ".parquet", many, parquet_bounds, runs),
            *monitored(home, runs),
            *noticed(home, runs),
        ]
    show("Streaming", rows, chosen.json)


def scored(home: Path, suffix: str, n_rows: int, bounds: tuple[float, float, float], runs: int) -> Iterator[Row]:
    """CPU time, also in copies, and memory of one kind of file."""
    source, fewer = home / f"rows{suffix}", home / f"fewer{suffix}"
    write(source, n_rows)
    write(fewer, _FEWER)
    commands = score(home, source), score(home, fewer)
    yield from timed_beside_copy("score", source, n_rows, commands, _FEWER, (*bounds, 1.25), runs)


def monitored(home: Path, runs: int) -> Iterator[Row]:
    """The monitoring of a million rows beside themselves, in memory also beside that of 100,000."""
    source, fewer = home / "rows.csv", home / "few.csv"
    write(source, _MILLION)
    write(fewer, _FEW)
    commands = monitor(home, source), monitor(home, fewer)
    yield from timed_beside_copy("monitor", source, _MILLION, commands, _FEW, (8.0, 600.0, 6.0, 2.2), runs)


def noticed(home: Path, runs: int) -> Iterator[Row]:
    """The notices of a million rows of which one in a thousand is declined, beside those of 100,000."""
    source, fewer = home / "rows.csv", home / "few.csv"
    shown = subprocess.run([*_CLI, "notices", "--example-lender"], check=True, capture_output=True, text=True)
    (home / "lender.toml").write_text(shown.stdout)
    card = cards.scorecard()
    few_below = float(np.quantile(score_rows(card, cards.applicants(100_000)).score, 0.001))
    assert card.reasons is not None
    dump(replace(card, cutoff=few_below, reasons=replace(card.reasons, cutoff=few_below)), home / "lenient.json")
    commands = notices(home, source), notices(home, fewer)
    yield from timed_beside_copy("notices", source, _MILLION, commands, _FEW, (20.0, 600.0, 15.0, 1.6), runs)


def timed_beside_copy(
    command: str,
    source: Path,
    n_rows: int,
    commands: tuple[list[str], list[str]],
    fewer: int,
    bounds: tuple[float, float, float, float],
    runs: int,
) -> Iterator[Row]:
    """Rows of a command on a file: CPU time, also in copies, and memory, also in that of fewer rows."""
    seconds, peak = process(commands[0], runs)
    copy, copied = process([sys.executable, "-c", _COPY, str(source), str(source.with_stem("copy"))], runs)
    _, before = process(commands[1], 1)
    what = f"{command} {n_rows:,} rows of {source.suffix}"
    note = f"copying takes {copy:.2f} s and {copied:.0f} MB"
    yield Row(name=f"{what}: CPU", value=seconds, unit="s", relation="<=", bound=bounds[0], peer=copy, note=note)
    yield Row(name=f"{what}: memory", value=peak, unit="MB", relation="<=", bound=bounds[1], peer=copied)
    yield Row(name=f"{what}: CPU / copy", value=seconds / copy, unit="x", relation="<=", bound=bounds[2])
    yield Row(name=f"{what}: memory / {fewer:,} rows", value=peak / before, unit="x", relation="<=", bound=bounds[3])


def score(home: Path, source: Path) -> list[str]:
    """The command."""
    output = home / f"scores{source.suffix}"
    asked = ["--points", "--reasons", "--overwrite", "--output", str(output)]
    return [*_CLI, "score", str(home / "model.json"), str(source), *asked]


def monitor(home: Path, source: Path) -> list[str]:
    """The command; without drift it ends well."""
    return [*_CLI, "monitor", str(home / "model.json"), str(source), str(source), "--json"]


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
