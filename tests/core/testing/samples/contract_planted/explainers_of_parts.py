"""Explainers that go wrong only where interactions or score adjustments move the score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExplanation

from contract_planted.fault import patched
from contract_planted.faulty_explainer import ANSWERS, POINTS, REASONS, OneChange, Reasoned
from scrutable.errors import UnsupportedModel
from scrutable.model import FrozenMapping, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Explainer
from scrutable.testing.contract.explainers.moves import parts_of

_ADDS, _MOVES = "contributions-add-up-to-the-score", "a-replaced-value-moves-its-own-contribution"


class Parts(Explainer):
    """Points beyond the reference's average, of characteristics, interactions and score adjustments by their names."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not isinstance(model, Scorecard):
            raise UnsupportedModel("only scorecards are explained", got=type(model).__name__)
        says, parts = evaluate(model, X), self.parts(model, X)
        average = dict.fromkeys(parts, 0.0)
        if reference is not None:
            average = self.averages(model, reference)
        return [
            TinyExplanation(
                approved=bool(says.approved[row]),
                score=float(says.score[row]),
                baseline=model.base_points + sum(average.values()),
                contributions={name: float(points[row]) - average[name] for name, points in parts.items()},
            )
            for row in range(len(X))
        ]

    def parts(self, model: Any, X: Any) -> dict[str, Any]:
        return dict(parts_of(model, X))

    def averages(self, model: Any, reference: Any) -> dict[str, float]:
        return {name: float(points.mean()) for name, points in self.parts(model, reference).items()}


@patched(Parts, "parts", check=_ADDS, **POINTS)
def forgetting_interactions(self: Any, model: Any, X: Any) -> dict[str, Any]:
    """Interactions are left out."""
    tables = {each.name for each in model.interactions}
    return {name: points for name, points in Parts.parts(self, model, X).items() if name not in tables}


@patched(Parts, "parts", check=_ADDS, **POINTS)
def forgetting_adjustments(self: Any, model: Any, X: Any) -> dict[str, Any]:
    """Score adjustments are left out."""
    codes = {each.code for each in model.adjustments}
    return {name: points for name, points in Parts.parts(self, model, X).items() if name not in codes}


@patched(Parts, "parts", check=_MOVES, **POINTS)
def halved_interactions(self: Any, model: Any, X: Any) -> dict[str, Any]:
    """Half of an interaction is told of each of its features, also where one alone is other than the others'."""
    parts = Parts.parts(self, model, X)
    for each in model.interactions:
        half = parts.pop(each.name) / 2
        for feature in each.features:
            parts[feature] = parts[feature] + half
    return parts


@patched(Parts, "parts", check=_MOVES, **POINTS)
def adjustments_of_the_first(self: Any, model: Any, X: Any) -> dict[str, Any]:
    """What score adjustments add is told of the first characteristic."""
    parts = Parts.parts(self, model, X)
    first = model.characteristics[0].feature
    for each in model.adjustments:
        parts[first] = parts[first] + parts.pop(each.code)
    return parts


@patched(Parts, "averages", check="every-sort-of-reference-row-counts", **POINTS)
def interactions_of_complete_rows(self: Any, model: Any, reference: Any) -> dict[str, float]:
    """Interactions are compared with the complete rows of the reference, where there are any."""
    complete = reference.dropna()
    averages = Parts.averages(self, model, complete if len(complete) else reference)
    tables = {each.name for each in model.interactions}
    others = Parts.averages(self, model, reference)
    return {name: averages[name] if name in tables else points for name, points in others.items()}


@patched(Parts, "averages", check="baselines-are-of-their-features", **POINTS)
def interactions_beyond_their_sum(self: Any, model: Any, reference: Any) -> dict[str, float]:
    """Interactions are compared with a number that is no average of their points."""
    averages = Parts.averages(self, model, reference)
    return averages | {each.name: sum(np.abs(each.cells)) + 1 for each in model.interactions}


@patched(Reasoned, "changed", check="shortfalls-are-what-the-score-loses", **REASONS)
def interaction_baselines_of_features(self: Any, model: Any, policy: Any) -> Any:
    """The baseline of an interaction is that of its first feature."""
    first = {each.name: policy.baselines[each.features[0]] for each in getattr(model, "interactions", ())}
    return replace(policy, baselines=FrozenMapping({**policy.baselines, **first}))


@patched(OneChange, "answer", check="answers-are-what-the-model-says", **ANSWERS)
def unadjusted_answers(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """An answer has the score without the score adjustments of its values."""
    told = OneChange.answer(self, model, feature, row, changed)
    adjustment = evaluate(model, changed).adjustment
    told.score -= 0.0 if adjustment is None else float(adjustment[0])
    return told
