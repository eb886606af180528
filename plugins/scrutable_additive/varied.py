"""Alternatives for a search: other cards of the path, and cards without characteristics that tell groups apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from scrutable.data import TrainingData
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Json, Scorecard
from scrutable.plugins import CardPath
from scrutable.plugins.bases import BASELINE, Alternative, Learner, costly_characteristics

#: Most cards of the path that are alternatives, and most characteristics that one leaves out.
_CARDS, _LEFT_OUT = 6, 4


def alternatives_of(learner: Learner, data: TrainingData) -> Iterator[Alternative]:
    """The card, other cards of its path from many steps to few, then cards without the costliest characteristics.

    What a card adds to another one by `improves` leaves no characteristic out: the other one has it.
    """
    options: dict[str, Any] = learner.get_params(deep=False)
    model, evidence = learner.learn(data)
    yield Alternative(method=BASELINE, model=model, evidence=evidence)
    for steps in _other_steps(evidence):
        other: Learner = clone(learner).set_params(steps=steps)
        yield _alternative("card", {"steps": steps}, *other.learn(data))
    if options["improves"] is None:
        yield from _leaving_out(learner, data, model, options)


def _other_steps(evidence: Evidence) -> list[int]:
    """Steps of cards at even distances along the path, without those of the card that was chosen."""
    path = CardPath.of(evidence)
    if path is None:
        return []
    steps = [card.steps for place, card in enumerate(path.cards) if place != path.chosen and card.steps]
    spread = np.unique(np.linspace(0, max(len(steps) - 1, 0), _CARDS).round().astype(int))
    return [steps[place] for place in spread if place < len(steps)]


def _leaving_out(
    learner: Learner, data: TrainingData, model: DecisionModel, options: Mapping[str, Any]
) -> Iterator[Alternative]:
    """Each time the characteristic goes that adds most to a gap between groups; none that `must` names."""
    out: list[str] = []
    for _ in range(min(_LEFT_OUT, len(data.features) // 2)):
        assert isinstance(model, Scorecard)
        costly = [name for name in costly_characteristics(model, data) if name not in (*out, *options["must"])]
        if not costly:
            return
        out.append(costly[0])
        kept = tuple(feature for feature in data.features if feature.name not in out)
        trends = {name: trend for name, trend in (options["trends"] or {}).items() if name not in out}
        smaller: Learner = clone(learner).set_params(trends=trends or None)
        model, evidence = smaller.learn(replace(data, features=kept))
        yield _alternative("left-out", {"without": tuple(out)}, model, evidence)


def _alternative(method: str, recipe: dict[str, Json], model: DecisionModel, evidence: Evidence) -> Alternative:
    return Alternative(method=method, parameters=FrozenMapping(recipe), model=model, evidence=evidence)
