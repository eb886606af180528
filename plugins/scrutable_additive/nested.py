"""The path in terms of attributes: which of them each card has together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.plugins import CardPath, FinestAttributes, Joined, PathCard
from scrutable_additive.attributes import Attributes
from scrutable_additive.path import Card, Path
from scrutable_additive.problem import Problem
from scrutable_additive.segments import NOBODY

#: What chooses the card of so many steps.
OPTION = "steps"
#: Digits of the share of variance that a card keeps.
_DIGITS = 6


def nested(problem: Problem, path: Path, chosen: Card, told: Sequence[Mapping[str, Any]]) -> CardPath:
    """All cards of a path, by the attributes of the first one that somebody had.

    Parameters
    ----------
    told : figures of some of the cards, as the evidence has them.
    """
    figures = {each["steps"]: each for each in told}
    first = Attributes.of(problem, path.values(path.cards[0]))
    hosts = path.segments.joined(path.order[: path.cards[0].merged])
    finest, place_of, joined = [], np.full(path.segments.size, NOBODY, dtype=np.intp), []
    for layout, table, of_bin in zip(problem.layouts, first.tables, first.of_bin, strict=True):
        segment = path.segments.of_bin[layout.bins]
        conditions, together = _had(of_bin, np.where(segment == NOBODY, NOBODY, hosts[segment]))
        if len(set(together)) < 2:
            continue
        finest.append(
            FinestAttributes(feature=layout.name, conditions=tuple(table.conditions[at] for at in conditions))
        )
        for place, host in enumerate(together):
            if place_of[host] == NOBODY:
                place_of[host] = place
            else:
                joined.append(Joined(feature=layout.name, first=int(place_of[host]), second=place))
    place_of = place_of[hosts]
    cards = [_card(path, path.cards[0], figures, joined)]
    for before, card in itertools.pairwise(path.cards):
        edges = path.order[before.merged : card.merged]
        ends = [(path.segments.left[edge], path.segments.right[edge]) for edge in edges]
        names = [problem.layouts[path.segments.block[left]].name for left, _ in ends]
        pairs = [sorted((int(place_of[left]), int(place_of[right]))) for left, right in ends]
        own = [Joined(feature=name, first=low, second=high) for name, (low, high) in zip(names, pairs, strict=True)]
        cards.append(_card(path, card, figures, own))
    return CardPath(
        learner="additive",
        option=OPTION,
        cards=tuple(cards),
        chosen=path.cards.index(chosen),
        finest=tuple(finest),
    )


def _had(of_bin: NDArray[np.intp], host: NDArray[np.intp]) -> tuple[list[int], list[int]]:
    """The attributes that somebody had, by their places in the table, and the segment of each."""
    attributes = {int(own): int(segment) for own, segment in zip(of_bin, host, strict=True) if segment != NOBODY}
    places = sorted(attributes)
    return places, [attributes[place] for place in places]


def _card(path: Path, card: Card, figures: Mapping[int, Mapping[str, Any]], joined: Sequence[Joined]) -> PathCard:
    total, told = path.metric.total, figures.get(card.steps, {})
    return PathCard(
        steps=card.steps,
        characteristics=card.characteristics,
        kept=round(min(max(1.0 - card.distance / total, 0.0), 1.0), _DIGITS) if total else 1.0,
        auc=told.get("auc"),
        log_loss=told.get("log_loss"),
        joined=tuple(joined),
    )
