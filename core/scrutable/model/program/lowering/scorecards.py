"""Scorecards and regression scorecards as programs."""

from __future__ import annotations

from scrutable.model.characteristics import Additive
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.decisions import decided, outputs_of_decision, probability, reasons, unfavourable
from scrutable.model.program.nodes import Points, Ref, Sum
from scrutable.model.program.program import Output
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.scorecard import Scorecard


def scorecard(model: Scorecard, asking: Asking) -> list[Output]:
    """The score is the sum of points; a code falls short by the largest shortfall of the attributes that carry it."""
    attributes, points, score = _added_up(model, asking)
    decision = decided(asking, score, model.cutoff, model.policy)
    favourable = probability(asking, model.calibration, score)
    outputs = outputs_of_decision(score, favourable, decision, model.outcome.favourable)
    outputs += _outputs_of_points(points, model, asking)
    if model.reasons is not None:
        short = _shortfalls(model, model.reasons, attributes, asking)
        outputs += reasons(asking, model.reasons, short, decision, "points short")
    return [*outputs, unfavourable(asking, favourable), *_details(model, attributes)]


def regression_scorecard(model: RegressionScorecard, asking: Asking) -> list[Output]:
    """The prediction is the sum of points."""
    attributes, points, score = _added_up(model, asking)
    prediction = Output("score", score, f"prediction of {model.outcome.title}")
    return [prediction, *_outputs_of_points(points, model, asking), *_details(model, attributes)]


def _added_up(model: Additive, asking: Asking) -> tuple[list[Ref], list[Ref], Ref]:
    attributes = [asking.attribute(item) for item in model.characteristics]
    points = [
        asking.add(Points(attribute, tuple(each.points for each in item.attributes)))
        for attribute, item in zip(attributes, model.characteristics, strict=True)
    ]
    return attributes, points, asking.add(Sum(model.base_points, tuple(points)))


def _outputs_of_points(points: list[Ref], model: Additive, asking: Asking) -> list[Output]:
    named = [(item.feature, ref) for item, ref in zip(model.characteristics, points, strict=True)]
    return [Output(f"points_{name}", ref, f"points of {asking.features[name].title}") for name, ref in named]


def _details(model: Additive, attributes: list[Ref]) -> list[Output]:
    named = zip(model.characteristics, attributes, strict=True)
    return [Output(f"attribute_{item.feature}", ref) for item, ref in named]


def _shortfalls(model: Scorecard, policy: ReasonPolicy, attributes: list[Ref], asking: Asking) -> dict[str, list[Ref]]:
    short: dict[str, list[Ref]] = {}
    for code, carriers in policy.carriers(model).items():
        for position, carrying in carriers:
            item = model.characteristics[position]
            gaps = [policy.baselines[item.feature] - each.points for each in item.attributes]
            own = tuple(max(gap, 0.0) if place in carrying else 0.0 for place, gap in enumerate(gaps))
            short.setdefault(code, []).append(asking.add(Points(attributes[position], own)))
    return short
