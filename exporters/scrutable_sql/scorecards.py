"""Scorecards: a ladder of attributes for each characteristic."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Characteristic, Feature, RegressionScorecard, Scorecard, number_of_reasons
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import ladder
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import CHUNK, Column, Step, Sum
from scrutable_sql.quoting import comment, inner, number
from scrutable_sql.reasons import Reasons, points_name

_POINTS, _SUMS, _SCORE = "the points of each characteristic", "points added up", "the score"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Added:
    """The columns that a score is made of, and the points among the results."""

    points: tuple[Column, ...]
    sums: tuple[Column, ...]
    score: Column
    results: list[Result]


def plan(model: Scorecard, options: SQLOptions) -> Plan:
    """The steps points, shortfalls, sums, scores, calibrated, and those of the ranking."""
    d = options.target
    features = {feature.name: feature for feature in model.features}
    added = _added_up(model, options)
    reasons = Reasons.of(model, options)
    calibrated = Step("calibrated", common.CALIBRATED, (common.linear(model.calibration, d),))
    steps = [
        Step("points", _POINTS, (common.knock_out(model.policy, features, d), *added.points)),
        Step("shortfalls", "how far each falls short" + reasons.ranking.words, tuple(reasons.keys(features))),
        Step("sums", _SUMS, added.sums),
        Step("scores", _SCORE, (added.score, *reasons.merged())),
        *reasons.ranking.steps(calibrated, reasons.columns()),
    ]
    results = common.decided(model, common.probability(model.calibration), d) + added.results
    laddered = frozenset(features) - model.policy.features
    return Plan(tuple(step for step in steps if step.columns), (*results, *reasons.ranking.results()), laddered)


def plan_of_prediction(model: RegressionScorecard, options: SQLOptions) -> Plan:
    """The steps points, sums and scores.

    Raises
    ------
    UnsupportedModel : reasons are asked for, and there are none for a prediction.
    """
    number_of_reasons(None, options.reasons)
    added = _added_up(model, options)
    steps = [
        Step("points", _POINTS, added.points),
        Step("sums", _SUMS, added.sums),
        Step("scores", _SCORE, (added.score,)),
    ]
    score = Result("score", "score", f"prediction of {model.outcome.title}")
    laddered = frozenset(feature.name for feature in model.features)
    return Plan(tuple(step for step in steps if step.columns), (score, *added.results), laddered)


def _added_up(model: Scorecard | RegressionScorecard, options: SQLOptions) -> _Added:
    d = options.target
    features = {feature.name: feature for feature in model.features}
    base = f"CAST({number(model.base_points, d)} AS {d.double})"
    points = tuple(inner(points_name(item), d) for item in model.characteristics)
    sums = common.sums(points, "sum", d) if len(points) > CHUNK else []
    about = "base points, and the points of every characteristic"
    return _Added(
        points=tuple(_points(item, features[item.feature], options) for item in model.characteristics),
        sums=tuple(sums),
        score=Column(common.total(base, sums) if sums else Sum(base, points), "score", note=about),
        results=[
            Result(points_name(item), inner(points_name(item), d), f"points of {features[item.feature].title}")
            for item in model.characteristics
            if options.points
        ],
    )


def _points(item: Characteristic, feature: Feature, options: SQLOptions) -> Column:
    d = options.target
    conditions = [attribute.condition for attribute in item.attributes]
    values = [number(attribute.points, d) for attribute in item.attributes]
    notes = [comment(title) for title in item.titles]
    return Column(
        ladder(feature, conditions, values, notes, d),
        inner(points_name(item), d),
        cast=d.double,
        note=comment(feature.title),
    )
