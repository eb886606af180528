"""A scorecard of three characteristics, an applicant whom it declines, and what the explainer says of them."""

from __future__ import annotations

import math
from typing import Any

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Outcome,
    Scorecard,
    Special,
)
from scrutable_counterfactual.answers import Answer, Change
from scrutable_counterfactual.explainer import CounterfactualExplainer
from scrutable_counterfactual.explanation import Counterfactuals

AGE = Feature(name="age", kind="numeric", special_codes=(-9,))
JOB = Feature(name="job", kind="categorical")
INCOME = Feature(name="income", kind="numeric")


def attributes(*pairs: tuple[Any, float]) -> tuple[Attribute, ...]:
    return tuple(Attribute(condition=condition, points=points) for condition, points in pairs)


def card(**changes: Any) -> Scorecard:
    age = attributes(
        (Interval(upper=25), 0), (Interval(25, 40), 20), (Interval(lower=40), 30), (Special((-9,)), 99), (Missing(), 80)
    )
    job = attributes(
        (Categories(("none",)), 0),
        (Categories(("part", "temp")), 10),
        (Categories(("full",)), 25),
        (Otherwise(), 70),
        (Missing(), 60),
    )
    income = attributes(
        (Interval(upper=1000), 0), (Interval(1000, 2000), 15), (Interval(lower=2000), 35), (Missing(), 5)
    )
    parts: dict[str, Any] = {
        "outcome": Outcome(classes=("bad", "good"), favourable="good"),
        "features": (AGE, JOB, INCOME),
        "characteristics": (
            Characteristic(feature="age", attributes=age),
            Characteristic(feature="job", attributes=job),
            Characteristic(feature="income", attributes=income),
        ),
        "base_points": 500.0,
        "cutoff": 540.0,
        "calibration": Calibration(slope=0.05, intercept=-26),
    }
    return Scorecard(**parts | changes)


def of_switches(cutoff: float, **points: float) -> Scorecard:
    """A scorecard of features of 0 and 1, by what a 1 adds."""
    items = tuple(
        Characteristic(
            feature=name, attributes=attributes((Interval(upper=0.5), 0), (Interval(lower=0.5), one), (Missing(), 0))
        )
        for name, one in points.items()
    )
    features = tuple(Feature(name=name, kind="numeric") for name in points)
    return card(features=features, characteristics=items, cutoff=cutoff)


def of_income(*steps: tuple[Any, float], **changes: Any) -> Scorecard:
    """A scorecard of the income alone, by points of intervals."""
    income = Characteristic(feature="income", attributes=attributes(*steps, (Missing(), 0)))
    return card(**{"features": (INCOME,), "characteristics": (income,), "cutoff": 508.0, **changes})


APPLICANT = {"age": [22.0], "job": ["none"], "income": [900.0]}


def answer(model: Any = None, row: Any = None, **options: Any) -> Counterfactuals:
    reference = options.pop("reference", None)
    [found] = CounterfactualExplainer(**options).explain(model or card(), row or APPLICANT, reference=reference)
    return found


def changes(found: Counterfactuals) -> dict[str, Any]:
    return {change.feature: change.nearest for change in found.answers[0].changes}


SAVINGS = Change(
    feature="savings",
    title="Savings",
    value="< 100 DM",
    required="'>= 1000 DM'",
    nearest=">= 1000 DM",
    in_data=True,
    points_before=10.0,
    points_after=28.2,
)
DURATION = Change(
    feature="duration",
    title="Duration",
    value=36.0,
    required="[12, 24)",
    nearest=23.0,
    in_data=True,
    points_before=0.0,
    points_after=14.0,
)
ANSWER = Answer(
    changes=(SAVINGS, DURATION),
    score=603.4,
    probability=0.81,
    approved=True,
    costs={"proximity": 0.3},
    values={"savings": ">= 1000 DM", "duration": 23.0, "age": None},
)
FOUND = Counterfactuals(
    row=3,
    score=571.2,
    cutoff=600.0,
    probability=0.62,
    approved=False,
    wanted="an approval",
    low=600.0,
    high=math.inf,
    status="optimal",
    objective="proximity + closeness",
    answers=(ANSWER,),
    cost=0.3,
    values={"savings": "< 100 DM", "duration": 36.0, "age": None},
)
