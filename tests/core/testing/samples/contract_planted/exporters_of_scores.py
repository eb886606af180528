"""Exporters that add up, calibrate, vote or decide wrongly, or ask other conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from contract_planted.faulty_exporter import Faulty, each_attribute, each_clause, fault, patch
from scrutable.model import (
    Categories,
    Clause,
    Interval,
    Missing,
    RuleSet,
    Scorecard,
    SegmentedModel,
    Special,
    TreeEnsemble,
    loads,
)
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export


def z_of(model: Any, found: dict[str, Any]) -> Any:
    return model.calibration.intercept + model.calibration.slope * found["score"]


def calibrated(model: Any) -> bool:
    return isinstance(model, Scorecard | TreeEnsemble)


@patch("changed")
def negated_holds_for_null(self: Any, model: Any) -> Any:
    """A negated category is true for missing values."""

    def loosened(clause: Clause) -> Clause:
        negated = any(isinstance(each, Categories) and each.negated for each in clause.any_of)
        return replace(clause, any_of=(*clause.any_of, Missing())) if negated else clause

    return each_clause(model, loosened)


@patch("told")
def unclamped(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The linear predictor is not held in its limits."""
    if calibrated(model) and model.calibration.link == "logit":
        found["probability"] = 1 / (1 + np.exp(-z_of(model, found)))
    return found


@patch("told")
def identity_unclamped(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A probability is more than 1, or less than 0."""
    if calibrated(model) and model.calibration.link == "identity":
        found["probability"] = z_of(model, found)
    return found


@patch("changed")
def lost_base_points(self: Any, model: Any) -> Any:
    """The base points are lost."""
    if isinstance(model, TreeEnsemble):
        return replace(model, base_score=0.0)
    return model if isinstance(model, RuleSet) else replace(model, base_points=0.0)


@patch("changed")
def lost_intercept(self: Any, model: Any) -> Any:
    """The intercept of the calibration is lost."""
    if not calibrated(model):
        return model
    return replace(model, calibration=replace(model.calibration, intercept=0.0))


@patch("changed")
def strict_splits(self: Any, model: Any) -> Any:
    """Splits ask for less, not for less or equal."""

    def stricter(clause: Clause) -> Clause:
        kept = [
            Interval(each.lower, each.upper, "neither") if getattr(each, "closed", "") == "right" else each
            for each in clause.any_of
        ]
        return replace(clause, any_of=tuple(kept))

    return each_clause(model, stricter)


@patch("told")
def above_the_cutoff(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A score that equals the cutoff declines."""
    if "approved" in found and hasattr(model, "cutoff"):
        found["approved"] = found["approved"] * (found["score"] > model.cutoff)
    return found


@patch("told")
def deciding_on_probability(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A probability of a half approves."""
    if calibrated(model):
        out = found["knock_out"] != np.array(None)
        found["approved"] = ((found["probability"] >= 0.5) & ~out).astype(int)
    return found


@patch("run")
def lost_segment_order(self: Any, export: Export, X: Any) -> OutputFrame:
    """The last segment whose conditions hold takes an applicant."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        *others, last = model.segments
        model = replace(model, segments=(*reversed(others), last))
    return evaluate(model, X).frame()


@patch("told")
def rounding_scores(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Scores are rounded to two decimals."""
    return found | {"score": found["score"].round(2)} if "score" in found else found


@patch("told")
def last_class_is_good(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The probability is that of the last class."""
    if model.outcome != getattr(model.outcome, "target", "") and getattr(model.outcome, "favourable_index", 1) == 0:
        found |= {"probability": 1 - found["probability"]} if "probability" in found else {}
    return found


@patch("told")
def highest_class_wins(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Ties of votes go to the last class."""
    if "predicted" in found:
        votes = np.stack([found[f"score_{i}"] for i in range(len(model.outcome.classes))], axis=1)
        found["predicted"] = votes.shape[1] - 1 - np.argmax(votes[:, ::-1], axis=1)
    return found


@patch("changed")
def unweighted_votes(self: Any, model: Any) -> Any:
    """Every rule has one vote."""
    if not isinstance(model, RuleSet):
        return model
    return replace(model, rules=tuple(replace(rule, weight=1.0) for rule in model.rules))


@patch("changed")
def lost_special_clauses(self: Any, model: Any) -> Any:
    """Clauses pass over special codes."""

    def bare(clause: Clause) -> Clause:
        kept = tuple(each for each in clause.any_of if not isinstance(each, Special))
        return replace(clause, any_of=kept or clause.any_of)

    return each_clause(model, bare)


@patch("changed")
def lost_nobodys(self: Any, model: Any) -> Any:
    """Attributes that nobody had are worth 0 points."""
    if not isinstance(model, Scorecard):
        return model
    return each_attribute(model, lambda one: replace(one, points=one.points * _seen(one)))


def _seen(attribute: Any) -> int:
    return int(attribute.statistics is None or attribute.statistics.count > 0)


@fault()
class EqualTreesOnce(Faulty):
    """Equal trees are added once."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, TreeEnsemble):
            return model
        return replace(model, trees=tuple(dict.fromkeys(model.trees)), reasons=None)

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        right = evaluate(model, self.rows).frame()
        return {**right, **{name: found[name] for name in found if not name.startswith(("reason_", "short_"))}}


@patch("changed")
def whole_cutoff(self: Any, model: Any) -> Any:
    """Where all points are whole the cutoff is cut to a whole number."""
    if not isinstance(model, Scorecard):
        return model
    points = [one.points for each in model.characteristics for one in each.attributes]
    return replace(model, cutoff=float(int(model.cutoff))) if all(map(float.is_integer, points)) else model


@patch("run")
def first_clause_of_segments(self: Any, export: Export, X: Any) -> OutputFrame:
    """Of the clauses that ask for a segment the first one counts."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        segments = tuple(replace(each, when=each.when[:1]) for each in model.segments)
        read = {clause.feature for each in segments for clause in each.when}
        routing = tuple(feature for feature in model.routing if feature.name in read)
        model = replace(model, segments=segments, routing=routing)
    return OutputFrame(evaluate(model, X).frame())


@patch("run")
def segments_by_name(self: Any, export: Export, X: Any) -> OutputFrame:
    """Segments are asked for in the order of their names."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        *asked, last = model.segments
        model = replace(model, segments=(*sorted(asked, key=lambda each: each.name), last))
    return OutputFrame(evaluate(model, X).frame())


@patch("changed")
def sixty_four_rules(self: Any, model: Any) -> Any:
    """Rules beyond the sixty-fourth do not vote."""
    return replace(model, rules=model.rules[:64]) if isinstance(model, RuleSet) else model


@patch("changed")
def rounded_as_scaled(self: Any, model: Any) -> Any:
    """Points are rounded to the decimals of the scaling."""
    if not isinstance(model, Scorecard) or model.scaling is None:
        return model
    return each_attribute(model, lambda one: replace(one, points=model.scaling.round(one.points)))


@patch("changed")
def tables_left_out(self: Any, model: Any) -> Any:
    """Points of interactions are not added."""
    tables = tuple(each.with_points(lambda _: 0.0) for each in getattr(model, "interactions", ()))
    return replace(model, interactions=tables) if tables else model
