"""The best integer points of one characteristic, while all others stay as they are: exact, since its attributes share
no row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from scrutable_risk_score.line import Line
from scrutable_risk_score.patterns import Floats, Integers, Patterns

#: Losses this close are equal, so that neither summing nor threads decide; fewer points are taken then.
SAME = 1e-11


@dataclass(frozen=True, slots=True)
class Shape:
    """What a binner asks of the points of a characteristic: these attributes rise ("ascending") or fall in order."""

    trend: Literal["ascending", "descending"] | None
    ordered: tuple[int, ...]


def losses_by_points(patterns: Patterns, position: int, others: Integers, line: Line, most: int) -> Floats:
    """(attributes, 2 * most + 1) log loss of each attribute's rows if it gets -most to most points.

    Parameters
    ----------
    others : (patterns,) score without this characteristic.
    """
    low = int(others.min())
    width, size = int(others.max()) - low + 1, patterns.sizes[position]
    good, bad = patterns.counts(patterns.attribute[:, position] * width + (others - low), size * width)
    of_good, of_bad = line.losses(np.arange(low - most, low + width + most, dtype=float))
    found: Floats = good.reshape(size, width) @ _shifted(of_good, width)
    return found + bad.reshape(size, width) @ _shifted(of_bad, width)


def best_points(losses: Floats, shape: Shape) -> Integers:
    """(attributes,) points of least loss that follow the trend; of equal ones those nearest to 0.

    Examples
    --------
    >>> losses = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0, 0.0, 0.0]])  # of -1, 0 and 1 points
    >>> best_points(losses, Shape(None, ())).tolist()
    [-1, 1, 0]
    >>> best_points(losses, Shape("descending", (0, 1))).tolist()
    [0, 0, 0]
    """
    most = losses.shape[1] // 2
    found = _nearest_to_zero(losses, most)
    if shape.trend is not None and shape.ordered:
        rows = list(shape.ordered) if shape.trend == "ascending" else list(reversed(shape.ordered))
        found[rows] = _rising(losses[rows], most)
    return found


def _shifted(losses: Floats, width: int) -> Floats:
    """(width, values) a row's loss by its score without the characteristic and the points that come to it."""
    return np.lib.stride_tricks.sliding_window_view(losses, len(losses) - width + 1)


def _nearest_to_zero(losses: Floats, most: int) -> Integers:
    """(rows,) points of least loss in each row."""
    values = np.array(sorted(range(-most, most + 1), key=abs), dtype=np.intp)
    equal = losses[:, values + most] <= losses.min(axis=1, keepdims=True) + SAME
    found: Integers = values[equal.argmax(axis=1)]
    return found


def _rising(losses: Floats, most: int) -> Integers:
    """Points that never fall from one row to the next, of the least sum of losses, by dynamic programming."""
    reached = losses[0]
    came_from: list[Integers] = []
    for row in losses[1:]:
        cheapest = np.minimum.accumulate(reached)
        source = np.array([_last_equal(reached[: end + 1], cheapest[end]) for end in range(len(reached))])
        came_from.append(source)
        reached = row + reached[source]
    last = int(_nearest_to_zero(reached[None, :], most)[0]) + most
    path = [last]
    for source in reversed(came_from):
        path.append(int(source[path[-1]]))
    return np.array(path[::-1], dtype=np.intp) - most


def _last_equal(losses: Floats, least: float) -> int:
    """The highest points of least loss: the smallest step up to what follows."""
    return int(np.flatnonzero(losses <= least + SAME)[-1])
