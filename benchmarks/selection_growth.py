"""By which power of rows and columns the CPU time and the memory of fits with selection grow.

Run: python benchmarks/selection_growth.py [--quick] [--json FILE]

Each fit is a process of its own on one thread. What is told of it is beyond a process that only draws the same
applicants, and beyond what a fit takes of 1,000 rows and three columns: imports, and loops that are compiled. A fit
without selection stands beside those with.
"""

from __future__ import annotations

import math
import sys
from functools import cache

from growing.processes import Used, used
from report import Row, lines, options, show

FITS = (
    "scorecard:none",
    "scorecard:standard",
    "scorecard:iv",
    "scorecard:stepwise",
    "scorecard:best-subset",
    "scorecard:group-penalty",
    "scorecard-regressor:standard",
    "lda-xgb1:standard",
)
#: Rows and columns of the fits along each axis.
SHAPES = {"rows": [(10_000, 30), (100_000, 30)], "columns": [(20_000, 30), (20_000, 100), (20_000, 300)]}
QUICK = {"rows": [(5_000, 10), (20_000, 10)], "columns": [(5_000, 10), (5_000, 30)]}
BOUNDS = {"rows": 1.15, "columns": 1.3}
_SMALL = (1_000, 3)
#: CPU seconds and gigabytes below which nothing is told of growth.
_TOLD = Used(0.05, 0.01)


def main() -> None:
    """A table of what fits take, then the powers with their bounds."""
    chosen = options(__doc__ or "")
    cells, rows = [], []
    for axis, shapes in (QUICK if chosen.quick else SHAPES).items():
        for name in FITS:
            taken = [beyond(name, *shape) for shape in shapes]
            sizes = ", ".join(f"{size:,} {axis}" for size in (shape[axis == "columns"] for shape in shapes))
            seconds, gigabytes = ([getattr(each, what) for each in taken] for what in Used._fields)
            cells.append((name, sizes, said(seconds, "s"), said([1e3 * each for each in gigabytes], "MB")))
            first, last = (shape[axis == "columns"] for shape in shapes[-2:])
            for what, told in zip(Used._fields, _TOLD, strict=True):
                before, now = (max(getattr(each, what), told) for each in taken[-2:])
                power = math.log(now / before) / math.log(last / first)
                figure = "CPU" if what == "seconds" else "memory"
                rows.append(
                    Row(
                        name=f"{name}: power of the {axis}, {figure}",
                        value=power,
                        unit="",
                        relation="<=",
                        bound=BOUNDS[axis],
                    )
                )
    lines("Fits with selection, beyond drawing the applicants", ("fit", "sizes", "CPU", "memory"), cells)
    show("Growth of fits with selection", rows, chosen.json)


def beyond(name: str, rows: int, columns: int) -> Used:
    """What a fit takes beyond drawing its applicants and what a small fit takes."""
    whole, small = fit(name, rows, columns), fit(name, *_SMALL)
    drawn, few = fit("drawn", rows, columns), fit("drawn", *_SMALL)
    return Used(*(max(0.0, a - b - (c - d)) for a, b, c, d in zip(whole, drawn, small, few, strict=True)))


@cache
def fit(name: str, rows: int, columns: int) -> Used:
    """CPU seconds and memory of the process; the smaller of two, since the first one may compile."""
    command = [sys.executable, "-m", "growing.fit", name, str(rows), str(columns)]
    twice = [used(command) for _ in range(2)]
    return Used(*(min(each) for each in zip(*twice, strict=True)))


def said(values: list[float], unit: str) -> str:
    """Values at the sizes, as 0.12, 0.45 s."""
    return ", ".join(f"{each:.2g}" if each < 100 else f"{each:,.0f}" for each in values) + f" {unit}"


if __name__ == "__main__":
    main()
