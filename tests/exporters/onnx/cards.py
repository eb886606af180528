"""Models that the tests of the ONNX exporter share."""

from __future__ import annotations

import math
from typing import Any

from cards import policy_of

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    Scorecard,
    Special,
    Split,
    TreeEnsemble,
)

OUTCOME = Outcome(target="repaid", classes=("bad", "good"), favourable="good")


def income(name: str = "income") -> Characteristic:
    return Characteristic(
        feature=name,
        attributes=(
            Attribute(condition=Interval(upper=0.1), points=-10, label="none to speak of"),
            Attribute(condition=Interval(lower=0.1), points=25),
            Attribute(condition=Special((-9,)), points=3, label="no bureau record"),
            Attribute(condition=Missing(), points=1),
        ),
    )


def job(name: str = "job") -> Characteristic:
    return Characteristic(
        feature=name,
        attributes=(
            Attribute(condition=Categories(("cook", "clerk 'n' \"co\"")), points=7),
            Attribute(condition=Otherwise(), points=-2),
            Attribute(condition=Missing(), points=0),
        ),
    )


def features(income_name: str = "income", job_name: str = "job") -> tuple[Feature, ...]:
    return (
        Feature(name=income_name, kind="numeric", special_codes=(-9,), label="Monthly income"),
        Feature(name=job_name, kind="categorical"),
    )


def card(income_name: str = "income", job_name: str = "job", **changed: Any) -> Scorecard:
    """One numeric and one categorical characteristic, a knock-out and two reasons."""
    low = KnockOut(code="K1", reason="income far too low", when=(Clause(income_name, (Interval(upper=-100),)),))
    given: dict[str, Any] = {
        "outcome": OUTCOME,
        "features": features(income_name, job_name),
        "characteristics": (income(income_name), job(job_name)),
        "base_points": 500,
        "cutoff": 510,
        "calibration": Calibration(slope=0.03, intercept=-15),
        "policy": Policy(knock_outs=(low,)),
        "reasons": policy_of(
            method="by hand",
            cutoff=510,
            baselines={income_name: 25, job_name: 7},
            codes={income_name: "R1", job_name: "R2"},
            texts={"R1": "income", "R2": "job"},
            order=("R2", "R1"),
            k=3,
        ),
    }
    return Scorecard(**(given | changed))


def rules() -> RuleSet:
    """Two rules and a fallback of two."""
    poor, rich = Clause("income", (Interval(upper=10),)), Clause("income", (Interval(lower=5), Special((-9,))))
    return RuleSet(
        outcome=OUTCOME,
        features=features(),
        rules=(
            Rule(when=(poor,), outcome="bad", weight=0.75),
            Rule(when=(rich, Clause("job", (Categories(("cook",)),))), outcome="good", weight=0.5),
        ),
        fallback=(
            Rule(when=(Clause("job", (Categories(("cook",)), Missing())),), outcome="bad"),
            Rule(when=(Clause("job", (Categories(("cook",), negated=True),)),), outcome="good"),
        ),
    )


def three_classes() -> RuleSet:
    """Votes for three classes, with ties."""
    some, cook = Clause("income", (Interval(lower=0.1),)), Clause("job", (Categories(("cook",)),))
    return RuleSet(
        outcome=Outcome(classes=(0, 1, 2), favourable=2),
        features=features(),
        rules=(
            Rule(when=(some,), outcome=2, weight=1 / 3),
            Rule(when=(cook,), outcome=1, weight=1 / 3),
            Rule(when=(some, cook), outcome=0, weight=0.1),
        ),
        fallback=(Rule(when=(), outcome=1),),
    )


def trees(**changed: Any) -> TreeEnsemble:
    """A tree of two features with every kind of clause, and a stump."""
    low = Clause("income", (Interval(upper=0.1, closed="right"), Missing()))
    high = Clause("income", (Interval(lower=math.nextafter(0.1, 1)),))
    cook = Clause("job", (Categories(("cook",), negated=True),))
    given: dict[str, Any] = {
        "outcome": OUTCOME,
        "features": features(),
        "trees": (
            Split(low, Split(cook, Leaf(1), Leaf(2)), Split(high, Leaf(4), Split(cook, Leaf(8), Leaf(16)))),
            Split(high, Leaf(0.5), Leaf(0.25)),
        ),
        "base_score": 0.125,
        "cutoff": 4,
        "calibration": Calibration(slope=0.5, intercept=-2),
    }
    return TreeEnsemble(**(given | changed))
