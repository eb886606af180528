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
) -> tuple[Floats, NDArray[np.intp]]:
    """Counts in which attributes of fewer than `least` rows count with others, and which other each resembles.

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
    (attributes, k) counts, 0 for those of few rows; and (attributes,) position of the attribute whose figures each
    has, its own where it has enough rows or none, -1 where it resembles nothing.

    Examples
    --------
    >>> from scrutable.model import Missing
    >>> ages = [Interval(-np.inf, 30), Interval(30, 60), Interval(60, np.inf), Missing()]
    >>> counts, resembled = pooled_counts(ages, np.array([[40.0], [60], [3], [1]]), np.array([40, 60, 3, 1]), 5)
    >>> counts.ravel().tolist(), resembled.tolist()
    ([40.0, 64.0, 0.0, 0.0], [0, 1, 1, -1])
    """
    resembled = np.arange(len(rows))
    few = np.flatnonzero((rows > 0) & (rows < least))
    if not few.size:
        return counts, resembled
    pooled = counts.copy()
    most = int(np.argmax(rows))
    for place in few[few != most]:
        neighbour = _neighbour(conditions, rows, int(place), least)
        host = most if neighbour < 0 else neighbour
        pooled[host] += pooled[place]
        pooled[place] = 0.0
        resembled[place] = neighbour
    return pooled, resembled


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


def _neighbour(conditions: Sequence[AttributeCondition], rows: NDArray[np.intp], place: int, least: int) -> int:
    """The nearest interval of enough rows, the lower one first; -1 where there is none, or no interval was asked of."""
    if not isinstance(conditions[place], Interval):
        return -1
    enough = [i for i, each in enumerate(conditions) if isinstance(each, Interval) and rows[i] >= least]
    return min(enough, key=lambda i: (abs(i - place), i), default=-1)
