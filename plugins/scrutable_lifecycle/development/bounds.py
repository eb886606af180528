"""The bounds on rates that a run sets: what became of them on the rows learned from, and on those held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.fairness import MeasuredBound, RateBound, measure_bounds
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import FairnessConstraint, Learner, bound_by
from scrutable.writing import plain_fields
from scrutable_lifecycle.development.classes import class_indices

if TYPE_CHECKING:
    from scrutable.data import Cohort


@dataclass(frozen=True, kw_only=True)
class KeptBound:
    """A bound on the rows learned from and on those held out; None where there are none."""

    fit: MeasuredBound
    held_out: MeasuredBound | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


def measure_kept(
    learner: Learner, constraints: Sequence[FairnessConstraint], fit: Cohort, held_out: Cohort | None
) -> tuple[KeptBound, ...]:
    """Every bound on a rate that the constraints set on the rows learned from; those of other kinds are left out."""
    if not constraints:
        return ()
    data = learner.read(fit.columns, fit.values, sensitive_features=fit.groups, sample_weight=fit.sample_weight)
    every = bound_by(constraints, data, ("rate", "divergence"), type(learner).__name__)
    bounds = [bound for bound in every if isinstance(bound, RateBound)]
    if not bounds:
        return ()
    learned = _measure(learner.model_, bounds, fit)
    rest = [None] * len(bounds) if held_out is None else _measure(learner.model_, bounds, held_out)
    return tuple(KeptBound(fit=one, held_out=other) for one, other in zip(learned, rest, strict=True))


def _measure(model: DecisionModel, bounds: Sequence[RateBound], rows: Cohort) -> Sequence[MeasuredBound]:
    assert rows.groups is not None
    actual, predicted = (
        class_indices(rows.values, model.outcome),
        evaluate(model, rows.columns, reasons=False).predicted,
    )
    if model.outcome.binary:
        good = model.outcome.favourable_index
        return measure_bounds(bounds, actual == good, predicted == good, rows.groups, sample_weight=rows.sample_weight)
    classes = np.array(model.outcome.classes)
    return measure_bounds(bounds, classes[actual], classes[predicted], rows.groups, sample_weight=rows.sample_weight)
