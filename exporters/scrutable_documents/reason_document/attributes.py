"""Attributes with their points, their baselines and their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.model import (
    Attribute,
    Characteristic,
    Feature,
    RegressionScorecard,
    Scorecard,
    TreeEnsemble,
    step_functions,
)
from scrutable.model.evaluator import assign, read_inputs
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.part import Part
from scrutable_documents.reason_document.line import Carried, Line

_Kind = Literal["attribute", "step"]


def of_scorecard(part: Part, model: Scorecard | RegressionScorecard) -> Iterator[Line]:
    """Every attribute; shares are of the applicants, and without them those in training."""
    for characteristic in model.characteristics:
        yield from _lines(part, characteristic, "attribute")


def of_steps(part: Part, model: TreeEnsemble) -> Iterator[Line]:
    """What the trees of a single feature add up to, an attribute a line."""
    for characteristic in step_functions(model).characteristics:
        yield from _lines(part, characteristic, "step")


def _lines(part: Part, characteristic: Characteristic, kind: _Kind) -> Iterator[Line]:
    features = {feature.name: feature for feature in part.model.features}
    shares = _shares(part.sample, part, characteristic, features[characteristic.feature])
    policy = part.policy
    baseline = None if policy is None else policy.baselines[characteristic.feature]
    for attribute, title, share in zip(characteristic.attributes, characteristic.titles, shares, strict=True):
        yield Line(
            kind=kind,
            of=characteristic.feature,
            words=title,
            points=attribute.points,
            baseline=baseline,
            share=share,
            codes=_codes(part, characteristic.feature, attribute, baseline),
        )


def _codes(part: Part, feature: str, attribute: Attribute, baseline: float | None) -> tuple[Carried, ...]:
    if part.policy is None or baseline is None:
        return ()
    code = attribute.reason_code or part.policy.codes[feature]
    short = max(0.0, baseline - attribute.points)
    return (Carried(code=code, text=part.text(code), feature=feature, short=short),)


def _shares(
    sample: Evaluated | None, part: Part, characteristic: Characteristic, feature: Feature
) -> Sequence[float | None]:
    if sample is None:
        known = (attribute.statistics for attribute in characteristic.attributes)
        return [None if statistics is None else statistics.share for statistics in known]
    columns, n_rows = read_inputs(part.model, sample.table)
    conditions = [attribute.condition for attribute in characteristic.attributes]
    held: NDArray[np.intp] = assign(conditions, feature, columns[feature.name])
    shares: list[float] = (np.bincount(held, minlength=len(conditions)) / n_rows).tolist()
    return shares
