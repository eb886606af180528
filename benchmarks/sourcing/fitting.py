"""Models learned from DuckDB and from memory: CPU time, memory, and whether they are the same to the last byte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import Row

from sourcing.rows import PART, write

_SEED = 1
#: CPU seconds at most of a million rows in memory, by learner, or binner of a scorecard.
_IN_MEMORY = {"quantile": 9, "optimal": 9, "additive": 12, "lda-xgb1": 9}
#: CPU seconds and megabytes at most of ten million rows in DuckDB, and megabytes of a million in memory.
_TEN_MILLION, _MEGABYTES, _MEGABYTES_HERE = 70, 1500, 1200


@dataclass(frozen=True)
class Fitting:
    """How many rows are learned from in DuckDB, and by which learners."""

    home: Path
    rows: int
    learners: Sequence[str] = tuple(_IN_MEMORY)

    def figures(self) -> Iterator[Row]:
        """Time and memory in both places, models that differ, and how time grows."""
        million, many = write(self.home, PART, _SEED), write(self.home, self.rows, _SEED)
        for name in self.learners:
            learner = name if name in ("additive", "lda-xgb1") else f"scorecard, {name}"
            here, there = (_fit(place, name, million) for place in ("memory", "duckdb"))
            wide = _fit("duckdb", name, many)
            note = f"10^6 rows, one thread; {there['seconds']:.1f} s from DuckDB"
            yield _row(f"{learner}: in memory", here["seconds"], "s CPU", _IN_MEMORY[name], note)
            yield _row(f"{learner}: memory of it", here["megabytes"], "MB", _MEGABYTES_HERE)
            yield _row(f"{learner}: models that differ", float(here["model"] != there["model"]), "of 1", 0)
            bound, note = _TEN_MILLION * self.rows / 1e7, f"{self.rows:,} rows, one thread"
            yield _row(f"{learner}: from DuckDB", wide["seconds"], "s CPU", bound, note)
            yield _row(f"{learner}: memory from DuckDB", wide["megabytes"], "MB", _MEGABYTES)
            growth = wide["seconds"] / there["seconds"] / (self.rows / PART)
            yield _row(f"{learner}: growth beside that of the rows", growth, "times", 1.0)


def _row(name: str, value: float, unit: str, bound: float, note: str = "") -> Row:
    return Row(name=name, value=value, unit=unit, relation="<=", bound=bound, note=note)


def _fit(place: str, name: str, pattern: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "sourcing.fit_once", place, name, pattern]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
