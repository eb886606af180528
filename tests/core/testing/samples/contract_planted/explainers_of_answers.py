"""Explainers whose answers are not what the model says, cannot be had, or are missing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from contract_planted.fault import patched, planted
from contract_planted.faulty_explainer import ANSWERS, Found, OneChange
from scrutable.errors import InputError
from scrutable.model import SegmentedModel
from scrutable.model.evaluator import evaluate


@patched(OneChange, "answer", check="answers-are-what-the-model-says", **ANSWERS)
def old_score(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """An answer has the score of before."""
    found = OneChange.answer(self, model, feature, row, changed)
    found.score = float(evaluate(model, row).score[0])
    return found


@patched(OneChange, "answer", check="answers-are-what-the-model-says", **ANSWERS)
def hidden_change(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """A change is not listed."""
    found = OneChange.answer(self, model, feature, row, changed)
    found.changes = []
    return found


@patched(OneChange, "answer", check="answers-reach-what-is-wanted", **ANSWERS)
def nothing_reached(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """An answer does not approve."""
    return OneChange.answer(self, model, feature, row, row)


@patched(OneChange, "_answers", check="answers-are-values-to-have", **ANSWERS)
def missing_proposed(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Missing values are proposed first."""
    return OneChange._answers(self, model, row, reference.iloc[np.argsort(reference.notna().all(axis=1))])


@patched(OneChange, "answer", check="every-change-is-needed", **ANSWERS)
def one_more_change(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """A second change is told that is not needed."""
    other = next(name for name in changed if name != feature)
    found = OneChange.answer(self, model, feature, row, changed)
    found.changes.append(SimpleNamespace(feature=other, value=row[other].iloc[0], nearest=found.values[other]))
    return found


@patched(OneChange, "_answers", check="who-can-get-there-is-told-how", **ANSWERS)
def first_feature_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Only the first feature is tried."""
    found = OneChange._answers(self, model, row, reference)
    return tuple(each for each in found if each.changes[0].feature == next(iter(row)))


@planted("explainer", check="answers-keep-to-the-options", **ANSWERS)
class ForgottenImmutable(OneChange):
    """Immutable features change."""

    def __init__(self, *, immutable: Any = ()) -> None:
        self.immutable = immutable


@planted(
    "explainer",
    check="answers-are-what-the-model-says",
    accepts=("scorecard", "segmented-model"),
    produces=("counterfactuals",),
)
class PresentSegment(OneChange):
    """Answers have the score that the present segment gives."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not isinstance(model, SegmentedModel):
            return super().explain(model, X, reference=reference)
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

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        found = super().answer(model, feature, row, changed)
        if isinstance(model, SegmentedModel):
            present = next(each for each in model.segments if each.name == evaluate(model, row).segment[0])
            found.score = float(evaluate(present.model, changed).score[0])
        return found


@patched(OneChange, "_answers", check="one-row-of-a-reference-is-enough", **ANSWERS)
def approved_values_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Values come from approved rows of the reference, where there are any."""
    approved = evaluate(model, reference).approved
    return OneChange._answers(self, model, row, reference[approved] if approved.any() else reference)


@patched(OneChange, "_answers", check="one-row-of-a-reference-is-enough", **ANSWERS)
def frequent_values_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Values come from the row that stands most often in the reference, and others that do so."""
    often = reference[reference.duplicated(keep=False)]
    return OneChange._answers(self, model, row, often if len(often) else reference)


@planted("explainer", check="every-word-of-actions-is-kept", **ANSWERS)
class NoneForgotten(OneChange):
    """Of actions it reads "up" and "down", and no other word.

    Parameters
    ----------
    actions : by feature "up" or "down".
    """

    def __init__(self, *, actions: Any = None) -> None:
        self.actions = actions or {}

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        kept = {name: row[name].iloc[0] for name, word in self.actions.items() if word in ("up", "down")}
        return super()._answers(model, row, reference.assign(**kept))
