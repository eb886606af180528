"""What was measured so far, kept in a file, so that a long run that is stopped goes on where it was."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

_TOLD = 0.05  # seconds; what takes less tells nothing of growth


class Point(NamedTuple):
    """CPU seconds of a call at a size."""

    size: int
    seconds: float


class Points:
    """Points by call and axis; each is written, as a line of JSON, as soon as it is there.

    Parameters
    ----------
    path : of the file, which may hold points already; None keeps them in memory only.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._points: dict[tuple[str, str], list[Point]] = {}
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                name, axis, size, seconds = json.loads(line)
                self.of(name, axis).append(Point(size, seconds))

    def of(self, name: str, axis: str) -> list[Point]:
        """The points of a call along an axis, in the order of their measuring."""
        return self._points.setdefault((name, axis), [])

    def add(self, name: str, axis: str, point: Point) -> None:
        """Keep a point."""
        self.of(name, axis).append(point)
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps([name, axis, *point]) + "\n")

    def has(self, name: str, axis: str, size: int) -> bool:
        """Whether this size was measured."""
        return any(each.size == size for each in self.of(name, axis))


def power(points: list[Point]) -> float:
    """The slope of the logarithms between the last two sizes; nan where there are none, or they tell nothing.

    >>> round(power([Point(10, 1.0), Point(100, 10.0)]), 2)
    1.0
    """
    if len(points) < 2 or points[-1].seconds < _TOLD:
        return math.nan
    (low, few), (high, many) = sorted(points)[-2:]
    return math.log(many / max(few, 1e-6)) / math.log(high / low)


def said(points: list[Point]) -> str:
    """A cell of the table."""
    if not points:
        return "–"
    slope = power(points)
    last = f"{points[-1].seconds:.2g} s at {points[-1].size:,}"
    return last if math.isnan(slope) else f"{slope:.2f}; {last}"
