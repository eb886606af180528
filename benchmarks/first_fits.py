"""What the first fit of each learner takes: a fresh process, 1,000 rows, and nothing compiled before.

Run: python benchmarks/first_fits.py [--quick] [--json FILE]

CPU time of the whole process on one thread, imports included, beside one that only imports numba, scikit-learn and
pandas. Numba keeps compiled loops in a folder; each process is given an empty one, so that the second row of a learner,
which is a process that finds what the first one left there, says what was spent on compiling.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile

from growing.processes import used
from report import Row, options, show

ROWS, COLUMNS = 1_000, 20
#: CPU seconds of a first fit, on a machine where the yardstick takes one second.
BOUNDS = {
    "scorecard": 2.0,
    "scorecard-regressor": 2.0,
    "segmented": 2.0,
    "lda-xgb1": 2.0,
    "fairgbm": 2.0,
    "rug": 2.5,
    "fcca-tree": 4.0,
}
_YARDSTICK = [sys.executable, "-c", "import numba, sklearn, pandas"]


def main() -> None:
    """First and second processes of every learner."""
    chosen = options(__doc__ or "")
    runs = 3 if chosen.quick else 7
    yardstick = statistics.median(used(_YARDSTICK).seconds for _ in range(runs))
    rows = []
    for learner, bound in BOUNDS.items():
        first, second = zip(*(first_and_second(learner) for _ in range(runs)), strict=True)
        seconds, again = statistics.median(first), statistics.median(second)
        note = f"{seconds:.2f} s; the process after it {again:.2f} s"
        rows.append(
            Row(
                name=f"first {learner} / imports",
                value=seconds / yardstick,
                unit="x",
                relation="<=",
                bound=bound,
                note=note,
            )
        )
    show(f"First fits of {ROWS:,} rows; the imports take {yardstick:.2f} s", rows, chosen.json)


def first_and_second(learner: str) -> tuple[float, float]:
    """CPU seconds of a process that fits without compiled code of an earlier one, and of another one after it."""
    fit = [sys.executable, "-m", "growing.fit", learner, str(ROWS), str(COLUMNS)]
    with tempfile.TemporaryDirectory() as kept:
        kept_there = os.environ | {"NUMBA_CACHE_DIR": kept}
        return used(fit, kept_there).seconds, used(fit, kept_there).seconds


if __name__ == "__main__":
    main()
