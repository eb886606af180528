"""The plan of a model of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from scrutable.model import (
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    reasons_by_segment,
)
from scrutable_sql import checks, rule_sets, scorecards, segments, tree_ensembles
from scrutable_sql.common import Plan
from scrutable_sql.options import SQLOptions


def plan(model: Model, options: SQLOptions) -> Plan:
    """The plan of a model, whose names were checked.

    Raises
    ------
    UnsupportedModel : names that an engine could mix up or not have, more reasons than the model gives.
    """
    made = _plan(model, options)
    checks.names(model, made, options)
    return made


def _plan(model: Model, options: SQLOptions) -> Plan:
    match model:
        case Scorecard():
            return scorecards.plan(model, options)
        case RegressionScorecard():
            return scorecards.plan_of_prediction(model, options)
        case RuleSet():
            return rule_sets.plan(model, options)
        case TreeEnsemble():
            return tree_ensembles.plan(model, options)
        case SegmentedModel():
            counts = reasons_by_segment(model, options.reasons)
            own = (replace(options, ids=(), reasons=count) for count in counts)
            return segments.plan(model, list(map(plan, model.parts, own)), options)
        case _:
            assert_never(model)
