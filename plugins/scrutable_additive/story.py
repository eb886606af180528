"""What the evidence tells of the path: cards along it, the chosen one, shapes, and what left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.attributes import Attributes
from scrutable_additive.elimination import Card
from scrutable_additive.pairing import LookedAt, Search
from scrutable_additive.path import Path
from scrutable_additive.problem import Problem
from scrutable_additive.screening import Evidential
from scrutable_additive.solution import Solution
from scrutable_additive.tallies import Values
from scrutable_additive.whole import Whole

Floats = NDArray[np.float64]

#: Cards of the path that the evidence tells of, the chosen one beside.
_TOLD = 12
#: How far their steps are from those of the chosen one at least, as a share.
_APART = 0.05
#: By which share of the rows a card may expect more or less than there is; its loss is then off by about the square of
#: that.
_LEVEL = 1e-6


def told(
    solution: Solution,
    shapes: Mapping[str, Any],
    left_out: Sequence[Evidential],
    copies: Mapping[str, str],
    on_card: Collection[str],
) -> dict[str, Any]:
    """The entry of the evidence, plain values.

    `path` has some of the cards, from many steps to few, each with its steps, characteristics, share of the scores'
    variance kept, and how good it is on the training rows by the figures of the family; `chosen` is one of them.
    `shapes` are as in `shapes_told`. `left_out` has the features and pairs that are not on the card: those that tell no
    more than chance would, with their gain in twice the log-likelihood and the number of parameters that it takes;
    those that part the rows as another one does, with its name; those that left with their last step, with the number
    of steps of the last card that held them (of those that the path has); and those of `must` that tell nothing.

    Parameters
    ----------
    copies : by name, which feature parts the rows as another one.
    on_card : features that the model has; a small card may have others than the one of the path.
    """
    problem, dense, path, chosen = solution.problem, solution.dense, solution.path, solution.card
    others = [card for card in _spread(path.cards) if abs(card.steps - chosen.steps) > _APART * chosen.steps]
    shown = sorted({*others, chosen}, key=lambda card: card.merged)
    dense_values = (dense.values, dense.intercept)
    fine, *figures = _measured(
        problem, [dense_values, *((path.values(card), solution.metric.intercept) for card in shown)]
    )
    cards = [_figures(card, solution, own) for card, own in zip(shown, figures, strict=True)]
    places = [card["steps"] for card in cards]
    return {
        "chosen": cards[places.index(chosen.steps)],
        "path": cards,
        "dense": {
            "bins": problem.rows.size,
            **fine,
            "kkt_residual": dense.kkt_residual,
        },
        "shapes": shapes,
        "left_out": {
            **{each.name: {"why": "chance", "gain": each.gain, "parameters": each.parameters} for each in left_out},
            **{name: {"why": "copy", "of": other} for name, other in copies.items()},
            **{
                name: {"why": why, "last_steps": steps}
                for name, why, steps in _merged_away(problem, path, chosen)
                if name not in on_card
            },
        },
    }


def about_pairs(search: Search, alone: Solution, card: Attributes) -> dict[str, Any]:
    """What was found of pairs, plain values.

    `looked_at` is how many, and `price` what a pair has to gain of twice the log-likelihood. `without` has the figures
    of the card of the features alone. `told` has the pairs that were fitted and those that came nearest, with what they
    gain, the parameters that it takes, AUC of the fine fits on the training rows with and without, and whether they are
    on the card.
    """
    on_card = {pair.name for pair, own in zip(card.pairs, card.cells, strict=True) if np.ptp(own)}
    [figures] = _measured(alone.problem, [(alone.path.values(alone.card), alone.metric.intercept)])
    return {
        "looked_at": search.n_pairs,
        "price": search.price,
        "without": _figures(alone.card, alone, figures),
        "told": {each.name: _pair(each, on_card) for each in search.told},
    }


def _pair(pair: LookedAt, on_card: Collection[str]) -> dict[str, Any]:
    return {
        "features": list(pair.features),
        "gain": pair.gain,
        "parameters": pair.parameters,
        "auc": pair.auc,
        "auc_without": pair.auc_without,
        "fitted": pair.fitted,
        "on_card": pair.name in on_card,
    }


def rounding(problem: Problem, card: Attributes, base: float, whole: Whole, total: float) -> dict[str, Any]:
    """What whole points lose.

    `lost` is the share of the scores' variance by which they are further from the dense fit than the card before
    rounding, and `lost_at_most` what that is certain to be at most, both before policies. `steps`, `characteristics`
    and the figures of the family are those of the rounded card.

    Parameters
    ----------
    base : score where all values are 0, as the base points of the model say it.
    total : distance of the dense fit from no card.
    """
    [measure] = problem.as_they_are.measures([(card.by_bin(), base)])
    levels = [len(np.unique(own[table.counts_seen > 0])) for own, table in zip(card.values, card.tables, strict=True)]
    levels += [len(np.unique(own)) for own in card.cells]
    bound = {} if whole.bound is None else {"lost_at_most": whole.bound / total if total else 0.0}
    return {
        "lost": whole.loss / total if total else 0.0,
        **bound,
        "steps": sum(each for each in levels if each > 1),
        "characteristics": sum(each > 1 for each in levels),
        **measure.measured(),
    }


def _measured(problem: Problem, cards: Sequence[Values]) -> list[dict[str, float]]:
    """How good values are where they expect of the rows, as they are, about what there is."""
    return [each.measured(each.level(_LEVEL)) for each in problem.as_they_are.measures(cards)]


def _figures(card: Card, solution: Solution, measured: Mapping[str, float]) -> dict[str, Any]:
    total = solution.metric.total
    return {
        "steps": card.steps,
        "characteristics": card.characteristics,
        "kept": 1.0 - card.distance / total if total else 1.0,
        **measured,
    }


def _merged_away(problem: Problem, path: Path, chosen: Card) -> Iterator[tuple[str, str, int]]:
    """Features and pairs that the chosen card has no more, why, and the steps of the last card that held them."""
    blocks = path.on_card(chosen)
    first = len(problem.features)
    paired = {name for place, pair in enumerate(problem.pairs, first) if place in blocks for name in pair.features}
    for place, layout in enumerate(problem.layouts):
        if place not in blocks and layout.name not in paired:
            before = [card.steps for card in path.cards if card.merged < chosen.merged and place in path.on_card(card)]
            yield layout.name, "nothing" if layout.kept else "steps", before[-1] if before else 0


def _spread(cards: Sequence[Card]) -> Iterator[Card]:
    """About so many of the cards as are told of, their steps falling by about the same factor."""
    wanted = np.unique(np.geomspace(1, max(len(cards), 1), _TOLD).round().astype(int))
    for place in wanted:
        yield cards[-place]
