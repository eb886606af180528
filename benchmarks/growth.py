"""By which power of rows, columns, categories and groups the time of everything grows.

Run: python benchmarks/growth.py [--quick] [--json FILE]

Each call is timed at rising sizes, in CPU time on one thread. The power is the slope between the last two sizes, where
what a call costs at any size matters least. A call that would take too long at the next size is not made there. Bounds
are what n log n stays below at these sizes; what grows faster has its reason in docs/growth.md. It takes half an hour;
`--quick` makes small calls of binners and exporters.
"""

from __future__ import annotations

import math
import tempfile
import warnings
from functools import partial
from pathlib import Path
from typing import NamedTuple

from clock import timed
from growing.calls import Call, Shape, Subject, calls
from report import Row, lines, options, show
from threadpoolctl import threadpool_limits

USUAL = Shape(rows=20_000, columns=30, categories=12, groups=2)
SIZES = {
    "rows": (10_000, 100_000, 1_000_000),
    "columns": (10, 30, 100, 300),
    "categories": (10, 100, 1_000, 10_000),
    "groups": (2, 5, 20),
}
QUICK = {"rows": (5_000, 20_000), "columns": (10, 40), "categories": (10, 100), "groups": (2, 5)}
BOUNDS = {"rows": 1.15, "columns": 1.3, "categories": 1.3, "groups": 1.3}
_MOST_SECONDS = 20.0
_TOLD = 0.05  # seconds; what takes less tells nothing of growth


class Point(NamedTuple):
    """CPU seconds at a size."""

    size: int
    seconds: float


def main() -> None:
    """A table of powers, then a row for each."""
    chosen = options(__doc__ or "")
    some = [call for call in calls() if not chosen.quick or call.name.startswith(("binner", "exporter"))]
    points: dict[tuple[str, str], list[Point]] = {}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for axis, sizes in (QUICK if chosen.quick else SIZES).items():
            for size in sizes:
                with tempfile.TemporaryDirectory() as folder:
                    measure(Subject(USUAL._replace(**{axis: size}), Path(folder)), some, axis, size, points)
    cells = [(call.name, *(said(points.get((call.name, axis), [])) for axis in SIZES)) for call in some]
    lines("Powers, with CPU seconds at the largest size", ("call", *SIZES), cells)
    told = {key: each for key, each in points.items() if not math.isnan(power(each))}
    show("Growth", [row_of(name, axis, each) for (name, axis), each in told.items()], chosen.json)


def measure(
    subject: Subject, some: list[Call], axis: str, size: int, points: dict[tuple[str, str], list[Point]]
) -> None:
    """Time the calls that depend on this size and do not take too long at it, and note what they took."""
    for call in some:
        if axis not in call.grows_by:
            continue
        before = points.setdefault((call.name, axis), [])
        if before and before[-1].seconds * size / before[-1].size > _MOST_SECONDS:
            continue
        getattr(subject, call.needs)
        work = partial(call.work, subject)
        seconds, _ = timed(work)
        if seconds < _MOST_SECONDS / 2:  # the first call may import and compile
            seconds = min(seconds, timed(work)[0])
        before.append(Point(size, seconds))


def power(points: list[Point]) -> float:
    """The slope of the logarithms between the last two sizes; nan where there are none, or they tell nothing."""
    if len(points) < 2 or points[-1].seconds < _TOLD:
        return math.nan
    (low, few), (high, many) = points[-2:]
    return math.log(many / few) / math.log(high / low)


def said(points: list[Point]) -> str:
    """A cell of the table."""
    if not points:
        return "–"
    slope = power(points)
    last = f"{points[-1].seconds:.2g} s at {points[-1].size:,}"
    return last if math.isnan(slope) else f"{slope:.2f}; {last}"


def row_of(name: str, axis: str, points: list[Point]) -> Row:
    """A figure with its bound."""
    note = ", ".join(f"{each.seconds:.2f} s at {each.size:,}" for each in points)
    return Row(
        name=f"{name}: power of the {axis}", value=power(points), unit="", relation="<=", bound=BOUNDS[axis], note=note
    )


if __name__ == "__main__":
    main()
