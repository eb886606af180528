"""Scorecards: a table for each characteristic, and the reasons that its lines give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scrutable.model import Attribute, Characteristic, ReasonPolicy, RegressionScorecard, Scorecard
from scrutable_python.common import Body, calibration, knock_outs, variables
from scrutable_python.reasons import Reasons
from scrutable_python.tables import CharacteristicTable, numbered, table
from scrutable_python.text import literal, number


@dataclass(frozen=True, slots=True)
class Scored:
    """A characteristic's table, the literal of its result, and whether its lines tell a shortfall and a code too."""

    table: CharacteristicTable
    result: str
    reasoned: bool


def body(model: Scorecard, own: str = "") -> Body:
    """Points, score, probability, decision, knock-out, reasons and shortfalls; `own` as in `Body`."""
    names = variables(model.features)
    scored = []
    for place, item in enumerate(model.characteristics, 1):
        worth = _worth(item, model.reasons)
        own_table = table(item, names[item.feature], numbered(place, own), worth)
        scored.append(Scored(own_table, literal(points_name(item)), worth is not None))
    reasons = Reasons.of(model.reasons)
    context = {
        "variables": list(names.values()),
        "knock_outs": knock_outs(model.policy, names),
        "scored": scored,
        "base": number(model.base_points),
        "reasons": reasons,
        "pairs": [(f"below{item.table.number}", f"code{item.table.number}") for item in scored],
        **calibration(model),
    }
    columns = ("score", "probability", "approved", "knock_out", *map(points_name, model.characteristics))
    return Body(
        template="scorecard.jinja",
        context=context,
        columns=(*columns, *reasons.columns),
        own=own,
    )


def body_of_prediction(model: RegressionScorecard) -> Body:
    """Points and score."""
    names = variables(model.features)
    scored = [
        Scored(table(item, names[item.feature], numbered(place)), literal(points_name(item)), False)
        for place, item in enumerate(model.characteristics, 1)
    ]
    return Body(
        template="regression_scorecard.jinja",
        context={"variables": list(names.values()), "scored": scored, "base": number(model.base_points)},
        columns=("score", *map(points_name, model.characteristics)),
    )


def points_name(item: Characteristic) -> str:
    """The result that holds the points of a characteristic."""
    return f"points_{item.feature}"


def _worth(item: Characteristic, policy: ReasonPolicy | None) -> Callable[[Attribute], str] | None:
    """Points, points below the baseline (0 where not below) and place of the code; None where it is no reason."""
    if policy is None:
        return None
    baseline, code = policy.baselines[item.feature], policy.codes[item.feature]

    def worth(attribute: Attribute) -> str:
        place = policy.order.index(attribute.reason_code or code)
        return f"({number(attribute.points)}, {number(max(0.0, baseline - attribute.points))}, {place})"

    return worth
