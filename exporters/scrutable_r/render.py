"""From a model to the text of the R file."""

from __future__ import annotations

import functools
from typing import Any

import jinja2

from scrutable.model import (
    CLAMP,
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    features_read,
    fingerprint,
)
from scrutable_r import rule_sets, scorecards, segments, tree_ensembles
from scrutable_r.common import Read, SingleModel, heading, knock_outs, reads
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number


def render(model: Model, function_name: str) -> str:
    """The R file that defines the function."""
    columns = _reads(model)
    kind, body = _segmented(model) if isinstance(model, SegmentedModel) else _body(model)
    return template("score.R.jinja").render(
        header=heading(model, kind, fingerprint(model)),
        function_name=function_name,
        readers={column.reader for column in columns},
        body=body,
    )


def template(name: str) -> jinja2.Template:
    """A template of this package; what it is given must be quoted or cleaned."""
    return _environment().get_template(name)


def _segmented(model: SegmentedModel) -> tuple[str, str]:
    """The kind in words, and the functions of all segments within the function that chooses among them."""
    context = segments.context(model, [_body(segment.model)[1] for segment in model.segments])
    body = template("segmented.jinja").render(reads=_reads(model), **context)
    return "Segments, each with a model of its own,", body


def _body(model: SingleModel) -> tuple[str, str]:
    """The kind in words, and what the function needs, the function itself being last."""
    inputs = Inputs.of(model.features)
    kind, context = _of_kind(model, inputs)
    decision = {} if isinstance(model, RegressionScorecard) else _decision(model, inputs)
    body = template(f"{kind}.jinja").render(reads=_reads(model), **context, **decision)
    return kind.replace("_", " ").capitalize(), body


def _reads(model: Model) -> list[Read]:
    features = features_read(model)
    return reads(features, Inputs.of(features))


def _of_kind(model: SingleModel, inputs: Inputs) -> tuple[str, dict[str, Any]]:
    if isinstance(model, Scorecard):
        return "scorecard", scorecards.context(model, inputs)
    if isinstance(model, RegressionScorecard):
        return "regression_scorecard", scorecards.context_of_points(model, inputs)
    if isinstance(model, RuleSet):
        return "rule_set", rule_sets.context(model, inputs)
    return "tree_ensemble", tree_ensembles.context(model, inputs)


def _decision(model: Scorecard | RuleSet | TreeEnsemble, inputs: Inputs) -> dict[str, Any]:
    return {
        "knock_outs": knock_outs(model.policy, inputs),
        "cutoff": None if model.cutoff is None else number(model.cutoff),
        "calibration": None if isinstance(model, RuleSet) else _calibration(model),
    }


def _calibration(model: Scorecard | TreeEnsemble) -> dict[str, str]:
    calibration = model.calibration
    return {
        "intercept": number(calibration.intercept),
        "slope": number(calibration.slope),
        "link": calibration.link,
    }


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_r"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["clamp"] = int(CLAMP)
    return environment
