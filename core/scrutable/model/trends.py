"""How points move as a number rises."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal

from scrutable.model.conditions import Interval
from scrutable.model.limits import spelled_alike
from scrutable.writing.decimals import number

PointTrend = Literal["ascending", "descending", "neither"]

#: Points over an interval.
Step = tuple[Interval, float]


def trend_of(steps: Sequence[Step]) -> PointTrend | None:
    """Whether points only rise, only fall, or do neither; None where they are the same everywhere.

    Parameters
    ----------
    steps : intervals with their points, the lowest first.

    Examples
    --------
    >>> trend_of([(Interval(upper=5), 1.0), (Interval(5, 9), 4.0), (Interval(9), 3.0)])
    'neither'
    """
    rises = [high > low for (_, low), (_, high) in itertools.pairwise(_runs(steps))]
    if not rises:
        return None
    return "ascending" if all(rises) else "neither" if any(rises) else "descending"


def trend_in_words(steps: Sequence[Step]) -> str:
    """What points do as the number rises, to be read after "points"; empty where they are the same everywhere.

    >>> trend_in_words([(Interval(upper=5), 1.0), (Interval(5, 9), 4.0), (Interval(9), 3.0)])
    'rise up to [5, 9) and fall above'
    >>> trend_in_words([(Interval(upper=5), 4.0), (Interval(5, 9), 1.0), (Interval(9), 3.0), (Interval(12), 0.0)])
    'rise and fall'
    """
    runs = list(_runs(steps))
    rises = [high > low for (_, low), (_, high) in itertools.pairwise(runs)]
    turns = [place for place, (before, after) in enumerate(itertools.pairwise(rises), 1) if before != after]
    if not turns:
        return "" if not rises else "rise" if rises[0] else "fall"
    if len(turns) > 1:
        return "rise and fall"
    where = _where(runs[turns[0]][0], steps)
    return f"rise up to {where} and fall above" if rises[0] else f"fall down to {where} and rise above"


def _where(interval: Interval, steps: Sequence[Step]) -> str:
    """An interval in words, as the steps are told; a number that has one to itself, such as 0, as that number."""
    spelled = spelled_alike(limit for step, _ in steps for limit in step.limits)
    (low, above), (high, below) = (spelled.get(limit, limit) for limit in interval.limits)
    return number(low) if low == high and below and not above else interval.told(spelled)


def _runs(steps: Sequence[Step]) -> Iterator[Step]:
    """Neighbours with the same points as one."""
    for points, run in itertools.groupby(steps, key=lambda step: step[1]):
        intervals = [interval for interval, _ in run]
        yield Interval(intervals[0].lower, intervals[-1].upper, intervals[0].closed), points
