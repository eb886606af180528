"""Explainers whose contributions are not what moves the score, or are told of somebody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract_samples.healthy import TinyExplainer, TinyExplanation

from contract_planted.fault import patched, planted
from contract_planted.faulty_explainer import POINTS, Changed
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Explainer

_ADDS, _MOVES = "contributions-add-up-to-the-score", "a-replaced-value-moves-its-own-contribution"


@patched(Changed, "told", check=_ADDS, **POINTS)
def wrong_sign(self: Any, model: Any, found: TinyExplanation) -> Any:
    """What is good for the applicant is negative."""
    return replace(found, contributions={name: -points for name, points in found.contributions.items()})


@patched(Changed, "explain", check=_MOVES, **POINTS)
def swapped_baselines(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Two features are measured from one another's baseline."""
    self_found = Changed.explain(self, model, X, reference=reference)
    points = evaluate(model, X if reference is None else reference).points
    first, second, *_ = points
    gap = float(points[first].mean() - points[second].mean())
    for each in self_found:
        each.contributions[first] += gap
        each.contributions[second] -= gap
    return self_found


@patched(Explainer, "explain", check="baselines-are-of-their-features", **POINTS)
def swapped_best_points(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Points below the best of another characteristic."""
    if not isinstance(getattr(model, "characteristics", None), tuple) or not hasattr(model, "cutoff"):
        raise UnsupportedModel("no scorecard", got=type(model).__name__)
    if reference is not None:
        raise InputError("it compares with the best points", where="reference")
    found, best = evaluate(model, X), [each.points_range[1] for each in model.characteristics]
    names = [each.feature for each in model.characteristics]
    turned = dict(zip(names, best[1:] + best[:1], strict=True))
    return [
        TinyExplanation(
            approved=bool(found.approved[row]),
            score=float(found.score[row]),
            baseline=model.base_points + sum(best),
            contributions={name: float(found.points[name][row]) - turned[name] for name in names},
        )
        for row in range(len(found.predicted))
    ]


@patched(Changed, "told", check=_MOVES, **POINTS)
def swapped_features(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Two features have one another's contribution."""
    first, second, *others = found.contributions
    names = [second, first, *others]
    return replace(found, contributions=dict(zip(names, found.contributions.values(), strict=True)))


@patched(Changed, "told", check=_ADDS, **POINTS)
def favouring(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Points count for the last class."""
    sign = 1 if model.outcome.favourable_index == 1 else -1
    return replace(found, contributions={name: sign * its for name, its in found.contributions.items()})


@patched(Changed, "explain", check=_ADDS, **POINTS)
def forgetting_missing(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Contributions of 0 where a value is missing."""
    found = Changed.explain(self, model, X, reference=reference)
    for row, each in enumerate(found):
        each.contributions.update({name: 0.0 for name in each.contributions if X[name].isna().iloc[row]})
    return found


@patched(Changed, "told", check="explanations-tell-applicants-apart", **POINTS)
def constant(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Everybody with a decision gets the same explanation."""
    return TinyExplanation(approved=found.approved, score=0.0)


@patched(Changed, "told", check="explanations-repeat-the-evaluation", **POINTS)
def rounded_score(self: Any, model: Any, found: TinyExplanation) -> Any:
    """The score is told without decimals."""
    return replace(found, score=float(round(found.score)))


@patched(Changed, "told", check="contributions-add-up-to-the-score", **POINTS)
def other_values(self: Any, model: Any, found: TinyExplanation) -> Any:
    """What JSON holds are other values."""
    return _Rounded(**vars(found))


class _Rounded(TinyExplanation):
    def to_dict(self) -> dict[str, Any]:
        rounded = {name: round(points) for name, points in self.contributions.items()}
        return super().to_dict() | {"contributions": rounded}


@planted("explainer", check="what-it-produces-is-known", **{**POINTS, "produces": ("insights",)})
class Undeclared(TinyExplainer):
    """It produces what nobody checks."""


@planted("explainer", check="rows-are-explained-by-themselves", **POINTS)
class OrderOfLabels(TinyExplainer):
    """Explanations come in the order of the labels of rows."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X.sort_index(), reference=reference)


@patched(TinyExplainer, "explain", check="late-rows-are-explained-as-early-ones", **POINTS)
def first_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Rows after the first 256 are explained as the one before them."""
    return TinyExplainer.explain(self, model, X.iloc[[min(row, 255) for row in range(len(X))]], reference=reference)
