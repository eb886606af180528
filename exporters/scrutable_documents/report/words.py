"""What the calculator shows beside what the model gives: names, sentences and texts, as data of the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from scrutable.model import (
    Interaction,
    Model,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    SegmentedModel,
    SingleModel,
    TreeEnsemble,
)
from scrutable_documents.report.fields import form_fields

#: Where all points are smaller, as in log-odds, two decimals would not tell them apart.
_SMALL = 10


def words(model: Model) -> dict[str, Any]:
    """The form, the names of segments, and for the model, or that of each segment, what is shown of it."""
    return {
        "form": [field.to_dict() for field in form_fields(model)],
        "segments": [segment.name for segment in model.segments] if isinstance(model, SegmentedModel) else None,
        "parts": list(map(_of_part, model.parts)),
    }


def _of_part(model: SingleModel | RegressionScorecard) -> dict[str, Any]:
    outcome = model.outcome
    if isinstance(outcome, Quantity):
        about: dict[str, Any] = {"outcome": outcome.title, "cutoff": None}
    else:
        assert not isinstance(model, RegressionScorecard)
        about = {
            "favourable": str(outcome.favourable),
            "classes": [str(label) for label in outcome.classes],
            "cutoff": model.cutoff,
            **_of_policy(model),
        }
    return {**about, **_made_of(model)}


def _of_policy(model: SingleModel) -> dict[str, Any]:
    """Rules that decide, score adjustments, and the texts of reasons, each with its code."""
    policy, reasons = model.policy, model.reasons
    told = {} if reasons is None else dict(reasons.texts)
    return {
        "deciding": [{"code": each.code, "kind": each.kind, "reason": each.reason} for each in policy.deciding],
        "adjustments": [{"code": each.code, "reason": each.reason} for each in policy.adjustments],
        "texts": [[code, text] for code, text in {**told, **policy.reasons}.items()],
    }


def _made_of(model: SingleModel | RegressionScorecard) -> dict[str, Any]:
    """What the score is made of, and how numbers of it look."""
    features = {feature.name: feature for feature in model.features}
    match model:
        case Scorecard() | RegressionScorecard():
            reasons = None if isinstance(model, RegressionScorecard) else model.reasons
            baselines = {} if reasons is None else dict(reasons.baselines)
            parts = [
                {
                    "name": name,
                    "title": each.title(features) if isinstance(each, Interaction) else features[name].title,
                    "attributes": list(each.titles),
                    "baseline": baselines.get(name),
                }
                for name, each in model.terms.items()
            ]
            points = [point for each in model.terms.values() for point in _points(each)]
            return {"characteristics": parts, "unit": "points short", **_style(points, baselines.values())}
        case RuleSet():
            told = {str(i): _vote(rule, rule.describe(features)) for i, rule in enumerate(model.rules, 1)}
            told |= {f"F{i}": _vote(rule, rule.describe(features)) for i, rule in enumerate(model.fallback, 1)}
            return {"rules": list(told.items()), "unit": "votes against", **_style((), ())}
        case TreeEnsemble():
            baselines = {} if model.reasons is None else dict(model.reasons.baselines)
            return {"unit": "points short", **_style((), baselines.values())}
        case _:
            assert_never(model)


def _points(term: Any) -> tuple[float, ...]:
    return term.cells if isinstance(term, Interaction) else tuple(each.points for each in term.attributes)


def _style(points: Iterable[float], baselines: Iterable[float]) -> dict[str, Any]:
    """Whether points are so small that digits tell them apart, and how many decimals each has at least."""
    told = list(points)
    small = all(abs(each) < _SMALL for each in (*told, *baselines))
    return {"small": small, "decimals": 0 if all(each == int(each) for each in told) else 2}


def _vote(rule: Rule, sentence: str) -> str:
    return f"{sentence} (weight {rule.weight:.6g} for {rule.outcome})"
