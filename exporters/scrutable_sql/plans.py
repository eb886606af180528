"""The plan of a model of any kind, and what the kind is called."""

from __future__ import annotations

from dataclasses import replace

from scrutable.model import Model, RegressionScorecard, RuleSet, Scorecard, SegmentedModel, reasons_by_segment
from scrutable_sql import checks, rule_sets, scorecards, segments, tree_ensembles
from scrutable_sql.common import Plan, SingleModel
from scrutable_sql.options import SQLOptions


def plan(model: Model, options: SQLOptions) -> tuple[str, Plan]:
    """The kind of the model in words, and its plan, whose names were checked.

    Raises
    ------
    UnsupportedModel : names that an engine could mix up or not have, more reasons than the model gives.
    """
    kind, steps = _of_segments(model, options) if isinstance(model, SegmentedModel) else _of_one(model, options)
    checks.names(model, steps, options)
    return kind, steps


def _of_segments(model: SegmentedModel, options: SQLOptions) -> tuple[str, Plan]:
    counts = reasons_by_segment(model, options.reasons)
    parts = [
        plan(segment.model, replace(options, ids=(), reasons=count))[1]
        for segment, count in zip(model.segments, counts, strict=True)
    ]
    return "Segments, each with a model of its own,", segments.plan(model, parts, options)


def _of_one(model: SingleModel, options: SQLOptions) -> tuple[str, Plan]:
    if isinstance(model, Scorecard):
        return "Scorecard", scorecards.plan(model, options)
    if isinstance(model, RegressionScorecard):
        return "Regression scorecard", scorecards.plan_of_prediction(model, options)
    if isinstance(model, RuleSet):
        return "Rule set", rule_sets.plan(model, options)
    return "Tree ensemble", tree_ensembles.plan(model, options)
