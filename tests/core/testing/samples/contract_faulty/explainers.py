"""Explainers with a fault."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pandas as pd
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


class Rotating(TinyExplainer):
    """Explains each row by the score of the next."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X)
        scores = [each.score for each in [*found[1:], *found[:1]]]
        return [replace(each, score=score) for each, score in zip(found, scores, strict=True)]


class Comparing(TinyExplainer):
    """Explains a row by the batch that it is in."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X)
        least = min(each.score for each in found)
        return [replace(each, score=each.score - least) for each in found]


class Needy(TinyExplainer):
    """Fails without a reference."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X[list(reference)])


class OptionSetting(TinyExplainer):
    """Sets how everybody's frames are shown."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        pd.set_option("display.max_rows", 3)
        return super().explain(model, X)


class Recalling(TinyExplainer):
    """Keeps the last explanations where nobody looks."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X)
        object.__setattr__(self, "_last", found)
        return found


class _Contrary(TinyExplanation):
    def describe(self) -> str:
        return f"Approved: score {self.score:.1f}"


class Contrary(TinyExplainer):
    """Says that everybody is approved."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [_Contrary(approved=each.approved, score=each.score) for each in super().explain(model, X)]


class Forgetful(TinyExplainer):
    """Forgets to return."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> Any:
        super().explain(model, X)
