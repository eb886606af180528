"""How far an answer is from the applicant: proximity, closeness, sparsity and the outcome's distance, as terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from scrutable.errors import InputError, did_you_mean
from scrutable_counterfactual.arrays import Floats
from scrutable_counterfactual.checking import number
from scrutable_counterfactual.joint import Joint
from scrutable_counterfactual.problem import Term
from scrutable_counterfactual.reference import Scaling

Norm = Literal["l1", "l2", "huber"]
Measured = Literal["points", "values"]
Anchor = Literal["mean", "applicant"]

#: Objectives of a single answer, and of several.
ALONE = ("proximity", "closeness", "sparsity", "outcome")
TOGETHER = ("feature-diversity", "value-diversity")

#: Distance, in units of the scaling, up to which Huber's loss is a square.
HUBER = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How objectives measure.

    Parameters
    ----------
    norm : of proximity: "l1" sums |d|, "l2" sums d^2, "huber" sums d^2 / 2 up to 1/4 and (|d| - 1/8) / 4 beyond, where
        d is the distance of a feature divided by its spread.
    scaling : the spread: "range", "mad" (median absolute deviation), or "none".
    measured : what d is a difference of: "points" of the characteristic, or "values" of the feature, where an
        unordered text is 1 away from any other, and so is what is missing or a special code.
    closeness_from : where the whitened distance starts: "mean" of the reference (equation 3d), or "applicant".
    """

    norm: Norm = "l1"
    scaling: Scaling = "range"
    measured: Measured = "points"
    closeness_from: Anchor = "applicant"

    def __post_init__(self) -> None:
        kinds = {"norm": Norm, "scaling": Scaling, "measured": Measured, "closeness_from": Anchor}
        for name, kind in kinds.items():
            if not isinstance(getattr(self, name), str) or getattr(self, name) not in get_args(kind):
                allowed = ", ".join(map(repr, get_args(kind)))
                raise InputError("unknown value", where=name, got=getattr(self, name), allowed=allowed)

    def loss(self, distance: Floats) -> Floats:
        """What distances, in units of the spread, cost.

        >>> Measure(norm="huber").loss(np.array([0.1, 1.0])).round(5).tolist()
        [0.005, 0.21875]
        """
        if self.norm == "l1":
            return distance
        if self.norm == "l2":
            return distance**2
        return np.where(distance <= HUBER, distance**2 / 2, HUBER * (distance - HUBER / 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """What is minimised: a weighted sum of objectives, or one after another.

    Parameters
    ----------
    weights : by objective, above 0; those of diversity reward it.
    priorities : objectives in the order in which they are minimised, instead of weights. Each may then be worse than
        its best by `tolerance` times that best, for the sake of those after it (paper: section 2.4).
    tolerance : relative, zero or more.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    priorities: Sequence[str] = ()
    tolerance: float = 0.1

    def __post_init__(self) -> None:
        for name in (*self.weights, *self.priorities):
            if name not in (*ALONE, *TOGETHER):
                fix = did_you_mean(name, (*ALONE, *TOGETHER))
                raise InputError("unknown objective", where="weights or priorities", got=name, fix=fix)
        for name, weight in self.weights.items():
            if not 0 < number(weight, f"weights, {name}") < np.inf:
                raise InputError("expected a number above 0", where=f"weights, {name}", got=weight)
        if self.weights and self.priorities:
            raise InputError("weights and priorities exclude each other", where="objective", fix="give one of them")
        if len(set(self.priorities)) < len(self.priorities):
            raise InputError("an objective stands twice", where="priorities", got=list(self.priorities))
        if not 0 <= number(self.tolerance, "tolerance") < np.inf:
            raise InputError("expected zero or more", where="tolerance", got=self.tolerance)

    @property
    def names(self) -> tuple[str, ...]:
        """The objectives."""
        return (*self.weights, *self.priorities)

    def describe(self) -> str:
        """In words.

        >>> Objective(weights={"proximity": 1, "closeness": 0.5}).describe()
        'proximity + 0.5 closeness'
        """
        if self.priorities:
            return f"{', then '.join(self.priorities)} (each up to {self.tolerance:.0%} worse than its best)"
        parts = [name if weight == 1 else f"{weight:g} {name}" for name, weight in self.weights.items()]
        return " + ".join(parts)

    def stages(self, terms: Mapping[str, Term]) -> list[Joint]:
        """What is minimised in turn; all but the last are then held near their best."""
        if self.priorities:
            return [joint(terms, {name: 1.0}) for name in self.priorities]
        return [joint(terms, self.weights)]


def joint(terms: Mapping[str, Term], weights: Mapping[str, float]) -> Joint:
    """The weighted sum of objectives."""
    zero = Term(separable=np.zeros_like(terms["proximity"].separable))
    total = zero
    for name, weight in weights.items():
        total = total + (terms[name] * weight if name in terms else zero)
    return Joint(
        term=total,
        feature_diversity=float(weights.get("feature-diversity", 0.0)),
        value_diversity=float(weights.get("value-diversity", 0.0)),
    )
