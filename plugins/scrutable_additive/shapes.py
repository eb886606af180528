"""Shapes that a person would defend: which numeric characteristics rise or fall throughout, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from scrutable_additive.layout import Layout
from scrutable_additive.lines import Line, nearest
from scrutable_additive.metric import Metric

Floats = NDArray[np.float64]

#: What a characteristic may lose by a shape that rises or falls throughout, as a share of the scores' variance.
COST = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How the points of one numeric characteristic move as its value rises.

    Parameters
    ----------
    name : of the feature.
    bins : its ordered bins.
    rising, bend : as in `Line`.
    asked : whether the user said so.
    cost : share of the scores' variance that the better of the two directions loses.
    """

    name: str
    bins: slice
    rising: int
    bend: int
    asked: bool
    cost: float


def shaped(metric: Metric, layouts: Sequence[Layout], *, free: bool) -> tuple[list[Layout], list[Shape]]:
    """The layouts with the direction that each numeric block is to have, and the shapes.

    A block that the user asked nothing of gets the better direction where it loses at most `COST` of the scores'
    variance, the others being kept, and stays free elsewhere.

    Parameters
    ----------
    free : whether all blocks stay free of which the user asked nothing.
    """
    made, shapes, total = [], [], metric.total
    for layout in layouts:
        if layout.nominal or layout.n_ordinary < 2:
            made.append(layout)
            continue
        lost = {sign: _lost(metric, layout, sign) / total if total else 0.0 for sign in (1, -1)}
        better = min(lost, key=lambda sign: lost[sign])
        rising = layout.rising
        if not (layout.asked or free or layout.fixed or lost[better] > COST):
            rising = better
        made.append(replace(layout, rising=rising))
        cost = lost[rising or better]
        shapes.append(
            Shape(
                name=layout.name,
                bins=layout.ordinary,
                rising=rising,
                bend=layout.bend,
                asked=layout.asked,
                cost=cost,
            )
        )
    return made, shapes


def followed(target: Floats, weight: Floats, rising: int, bend: int) -> Floats:
    """The values closest to a target that rise, fall or bend as is asked; see `Line`.

    >>> followed(np.array([0.0, 2, 1]), np.ones(3), 1, 0).tolist()
    [0.0, 1.5, 1.5]
    """
    if not bend:  # in linear time
        values: Floats = isotonic_regression(target, weights=weight, increasing=rising > 0).x
        return values
    return nearest(np.diag(1 / weight), target, [Line(np.arange(len(target)), rising, bend)])


def _lost(metric: Metric, layout: Layout, rising: int) -> float:
    target, weight = metric.dense[layout.ordinary], metric.weight[layout.ordinary]
    moved = target - followed(target, weight, rising, 0)
    return 0.5 * float(weight @ moved**2)
