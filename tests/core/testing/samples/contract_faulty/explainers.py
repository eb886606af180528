"""Explainers with a fault."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from contract_samples.healthy import TinyExplainer, TinyExplanation

from scrutable.model.evaluator import evaluate

_CALLS = itertools.count()


class Backwards(TinyExplainer):
    """Explains the last row first."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X)[::-1]


class Shortened(TinyExplainer):
    """Explains the declined alone."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [found for found in super().explain(model, X) if not found.approved]


class _Opaque(TinyExplanation):
    def to_dict(self) -> dict[str, Any]:
        return {"score": {self.score}}


class Unprintable(TinyExplainer):
    """Tells what JSON cannot hold."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [_Opaque(approved=each.approved, score=each.score) for each in super().explain(model, X)]


class AllAccepting(TinyExplainer):
    """Explains models that its descriptor does not accept."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [TinyExplanation(approved=True, score=0.0) for _ in evaluate(model, X).score]


class Fickle(TinyExplainer):
    """Says something else every time."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [replace(found, score=float(next(_CALLS))) for found in super().explain(model, X)]


class Changeable(TinyExplainer):
    """Can be changed after it is made."""

    __setattr__ = object.__setattr__


class Scribbling(TinyExplainer):
    """Notes the score in the caller's rows."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X)
        X["amount"] = X["amount"].fillna(0.0)
        return found


class Literal(TinyExplainer):
    """Stumbles over quotes."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        for feature in model.features:
            compile(f"'{feature.name}'", feature.name, "eval")
        return super().explain(model, X)
