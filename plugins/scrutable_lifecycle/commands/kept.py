"""The bounds on rates that a run sets: what became of them on the rows learned from, and on those held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from scrutable.cli.output import table
from scrutable.fairness import RateBound, measure_bounds
from scrutable.fairness.measured import MeasuredBound
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import FairnessConstraint, Learner
from scrutable.plugins.bases.binding import bound_by
from scrutable_lifecycle.commands.classes import class_indices

if TYPE_CHECKING:
    from scrutable.data.cohort import Cohort


@dataclass(frozen=True, kw_only=True)
class KeptBound:
    """A bound on the rows learned from and on those held out; None where there are none."""

    fit: MeasuredBound
    held_out: MeasuredBound | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"fit": self.fit.to_dict(), "held_out": None if self.held_out is None else self.held_out.to_dict()}


def measure_kept(
    learner: Learner, constraints: Sequence[FairnessConstraint], fit: Cohort, held_out: Cohort | None
) -> tuple[KeptBound, ...]:
    """Every bound on a rate that the constraints set on the rows learned from; those of other kinds are left out."""
    if not constraints:
        return ()
    data = learner.read(fit.columns, fit.values, sensitive_features=fit.groups, sample_weight=fit.sample_weight)
    found = bound_by(constraints, data, ("rate", "divergence"), type(learner).__name__)
    bounds = [bound for bound in found if isinstance(bound, RateBound)]
    if not bounds:
        return ()
    learned = _measure(learner.model_, bounds, fit)
    rest = [None] * len(bounds) if held_out is None else _measure(learner.model_, bounds, held_out)
    return tuple(KeptBound(fit=one, held_out=other) for one, other in zip(learned, rest, strict=True))


def kept_table(found: Sequence[KeptBound]) -> Table:
    """A row for each bound: what it is about, its limit, and what was measured."""
    rows = [
        [
            each.fit.bound.describe(),
            _limit(each.fit.bound),
            _figure(each.fit),
            "" if each.held_out is None else _figure(each.held_out),
        ]
        for each in found
    ]
    return table(("bound", "limit", "rows learned from", "held-out rows"), rows, whole=(1, 2, 3))


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


def _limit(bound: RateBound) -> str:
    return f"gap at most {bound.slack:g}" if bound.ratio is None else f"ratio at least {bound.ratio:g}"


def _figure(found: MeasuredBound) -> str:
    name, value = ("gap", found.gap) if found.bound.ratio is None else ("ratio", found.ratio)
    judgement = "" if found.kept is None else ", kept" if found.kept else ", NOT kept"
    return f"{name} undefined{judgement}" if value != value else f"{name} {value:.4f}{judgement}"
