"""From a model to the text of the R file."""

from __future__ import annotations

import functools
from typing import Any, assert_never

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
)
from scrutable.plugins import heading_lines, one_line
from scrutable_r import rule_sets, scorecards, segments, tree_ensembles
from scrutable_r.common import Read, knock_outs, reads
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number


def render(model: Model, function_name: str) -> str:
    """The R file that defines the function."""
    return template("score.R.jinja").render(
        header=list(map(one_line, heading_lines(model))),
        function_name=function_name,
        readers={column.reader for column in _reads(model)},
        body=_body(model),
    )


def template(name: str) -> jinja2.Template:
    """A template of this package; what it is given must be quoted or cleaned."""
    return _environment().get_template(name)


def _body(model: Model) -> str:
    """What the function needs, the function itself being last; of segments, all their functions within it."""
    return template(f"{model.kind.replace('-', '_')}.jinja").render(reads=_reads(model), **_context(model))


def _reads(model: Model) -> list[Read]:
    features = features_read(model)
    return reads(features, Inputs.of(features))


def _context(model: Model) -> dict[str, Any]:
    """What the template of the model's kind writes."""
    inputs = Inputs.of(model.features)
    match model:
        case Scorecard():
            own = {**scorecards.context(model, inputs), "calibration": _calibration(model)}
        case RuleSet():
            own = {**rule_sets.context(model, inputs), "calibration": None}
        case TreeEnsemble():
            own = {**tree_ensembles.context(model, inputs), "calibration": _calibration(model)}
        case RegressionScorecard():
            return scorecards.context_of_points(model, inputs)
        case SegmentedModel():
            return segments.context(model, list(map(_body, model.parts)))
        case _:
            assert_never(model)
    return {
        **own,
        "knock_outs": knock_outs(model.policy, inputs),
        "cutoff": None if model.cutoff is None else number(model.cutoff),
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
