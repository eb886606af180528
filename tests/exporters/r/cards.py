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
    Feature,
    FrozenMapping,
    Interval,
    Missing,
    Otherwise,
    Outcome,
    ReasonPolicy,
    Scorecard,
)

OUTCOME = Outcome(classes=("bad", "good"), favourable="good")


def ladder(name: str, *cuts: float) -> Characteristic:
    """Attributes between cuts, worth 0, 10, 20, ..., and -5 for missing."""
    ends = [-math.inf, *cuts, math.inf]
    attributes = [
        Attribute(condition=Interval(lower, upper), points=10.0 * i)
        for i, (lower, upper) in enumerate(itertools.pairwise(ends))
    ]
    return Characteristic(feature=name, attributes=(*attributes, Attribute(condition=Missing(), points=-5)))


def categories(name: str, *values: str) -> Characteristic:
    """An attribute a category, worth 1, 2, ..., 0 for any other value and -5 for missing."""
    attributes = [Attribute(condition=Categories((value,)), points=i + 1.0) for i, value in enumerate(values)]
    rest = (Attribute(condition=Otherwise(), points=0), Attribute(condition=Missing(), points=-5))
    return Characteristic(feature=name, attributes=(*attributes, *rest))


def card(*characteristics: Characteristic, label: str = "", **changes: Any) -> Scorecard:
    """A scorecard; characteristics over texts are those that have `Otherwise`."""
    features = [
        Feature(
            name=c.feature,
            kind="categorical" if any(isinstance(a.condition, Otherwise) for a in c.attributes) else "numeric",
            label=label,
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
    return Scorecard(**(arguments | changes))


def reason_policy(names: list[str], order: list[str], k: int) -> ReasonPolicy:
    """A code a characteristic, named after it, with a baseline of 10."""
    return ReasonPolicy(
        method="fixed",
        population="everybody",
        cutoff=510,
        baselines=FrozenMapping(dict.fromkeys(names, 10.0)),
        codes=FrozenMapping({name: f"R{name}" for name in names}),
        texts=FrozenMapping({f"R{name}": f"{name} is low" for name in names}),
        order=tuple(f"R{name}" for name in order),
        k=k,
    )
