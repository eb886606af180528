"""Work done where rows live, in DuckDB: simulated applicants with 26 characteristics and two protected attributes.

Run: python benchmarks/engines.py [--quick] [--json FILE] [--rows N] [--folder DIR] [--only fitting|scoring]

Rows are in Parquet files of a million each, made once in a folder, which may be kept for the next run. Times are CPU
seconds with all threads: of a fit alone, or of a whole process that scores. Rates are rows a second of two threads,
without what a process of a thousand rows takes to start; memory is the most that a process held.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from report import parser, show
from sourcing.fitting import Fitting
from sourcing.rows import PART
from sourcing.scoring import Scoring

_ROWS, _QUICK = 10_000_000, 3 * PART


def main() -> None:
    """Fitting and scoring."""
    ours = parser(__doc__ or "")
    ours.add_argument("--rows", type=int, help=f"rows in DuckDB; {_ROWS:,}, or {_QUICK:,} with --quick")
    ours.add_argument("--only", choices=["fitting", "scoring"], help="figures of one kind alone")
    ours.add_argument("--folder", type=Path, help="where the files of rows are, or are made, and stay")
    chosen = ours.parse_args()
    rows, runs = chosen.rows or (_QUICK if chosen.quick else _ROWS), 1 if chosen.quick else 5
    with tempfile.TemporaryDirectory() as folder:
        home = chosen.folder or Path(folder)
        fitting = Fitting(home, rows, ["quantile"]) if chosen.quick else Fitting(home, rows)
        figures = [] if chosen.only == "scoring" else [*fitting.figures()]
        figures += [] if chosen.only == "fitting" else Scoring(home, rows, runs).figures()
    show("Where rows live", figures, chosen.json)


if __name__ == "__main__":
    main()
