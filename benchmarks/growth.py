"""By which power of rows, columns, categories and groups the time of everything grows.

Run: python benchmarks/growth.py [--quick] [--json FILE] [--only PATTERN] [--axis AXIS] [--points FILE]

Each call is timed at rising sizes, in CPU time on one thread, of commands without what a process costs at any size. The
power is the slope between the last two sizes, where what a call costs at any size matters least. A call that would take
too long at the next size is not made there. Bounds are what n log n stays below at these sizes; what grows faster has
its reason in docs/growth.md. It takes hours: `--only 'command *'` and `--axis rows` make a part, and `--points FILE`
keeps each point at once, goes on from those that are in the file, and joins several parts. `--quick` makes small calls
of binners and exporters.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import tempfile
import warnings
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from clock import timed
from growing.calls import Call, Shape, Subject, calls
from growing.points import Point, Points, power, said
from report import Row, lines, parser, show
from threadpoolctl import threadpool_limits

USUAL = Shape(rows=20_000, columns=30, categories=12, groups=2)
#: Texts that differ in nearly every row are refused, as names of rows.
ROWS = {"categories": 50_000}
SIZES = {
    "rows": (10_000, 100_000, 1_000_000),
    "columns": (10, 30, 100, 300),
    "categories": (10, 100, 1_000, 10_000),
    "groups": (2, 5, 20),
}
QUICK = {"rows": (5_000, 20_000), "columns": (10, 40), "categories": (10, 100), "groups": (2, 5)}
BOUNDS = {"rows": 1.15, "columns": 1.3, "categories": 1.3, "groups": 1.3}


def main() -> None:
    """A table of powers, then a row for each."""
    chosen = asked()
    some = [call for call in calls() if any(fnmatch(call.name, pattern) for pattern in chosen.only)]
    points = Points(chosen.points)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for axis in chosen.axis or SIZES:
            usual = USUAL if chosen.quick else USUAL._replace(rows=ROWS.get(axis, USUAL.rows))
            for size in chosen.size or (QUICK if chosen.quick else SIZES)[axis]:
                with tempfile.TemporaryDirectory() as folder:
                    measure(usual._replace(**{axis: size}), Path(folder), some, axis, points, chosen.most)
    cells = [(call.name, *(said(points.of(call.name, axis)) for axis in SIZES)) for call in some]
    lines("Powers, with CPU seconds at the largest size", ("call", *SIZES), cells)
    told = [(call.name, axis, points.of(call.name, axis)) for call in some for axis in SIZES]
    show("Growth", [row_of(*each) for each in told if not math.isnan(power(each[2]))], chosen.json)


def asked() -> argparse.Namespace:
    """The options."""
    given = parser(__doc__ or "")
    given.add_argument(
        "--only", metavar="PATTERN", action="append", help="calls to make, such as 'command *'; repeatable"
    )
    given.add_argument("--axis", action="append", choices=SIZES, help="let this grow; repeatable")
    given.add_argument("--size", action="append", type=int, help="and be so large; repeatable")
    given.add_argument("--points", type=Path, metavar="FILE", help="keep each point there, and go on from its points")
    given.add_argument("--most", type=float, default=60.0, metavar="SECONDS", help="make no call expected to take more")
    chosen = given.parse_args()
    chosen.only = chosen.only or (["binner *", "exporter *"] if chosen.quick else ["*"])
    return chosen


def measure(shape: Shape, folder: Path, some: list[Call], axis: str, points: Points, most: float) -> None:
    """Time the calls that depend on this size and do not take too long at it, and note what they took."""
    size = getattr(shape, axis)
    subject = None
    for call in some:
        before = points.of(call.name, axis)
        done = axis not in call.grows_by or points.has(call.name, axis, size)
        if done or (before and before[-1].seconds * size / before[-1].size > most):
            continue
        subject = subject or Subject(shape, folder)
        getattr(subject, call.needs)
        work = partial(call.work, subject)
        gc.collect()  # what calls before left
        try:
            seconds, _ = timed(work)
            if seconds < most / 10:  # the first call may import and compile
                seconds = min(seconds, timed(work)[0])
        except Exception as error:  # a long run goes on
            print(f"{call.name}, {size:,} {axis}: {error}", file=sys.stderr)
            continue
        points.add(call.name, axis, Point(size, seconds))


def row_of(name: str, axis: str, points: list[Point]) -> Row:
    """A figure with its bound."""
    note = ", ".join(f"{each.seconds:.2f} s at {each.size:,}" for each in points)
    return Row(
        name=f"{name}: power of the {axis}", value=power(points), unit="", relation="<=", bound=BOUNDS[axis], note=note
    )


if __name__ == "__main__":
    main()
