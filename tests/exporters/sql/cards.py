"""Small models that several tests need."""

from __future__ import annotations

import itertools
import math
from typing import Any

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    ReasonPolicy,
    Scorecard,
)

OUTCOME = Outcome(classes=("bad", "good"), favourable="good")


def ladder(name: str, *cuts: float, label: str = "") -> Characteristic:
    """Attributes between cuts, worth 0, 10, 20, …, and -5 for missing."""
    ends = [-math.inf, *cuts, math.inf]
    attributes = [
        Attribute(condition=Interval(lower, upper), points=10.0 * i, label=label)
        for i, (lower, upper) in enumerate(itertools.pairwise(ends))
    ]
    return Characteristic(feature=name, attributes=(*attributes, Attribute(condition=Missing(), points=-5)))


def categories(name: str, *values: str) -> Characteristic:
    """An attribute a category, worth 1, 2, …, 0 for any other value and -5 for missing."""
    attributes = [Attribute(condition=Categories((value,)), points=i + 1.0) for i, value in enumerate(values)]
    rest = (Attribute(condition=Otherwise(), points=0), Attribute(condition=Missing(), points=-5))
    return Characteristic(feature=name, attributes=(*attributes, *rest))


def card(*characteristics: Characteristic, **changes: Any) -> Scorecard:
    """A scorecard; characteristics over texts are those that have `Otherwise`."""
    features = [
        Feature(
            name=c.feature,
            kind="categorical" if any(isinstance(a.condition, Otherwise) for a in c.attributes) else "numeric",
            label=changes.get("label", ""),
        )
        for c in characteristics
    ]
    arguments: dict[str, Any] = {
        "outcome": OUTCOME,
        "features": tuple(features),
        "characteristics": characteristics,
        "base_points": 500,
        "cutoff": 510,
        "calibration": Calibration(slope=0.01, intercept=-5),
    }
    return Scorecard(**(arguments | {key: value for key, value in changes.items() if key != "label"}))


def reason_policy(scorecard: Scorecard, baseline: float = 10, k: int = 2) -> ReasonPolicy:
    """One code a characteristic, in the order of the characteristics."""
    names = [c.feature for c in scorecard.characteristics]
    return ReasonPolicy(
        method="fixed",
        population="everybody",
        cutoff=scorecard.cutoff,
        baselines=FrozenMapping(dict.fromkeys(names, baseline)),
        codes=FrozenMapping({name: f"R {name}" for name in names}),
        texts=FrozenMapping({f"R {name}": f"{name} is low" for name in names}),
        order=tuple(f"R {name}" for name in names),
        k=k,
    )


def minors() -> Policy:
    """A knock-out of everybody younger than 18."""
    return Policy(knock_outs=(KnockOut(code="K1", reason="too young", when=(Clause("age", (Interval(upper=18),)),)),))
