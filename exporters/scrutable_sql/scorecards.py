"""Scorecards: a ladder of attributes for each characteristic."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import RegressionScorecard, Scorecard, number_of_reasons
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, Step
from scrutable_sql.quoting import inner
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
    points = [
        common.points(item, feature, inner(points_name(item), d), feature.title, d)
        for item in model.characteristics
        for feature in [features[item.feature]]
    ]
    about = "base points, and the points of every characteristic"
    sums, score = common.score(model.base_points, [column.name for column in points], about, d)
    return _Added(
        points=tuple(points),
        sums=tuple(sums),
        score=score,
        results=[
            Result(points_name(item), inner(points_name(item), d), f"points of {features[item.feature].title}")
            for item in model.characteristics
            if options.points
        ],
    )
