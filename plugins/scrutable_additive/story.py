"""What the evidence tells of the path: cards along it, the chosen one, shapes, and what left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.attributes import Attributes
from scrutable_additive.dense import DenseFit, levelled
from scrutable_additive.path import Card, Path
from scrutable_additive.problem import Problem
from scrutable_additive.screening import Evidential
from scrutable_additive.shapes import Shape
from scrutable_additive.whole import Whole

Floats = NDArray[np.float64]

#: Cards of the path that the evidence tells of, the chosen one beside.
_TOLD = 12
#: How far their steps are from those of the chosen one at least, as a share.
_APART = 0.05


def told(
    problem: Problem,
    dense: DenseFit,
    path: Path,
    chosen: Card,
    shapes: Sequence[Shape],
    left_out: Sequence[Evidential],
    copies: Mapping[str, str],
) -> dict[str, Any]:
    """The entry of the evidence, plain values.

    `path` has some of the cards, from many steps to few, each with its steps, characteristics, share of the scores'
    variance kept, and how good it is on the training rows by the figures of the family; `chosen` is one of them.
    `shapes` says of each numeric characteristic whether its points rise or fall throughout, and which share of the
    variance that costs. `left_out` has the features that are not on the card: those that tell no more than chance
    would, with their gain in twice the log-likelihood and the number of parameters that it takes; those that part the
    rows as another one does, with its name; and those that left with their last step, with the number of steps of the
    last card that held them (of those that the path has).
    """
    others = [card for card in _spread(path.cards) if abs(card.steps - chosen.steps) > _APART * chosen.steps]
    shown = sorted({*others, chosen}, key=lambda card: card.merged)
    cards = [_figures(card, problem, path) for card in shown]
    values = path.values(chosen)
    places = [card["steps"] for card in cards]
    return {
        "chosen": cards[places.index(chosen.steps)],
        "path": cards,
        "dense": {
            "bins": problem.rows.size,
            **_measured(problem, dense.values, dense.intercept),
            "kkt_residual": dense.kkt_residual,
        },
        "shapes": {shape.name: _shape(shape, values) for shape in shapes},
        "left_out": {
            **{each.name: {"why": "chance", "gain": each.gain, "parameters": each.parameters} for each in left_out},
            **{name: {"why": "copy", "of": other} for name, other in copies.items()},
            **{name: {"why": "steps", "last_steps": steps} for name, steps in _merged_away(problem, path, chosen)},
        },
    }


def rounding(problem: Problem, card: Attributes, base: float, whole: Whole, total: float) -> dict[str, Any]:
    """What whole points lose.

    `lost` is the share of the scores' variance by which they are further from the dense fit than the card before
    rounding, and `lost_at_most` what that is certain to be at most, both before policies. `steps`, `characteristics`
    and the figures of the family are those of the rounded card.

    Parameters
    ----------
    base : score where all values are 0.
    total : distance of the dense fit from no card.
    """
    levels = [len(np.unique(own[table.counts_seen > 0])) for own, table in zip(card.values, card.tables, strict=True)]
    return {
        "lost": whole.loss / total if total else 0.0,
        "lost_at_most": whole.bound / total if total else 0.0,
        "steps": sum(each for each in levels if each > 1),
        "characteristics": sum(each > 1 for each in levels),
        **problem.as_they_are.measured(card.by_bin(), base),
    }


def _measured(problem: Problem, values: Floats, intercept: float) -> dict[str, float]:
    """How good values are where they expect of the rows, as they are, what there is."""
    rows = problem.as_they_are
    return rows.measured(values, levelled(rows, values, intercept))


def _figures(card: Card, problem: Problem, path: Path) -> dict[str, Any]:
    total = path.metric.total
    return {
        "steps": card.steps,
        "characteristics": card.characteristics,
        "kept": 1.0 - card.distance / total if total else 1.0,
        **_measured(problem, path.values(card), path.metric.intercept),
    }


def _merged_away(problem: Problem, path: Path, chosen: Card) -> Iterator[tuple[str, int]]:
    """Features that the chosen card has no more, with the steps of the last card that held them."""
    blocks = path.on_card(chosen)
    for place, layout in enumerate(problem.layouts):
        if place not in blocks:
            before = [card.steps for card in path.cards if card.merged < chosen.merged and place in path.on_card(card)]
            yield layout.name, before[-1] if before else 0


def _shape(shape: Shape, values: Floats) -> dict[str, Any]:
    ordinary = values[shape.bins]
    words = None if not shape.rising else "descending" if ordinary[-1] < ordinary[0] else "ascending"
    return {"trend": words, "asked": shape.asked, "monotone_costs": shape.cost}


def _spread(cards: Sequence[Card]) -> Iterator[Card]:
    """About so many of the cards as are told of, their steps falling by about the same factor."""
    wanted = np.unique(np.geomspace(1, max(len(cards), 1), _TOLD).round().astype(int))
    for place in wanted:
        yield cards[-place]
