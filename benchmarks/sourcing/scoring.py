"""Rows scored in DuckDB by the command, whole processes, beside the same rows scored block by block in Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from clock import process, yardstick
from report import Row

from scrutable import create, dump
from sourcing.rows import PART, PROTECTED, TARGET, applicants, write

_CLI = [sys.executable, "-m", "scrutable.cli", "score"]
_THREADS = 2
#: Rows a second of two threads, by whether points are asked for: the least that there have to be, in millions.
_LEAST = {False: 3.0, True: 1.8}
_LEARNED, _FEW = 50_000, 1_000
_SEED = 1


@dataclass(frozen=True)
class Scoring:
    """What is scored, and how often it is timed."""

    home: Path
    rows: int
    runs: int

    def figures(self) -> Iterator[Row]:
        """Rates without and with points, the memory that they take, and how many rows the evaluator says otherwise."""
        self._learn()
        many, million, few = (write(self.home, rows, _SEED) for rows in (self.rows, PART, _FEW))
        sorting = yardstick(self.runs)
        for points, least in _LEAST.items():
            what = "score in DuckDB, with points" if points else "score in DuckDB"
            seconds, peak = process(self._in_duckdb(many, points), self.runs)
            start, _ = process(self._in_duckdb(few, points), self.runs)
            python, _ = process(self._in_python(million, points), self.runs)
            rate, peer = self.rows / 1e6 / (seconds - start) * _THREADS, PART / 1e6 / python
            told = f"{self.rows:,} rows, {seconds:.1f} s CPU and {start:.1f} to start; in Python one thread; "
            told += f"sorting 10^6 takes {sorting:.3f} s"
            yield Row(name=what, value=rate, unit="M rows/s", relation=">=", bound=least, peer=peer, note=told)
            yield Row(name=f"{what}: memory", value=peak, unit="MB", relation="<=", bound=1000)
            differing = self._differing(million, points)
            told = "score, decision, points; probabilities further than two units in the last place"
            name = f"{what}: rows of a million that differ"
            yield Row(name=name, value=differing, unit="rows", relation="<=", bound=0, note=told)

    def _learn(self) -> None:
        frame = applicants(_LEARNED, _SEED + 1)
        binner = create("binner", "quantile", special_codes={"bureau_score": [-9.0]})
        learner = create("learner", "scorecard", binner=binner, select=None, favourable=0)
        learned = learner.fit(frame.drop(columns=[TARGET, *PROTECTED]), frame[TARGET])
        dump(learned.model_, self.home / "model.json", overwrite=True)

    def _in_duckdb(self, place: str, points: bool) -> list[str]:
        return self._command(place, "duckdb.parquet", points, "--engine", f"duckdb:threads={_THREADS}")

    def _in_python(self, place: str, points: bool) -> list[str]:
        return self._command(place.replace("*", "0000"), "python.parquet", points)

    def _command(self, place: str, output: str, points: bool, *more: str) -> list[str]:
        asked = ["--points"] if points else []
        written = ["-o", str(self.home / output), "--overwrite"]
        return [*_CLI, str(self.home / "model.json"), place, *written, *asked, *more]

    def _differing(self, place: str, points: bool) -> int:
        """Rows of which DuckDB says anything else than the evaluator."""
        for command in (self._in_duckdb(place, points), self._in_python(place, points)):
            subprocess.run(command, check=True, capture_output=True)
        theirs, ours = (pq.read_table(self.home / f"{name}.parquet") for name in ("duckdb", "python"))
        assert theirs.column_names == ours.column_names
        differing = np.zeros(ours.num_rows, dtype=bool)
        for name in ours.column_names:
            one, other = (each.column(name).to_pandas() for each in (theirs, ours))
            near = 2 * np.spacing(other.to_numpy()) if name == "probability" else 0.0
            same = (
                (one - other).abs() <= near
                if name.startswith(("score", "prob", "approved", "points_"))
                else one == other
            )
            differing |= ~(same | (one.isna() & other.isna())).to_numpy(dtype=bool)
        return int(differing.sum())
