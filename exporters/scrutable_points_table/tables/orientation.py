"""Which way the points of a table run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrutable.plugins.bases import Finding
from scrutable_points_table.tables.line import PointsLine
from scrutable_points_table.tables.options import Orientation

_WHERE = "orientation"


def more_is_worse(lines: Sequence[PointsLine], orientation: Orientation) -> tuple[bool, Finding]:
    """Whether more points stand for a worse outcome, and how that is known.

    With counts, it is the sign of the covariance of points and the share of good rows within characteristics, weighted
    by rows: a person with more points had the better outcome, or the worse.
    """
    if orientation != "auto":
        return orientation == "more-is-worse", Finding(kind="note", where=_WHERE, what=f"{orientation}, as was said")
    together = covariance(lines)
    if not together:
        told = "the table does not count outcomes" if together is None else "its counts do not tell which way they run"
        what = f"more points are taken for better: {told}; orientation says otherwise"
        return False, Finding(kind="assumption", where=_WHERE, what=what)
    way = "better" if together > 0 else "worse"
    what = f"more points are {way}: rows with more of them had {way} outcomes in the table's own counts"
    return together < 0, Finding(kind="note", where=_WHERE, what=what)


def covariance(lines: Iterable[PointsLine]) -> float | None:
    """Sum over characteristics of the weighted covariance of points and good rate; None where nothing is counted.

    >>> covariance([PointsLine(row=1, printed="a", points=10, characteristic="x", good=8, bad=2),
    ...             PointsLine(row=2, printed="b", points=-10, characteristic="x", good=2, bad=8)])
    60.0
    """
    groups: dict[str, list[PointsLine]] = {}
    for line in lines:
        if line.counted:
            groups.setdefault(line.characteristic, []).append(line)
    return sum(map(_covariance, groups.values())) if groups else None


def _covariance(lines: Sequence[PointsLine]) -> float:
    rows = [(line.counted or 0.0, line.points, line.good or 0.0) for line in lines]
    total = sum(count for count, _, _ in rows)
    mean = sum(count * points for count, points, _ in rows) / total
    return sum((points - mean) * good for _, points, good in rows)
