"""Scorecards: a ladder of attributes for each characteristic."""

from __future__ import annotations

from scrutable.model import Characteristic, Feature, Scorecard
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import ladder
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import CHUNK, Column, Step, Sum
from scrutable_sql.quoting import comment, name, number
from scrutable_sql.reasons import Reasons, points_name


def plan(model: Scorecard, options: SQLOptions) -> Plan:
    """The steps points, shortfalls, sums, scores, calibrated, one for each further reason, and places."""
    d = options.target
    features = {feature.name: feature for feature in model.features}
    columns = [common.knock_out(model.policy, features, d)]
    columns += [_points(item, features[item.feature], options) for item in model.characteristics]
    reasons = Reasons.of(model, options)
    best = reasons.best()
    base = f"CAST({number(model.base_points, d)} AS {d.double})"
    points = tuple(name(points_name(item), d) for item in model.characteristics)
    sums = common.sums(points, "sum", d) if len(points) > CHUNK else []
    score = Column(
        common.total(base, sums) if sums else Sum(base, points),
        "score",
        note="base points, and the points of every characteristic",
    )
    linear = common.linear(model.calibration, d)
    steps = [
        Step("points", "the points of each characteristic", tuple(columns)),
        Step("shortfalls", "how far each falls short" + reasons.words, tuple(reasons.keys(features))),
        Step("sums", "points added up", tuple(sums)),
        Step("scores", "the score", (score, *reasons.merged())),
        Step("calibrated", "the linear predictor of the probability", (linear, *best[:1])),
        *(Step(f"reason_{place}", "the next reason", (column,)) for place, column in enumerate(best[1:], 2)),
        Step("places", "which codes those are", tuple(reasons.best_places())),
    ]
    results = common.decided(model, common.probability(model.calibration), d)
    if options.points:
        results += [
            Result(points_name(item), name(points_name(item), d), f"points of {features[item.feature].title}")
            for item in model.characteristics
        ]
    laddered = frozenset(features) - model.policy.features
    return Plan(tuple(step for step in steps if step.columns), (*results, *reasons.results()), laddered)


def _points(item: Characteristic, feature: Feature, options: SQLOptions) -> Column:
    d = options.target
    conditions = [attribute.condition for attribute in item.attributes]
    values = [number(attribute.points, d) for attribute in item.attributes]
    notes = [comment(attribute.title) for attribute in item.attributes]
    return Column(
        ladder(feature, conditions, values, notes, d),
        name(points_name(item), d),
        cast=d.double,
        note=comment(feature.title),
    )
