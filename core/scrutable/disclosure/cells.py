"""Attributes of few rows, counted with others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Interval
from scrutable.model.conditions import AttributeCondition

Floats = NDArray[np.float64]
V = TypeVar("V")


def pooled_counts(
    conditions: Sequence[AttributeCondition], counts: Floats, rows: NDArray[np.intp], least: int
) -> tuple[Floats, tuple[tuple[int, int], ...]]:
    """Counts in which attributes of fewer than `least` rows count with others, and the intervals that resemble others.

    An interval counts with its neighbour, and resembles it. Categories, special codes and missing values count with
    the attribute of the most rows and resemble nothing: to a learner they are as if never seen.

    Parameters
    ----------
    conditions : the attributes of one characteristic.
    counts : (attributes, k) sums over the rows of each.
    rows : (attributes,) number of rows of each.
    least : see `scrutable.disclosure.min_cell`.

    Returns
    -------
    (attributes, k) counts, 0 for those of few rows; and for each interval of few rows its position, and that of the
    neighbour whose figures it has.

    Examples
    --------
    >>> from scrutable.model import Missing
    >>> ages = [Interval(-np.inf, 30), Interval(30, 60), Interval(60, np.inf), Missing()]
    >>> counts, resembled = pooled_counts(ages, np.array([[40.0], [60], [3], [1]]), np.array([40, 60, 3, 1]), 5)
    >>> counts.ravel().tolist(), resembled
    ([40.0, 64.0, 0.0, 0.0], ((2, 1),))
    """
    pooled, resembled, most = counts.copy(), [], int(np.argmax(rows))
    for place in np.flatnonzero((rows > 0) & (rows < least)).tolist():
        neighbour = _neighbour(conditions, rows, place, least)
        host = most if neighbour is None else neighbour
        if host != place:
            pooled[host] += pooled[place]
            pooled[place] = 0.0
        if neighbour is not None:
            resembled.append((place, neighbour))
    return pooled, tuple(resembled)


def common_groups(
    groups: Sequence[tuple[V, ...]], values: Sequence[V], rows: NDArray[np.intp], least: int
) -> list[tuple[V, ...]]:
    """Groups of values without those of fewer than `least` rows, which no model may name.

    Parameters
    ----------
    values, rows : the distinct values of the column, and (values,) how many rows have each. A value of no row is
        nobody's, and stays.

    >>> common_groups([("clerk", "astronaut"), ("ambassador",)], ["ambassador", "astronaut", "clerk"],
    ...               np.array([1, 2, 90]), 5)
    [('clerk',)]
    """
    few = {value for value, count in zip(values, rows.tolist(), strict=True) if 0 < count < least}
    kept = (tuple(value for value in group if value not in few) for group in groups)
    return [group for group in kept if group]


def _neighbour(conditions: Sequence[AttributeCondition], rows: NDArray[np.intp], place: int, least: int) -> int | None:
    """The nearest interval of enough rows, the lower one first; None if there is none, or this is no interval."""
    if not isinstance(conditions[place], Interval):
        return None
    enough = [i for i, each in enumerate(conditions) if isinstance(each, Interval) and rows[i] >= least]
    return min(enough, key=lambda i: (abs(i - place), i), default=None)
