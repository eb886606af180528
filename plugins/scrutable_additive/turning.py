"""What is told of shapes: trends, where points turn, and what one direction alone would cost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import AttributeTable
from scrutable.model import Interval
from scrutable_additive.attributes import Attributes
from scrutable_additive.paired_shapes import breaking
from scrutable_additive.path import Path, Steps
from scrutable_additive.shapes import Shape
from scrutable_additive.solution import Solution

Floats = NDArray[np.float64]

_WORDS = {1.0: "gains", -1.0: "loses"}
_DIRECTIONS = {1: "ascending", -1: "descending"}
_BENDS = {1: "convex", -1: "concave"}


def shapes_told(solution: Solution, model: Attributes) -> dict[str, Any]:
    """The entry of the evidence, by numeric characteristic.

    `trend` is the one that its points keep, and `asked` whether the user said so. `turns` are as in `turns_of`.
    `monotone_costs` is the share of the scores' variance that the better of the two directions loses on the fine bins,
    the others being kept. `monotone_costs_auc`, or `monotone_costs_r2` of a quantity, is what the card would lose of
    the AUC, or R², of the training rows if this characteristic alone rose or fell throughout; None where it does so.
    `broken_by` names pairs of a feature with which its points rise or fall throughout no more, though by themselves
    they would; there is no `trend` then.

    Parameters
    ----------
    model : the attributes of the chosen card, points being rounded.
    """
    problem, path = solution.problem, solution.path
    steps = path.steps(solution.card)
    rows, values = problem.as_they_are, steps.values(path.layouts)
    pairs = [
        (pair, values[layout.bins])
        for pair, layout in zip(problem.pairs, problem.layouts[len(problem.features) :], strict=True)
    ]
    costs = f"monotone_costs_{rows.family.compared_by}"
    places = {layout.name: place for place, layout in enumerate(path.layouts)}
    turning = [shape.name for shape in solution.shapes if _turn(values[shape.bins])]
    others = [in_one_direction(path, steps, places[name]) for name in turning]
    merit, *merits = [each.merit() for each in rows.measures([(each, 0.0) for each in (values, *others)])]
    lost = {name: merit - each for name, each in zip(turning, merits, strict=True)}
    told: dict[str, dict[str, Any]] = {}
    for shape in solution.shapes:
        place = places[shape.name]
        trend = _trend(shape, values[shape.bins])
        told[shape.name] = {
            "trend": trend,
            "asked": shape.asked,
            "turns": turns_of(model.tables[place], model.tables[place].pools.alike(model.values[place])),
            "monotone_costs": shape.cost,
            costs: lost.get(shape.name),
        }
        if trend and (broken := breaking(values[shape.bins], -1 if trend == _DIRECTIONS[-1] else 1, shape.name, pairs)):
            told[shape.name] |= {"trend": None, "broken_by": broken}
    return told


def turns_of(table: AttributeTable, values: Floats) -> list[dict[str, Any]]:
    """Directions in which the points of a numeric characteristic move as its value rises, one after another.

    Each with `at`, the value from which on they do so, None for the first, and `then`, "gains" or "loses".

    Parameters
    ----------
    values : (attributes,) points, or what they are a multiple of.
    """
    steps = [(table.conditions[place], float(values[place])) for place in table.ordered]
    return turns_along([(condition, own) for condition, own in steps if isinstance(condition, Interval)])


def turns_along(steps: Sequence[tuple[Interval, float]]) -> list[dict[str, Any]]:
    """As `turns_of`, of intervals with their points, the lowest first."""
    turns: list[dict[str, Any]] = []
    for (_, before), (opens, after) in itertools.pairwise(steps):
        word = _WORDS.get(float(np.sign(after - before)))
        if word is not None and (not turns or turns[-1]["then"] != word):
            turns.append({"at": opens.lower if turns else None, "then": word})
    return turns


def in_one_direction(path: Path, steps: Steps, place: int) -> Floats:
    """(K,) values of the steps of a card where a block only rises or only falls, whichever is nearer to the dense fit.

    All values move to where they are then best.
    """
    tried = []
    for rising in (1, -1):
        layouts = list(path.layouts)
        layouts[place] = replace(layouts[place], rising=rising, asked=True)
        tried.append(steps.values(layouts))
    return min(tried, key=path.metric.distance)


def _turn(values: Floats) -> bool:
    """Whether values both rise and fall."""
    gains = np.diff(values)
    return bool((gains > 0).any() and (gains < 0).any())


def _trend(shape: Shape, values: Floats) -> str | None:
    rising = shape.rising
    if rising and not shape.asked:  # two steps may be in either order
        rising = -1 if values[-1] < values[0] else 1
    return " ".join(filter(None, (_DIRECTIONS.get(rising), _BENDS.get(shape.bend)))) or None
