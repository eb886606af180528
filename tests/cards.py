"""Models that the tests of several exporters make: each attribute's points tell which one it is."""

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
    Rule,
    RuleSet,
    Scorecard,
    TreeEnsemble,
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


def reason_policy(scorecard: Scorecard, baseline: float = 10, k: int = 2, order: str | None = None) -> ReasonPolicy:
    """One code a characteristic; ties go by the order of the characteristics, or by that of names of one letter."""
    names = [c.feature for c in scorecard.characteristics]
    return policy_of(
        cutoff=scorecard.cutoff,
        baselines=dict.fromkeys(names, baseline),
        codes={name: f"R {name}" for name in names},
        texts={f"R {name}": f"{name} is low" for name in names},
        order=tuple(f"R {name}" for name in order or names),
        k=k,
    )


def knocking_out(feature: str, below: float, *, code: str = "K1", reason: str = "too young") -> Policy:
    """A knock-out of everybody whose number is lower."""
    rule = KnockOut(code=code, reason=reason, when=(Clause(feature, (Interval(upper=below),)),))
    return Policy(knock_outs=(rule,))


def numbers(*names: str) -> tuple[Feature, ...]:
    """Features of numbers."""
    return tuple(Feature(name=name, kind="numeric") for name in names)


def ensemble(**parts: Any) -> TreeEnsemble:
    """Trees whose points are the score, 0 or more of which are approved, unless the parts say otherwise."""
    usual = {"outcome": OUTCOME, "base_score": 0, "cutoff": 0, "calibration": Calibration(slope=1)}
    return TreeEnsemble(**(usual | parts))


def rule_set(**parts: Any) -> RuleSet:
    """Rules, without which everybody is good, unless the parts say otherwise."""
    usual = {"outcome": OUTCOME, "features": (), "rules": (), "fallback": (Rule(when=(), outcome="good"),)}
    return RuleSet(**(usual | parts))


def policy_of(**parts: Any) -> ReasonPolicy:
    """A reason policy, of fixed baselines and codes in the order of their texts unless the parts say otherwise."""
    usual = {"method": "fixed", "population": "everybody", "cutoff": 0, "order": tuple(parts["texts"])}
    kept = {name: FrozenMapping(part) if isinstance(part, dict) else part for name, part in parts.items()}
    return ReasonPolicy(**(usual | kept))
