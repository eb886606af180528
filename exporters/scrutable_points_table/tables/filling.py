"""Points for values that a table gives none: what the software gives, the mean, the worst, or a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.model import Categories, Interval, Missing
from scrutable_points_table.tables.layouts.layout import Unlisted
from scrutable_points_table.tables.line import PointsLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Points for a gap, and where they come from in words."""

    points: float
    how: str


def fill(
    policy: str | float,
    lines: Sequence[PointsLine],
    *,
    worse: bool,
    decimals: int | None,
    unlisted: Unlisted = "unknown",
) -> Filled | None:
    """Points for what no line is about; None where that is refused.

    Parameters
    ----------
    lines : those of the characteristic.
    worse : whether more points are worse.
    decimals : to which a mean is rounded.
    unlisted : what the layout's software gives.
    """
    if not isinstance(policy, str):
        return Filled(points=policy, how=f"{policy:g} points, as was said")
    if policy == "neutral":
        return Filled(points=_mean(lines, decimals), how="the mean of the characteristic's points")
    if policy == "worst":
        points = [line.points for line in lines]
        return Filled(points=max(points) if worse else min(points), how="the least favourable of its points")
    if policy != "software":
        return None
    missing = [line.points for line in lines if any(isinstance(each, Missing) for each in line.conditions)]
    if unlisted == "as missing" and missing:
        return Filled(points=missing[0], how="the points of missing values, as the layout's software gives")
    if unlisted == "none":
        return Filled(points=0.0, how="no points, as the layout's software gives")
    return None


def _mean(lines: Sequence[PointsLine], decimals: int | None) -> float:
    """The mean over rows where all lines count them, else over the lines of ordinary values."""
    counts = [line.counted for line in lines]
    known = [count for count in counts if count is not None]
    ordinary = [each for each in lines if any(isinstance(c, Interval | Categories) for c in each.conditions)] or lines
    if len(known) == len(lines) and sum(known) > 0:
        mean = sum(count * line.points for count, line in zip(known, lines, strict=True)) / sum(known)
    else:
        mean = sum(line.points for line in ordinary) / len(ordinary)
    return mean if decimals is None else round(mean, decimals)
