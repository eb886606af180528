"""What is measured of decisions, and of a set of models to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boosting.data import Problem

#: Which ratio of `Measured` counts.
Reading = Literal["ratio", "declined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Decisions on some rows.

    Parameters
    ----------
    accuracy : share of right decisions.
    ratio : among those whose outcome is favourable, the smallest share of a group that is approved (its true positive
        rate) by the largest; 1 where the groups are treated alike.
    declined : the same of the shares that are declined (false negative rates), a stricter reading where few are.
    """

    accuracy: float
    ratio: float
    declined: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One configuration: what its model reaches on the rows to choose by and on those to measure on.

    Parameters
    ----------
    largest : the largest absolute score of a row to measure on, in log-odds; None where there is no score.
    """

    valid: Measured
    test: Measured
    largest: float | None


def measure(rows: Problem, approved: NDArray[np.bool_]) -> Measured:
    """Decisions beside outcomes and groups."""
    declined = [float(1 - approved[(rows.y == 1) & (rows.members == g)].mean()) for g in np.unique(rows.members)]
    return Measured(
        accuracy=float((approved == (rows.y == 1)).mean()),
        ratio=quotient([1 - share for share in declined]),
        declined=quotient(declined),
    )


def quotient(shares: Sequence[float]) -> float:
    """The smallest by the largest; 1 where all are zero."""
    return min(shares) / max(shares) if max(shares) > 0 else 1.0


def front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Places of the points that no other exceeds in both coordinates; one of equal points."""
    order = sorted(range(len(points)), key=lambda i: points[i], reverse=True)
    kept: list[int] = []
    for i in order:
        if not kept or points[i][1] > points[kept[-1]][1]:
            kept.append(i)
    return kept


def hypervolume(points: Sequence[tuple[float, float]], floor: tuple[float, float]) -> float:
    """Share of the rectangle from `floor` to (1, 1) that lies under one of the points.

    >>> hypervolume([(0.75, 0.5), (0.5, 1.0), (0.6, 0.4)], floor=(0.0, 0.0))
    0.625
    """
    area, reached = 0.0, floor[1]
    for accuracy, ratio in sorted(points, reverse=True):
        if accuracy > floor[0] and ratio > reached:
            area += (accuracy - floor[0]) * (ratio - reached)
            reached = ratio
    return area / ((1 - floor[0]) * (1 - floor[1]))


def chosen(tried: Sequence[Tried], reading: Reading = "ratio") -> list[Tried]:
    """Those that nothing exceeds in both accuracy and ratio on the rows to choose by."""
    return [tried[i] for i in front([(each.valid.accuracy, getattr(each.valid, reading)) for each in tried])]


def volume(tried: Sequence[Tried], floor: tuple[float, float], reading: Reading = "ratio") -> float:
    """Hypervolume, on the rows to measure on, of what is chosen on the others."""
    points = [(each.test.accuracy, getattr(each.test, reading)) for each in chosen(tried, reading)]
    return hypervolume(points, floor)
