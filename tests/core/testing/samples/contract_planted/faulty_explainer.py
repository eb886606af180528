"""What faulty explainers are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExplainer, TinyExplanation

from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Explainer

POINTS: dict[str, Any] = {"accepts": ("scorecard",), "produces": ("contributions",)}
REASONS: dict[str, Any] = {"accepts": ("scorecard", "rule-set", "tree-ensemble"), "produces": ("reasons",)}
ANSWERS: dict[str, Any] = {"accepts": ("scorecard",), "produces": ("counterfactuals",)}
SEGMENTS: dict[str, Any] = {**REASONS, "accepts": (*REASONS["accepts"], "segmented-model")}


class Changed(TinyExplainer):
    """Contributions that are changed before they are told."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [self.told(model, each) for each in super().explain(model, X, reference=reference)]

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return found


class Reasoned(Explainer):
    """The reasons of our own explainer, changed."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if isinstance(model, SegmentedModel):
            raise UnsupportedModel("no segments", got=type(model).__name__)
        if reference is not None:
            model = replace(model, reasons=self.policy(model, reference))
        return [self.told(each) for each in create("explainer", "reason-codes").explain(model, X)]

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        return self.changed(model, create("explainer", "reason-codes").policy(model, reference, weight=weight))

    def told(self, found: Any) -> Any:
        return found

    def changed(self, model: Any, policy: Any) -> Any:
        return policy


@dataclass(frozen=True, kw_only=True)
class Found(TinyExplanation):
    answers: tuple[Any, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"approved": self.approved, "score": self.score, "answers": len(self.answers)}


class OneChange(Explainer):
    """The first single value of the reference that approves."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not hasattr(model, "characteristics") or not hasattr(model, "cutoff"):
            raise UnsupportedModel("no scorecard", got=type(model).__name__)
        if reference is None:
            raise InputError("values come from it", where="reference")
        found = evaluate(model, X)
        return [
            Found(
                approved=bool(found.approved[row]),
                score=float(found.score[row]),
                answers=self._answers(model, X.iloc[[row]], reference),
            )
            for row in range(len(X))
        ]

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        if evaluate(model, row).approved[0]:
            return ()
        for feature in row:
            tried = row.iloc[[0] * len(reference)].assign(**{feature: reference[feature].to_numpy()})
            for place in np.flatnonzero(evaluate(model, tried).approved)[:1]:
                return (self.answer(model, feature, row, tried.iloc[[place]]),)
        return ()

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        says = evaluate(model, changed)
        values = {name: changed[name].iloc[0] for name in changed}
        change = SimpleNamespace(feature=feature, value=row[feature].iloc[0], nearest=values[feature])
        return SimpleNamespace(
            values=values, score=float(says.score[0]), approved=bool(says.approved[0]), changes=[change]
        )


class Segmented(Reasoned):
    """Reasons of models of segments too, each by its own reference rows."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if reference is None or not isinstance(model, SegmentedModel):
            return create("explainer", "reason-codes").explain(model, X, reference=reference)
        segments = [replace(each, model=self.with_reasons(model, each, reference)) for each in model.segments]
        return create("explainer", "reason-codes").explain(replace(model, segments=tuple(segments)), X)

    def with_reasons(self, model: Any, segment: Any, reference: Any) -> Any:
        numbers = {each.name: f"R{number:02}" for number, each in enumerate(model.features, 1)}
        codes = {each.name: numbers[each.name] for each in segment.model.features}
        policy = create("explainer", "reason-codes", codes=codes).policy(
            segment.model, self.rows(model, segment, reference)
        )
        return replace(segment.model, reasons=policy)

    def rows(self, model: Any, segment: Any, reference: Any) -> Any:
        return reference[evaluate(model, reference).of_segment(segment.name)]
