"""The path in terms of attributes: which of them each card has together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import FrozenMapping
from scrutable.plugins import CARD_FIGURES, CardPath, FinestAttributes, Joined, PathCard
from scrutable_additive.elimination import Card
from scrutable_additive.path import Path
from scrutable_additive.problem import Problem
from scrutable_additive.segments import NOBODY

Ints = NDArray[np.intp]

#: What chooses the card of so many steps.
OPTION = "steps"
#: Digits of the share of variance that a card keeps.
_DIGITS = 6


def nested(problem: Problem, path: Path, chosen: Card, told: Sequence[Mapping[str, Any]], learner: str) -> CardPath:
    """All cards of a path, by the attributes of the first one that somebody had.

    Parameters
    ----------
    told : figures of some of the cards, as the evidence has them.
    learner : the name by which the learner is created.
    """
    total, figures = path.metric.total, {each["steps"]: each for each in told}
    finest, joined, place_of = _first(problem, path)
    cards = [_card(path.cards[0], total, figures, joined)]
    for before, card in itertools.pairwise(path.cards):
        gone = path.order[before.merged : card.merged]
        cards.append(_card(card, total, figures, [_join(problem, path, place_of, edge) for edge in gone]))
    return CardPath(
        learner=learner,
        option=OPTION,
        cards=tuple(cards),
        chosen=path.cards.index(chosen),
        finest=tuple(finest),
    )


def _first(problem: Problem, path: Path) -> tuple[list[FinestAttributes], list[Joined], Ints]:
    """The attributes of the first card, which of them are one step there, and (L,) an attribute of each segment."""
    values, hosts = path.values(path.cards[0]), path.segments.joined(path.order[: path.cards[0].merged])
    place_of = np.full(path.segments.size, NOBODY, dtype=np.intp)
    finest, joined = [], []
    for layout, feature in zip(problem.layouts, problem.features, strict=True):
        bins, of_bin = feature.parts(layout.steps(values[layout.bins]))
        segment = path.segments.of_bin[layout.bins]
        had = {int(at): int(hosts[own]) for at, own in zip(of_bin, segment, strict=True) if own != NOBODY}
        if len(set(had.values())) < 2:
            continue
        conditions, places = bins.conditions, sorted(had)
        finest.append(FinestAttributes(feature=layout.name, conditions=tuple(conditions[at] for at in places)))
        for place, at in enumerate(places):
            first = place_of[had[at]]
            if first == NOBODY:
                place_of[had[at]] = place
            else:
                joined.append(Joined(feature=layout.name, first=int(first), second=place))
    return finest, joined, place_of[hosts]


def _join(problem: Problem, path: Path, place_of: Ints, edge: int) -> Joined:
    """The two attributes that an edge joins."""
    ends = path.segments.left[edge], path.segments.right[edge]
    first, second = sorted(int(place_of[end]) for end in ends)
    return Joined(feature=problem.layouts[path.segments.block[ends[0]]].name, first=first, second=second)


def _card(card: Card, total: float, figures: Mapping[int, Mapping[str, Any]], joined: Sequence[Joined]) -> PathCard:
    told = figures.get(card.steps, {})
    return PathCard(
        steps=card.steps,
        characteristics=card.characteristics,
        kept=round(min(max(1.0 - card.distance / total, 0.0), 1.0), _DIGITS) if total else 1.0,
        figures=FrozenMapping({each.name: told[each.name] for each in CARD_FIGURES if each.name in told}),
        joined=tuple(joined),
    )
