"""Which rows of a file a model is learned from: not the indeterminates, and not those declined earlier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scrutable.data.population import Population, Positions
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.config import RejectConfig

if TYPE_CHECKING:
    from scrutable.data.applicants import Applicants


_BIASED = (
    "Learned from accepted applicants: how the declined would have paid is not known. The points, the PD and every "
    "measure here are of applicants like those accepted, and flatter the model on all who apply"
)
_INFERRED = (
    "The outcomes of the declined were inferred, {method} with factor {factor:g}: an assumption, which adds no "
    "information. Measures are of accepted rows only"
)


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Rows that are not learned from as they are; `approved` is the share that the model approves, if it decides."""

    rows: int
    share: float
    approved: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"rows": self.rows, "share": self.share, "approved": self.approved}

    def describe(self) -> str:
        """How many they are, and what the model makes of them."""
        decided = "" if self.approved is None else f"; the model approves {self.approved:.1%} of them"
        return f"{self.rows:,} rows, {self.share:.1%} of all{decided}"


@dataclass(frozen=True, kw_only=True)
class PopulationMeasured:
    """Who was not learned from, and what that means for the measures."""

    indeterminate: LeftOut | None
    declined: LeftOut | None
    reject_inference: RejectConfig | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, and for the evidence."""
        its = self.reject_inference
        return {
            "indeterminate": None if self.indeterminate is None else self.indeterminate.to_dict(),
            "declined": None if self.declined is None else self.declined.to_dict(),
            "reject_inference": None if its is None else {"method": its.method, "factor": its.factor},
            "measured_on": "rows with a known outcome" if self.declined is None else "accepted rows only",
            "statement": list(self.lines()),
        }

    def lines(self) -> Iterator[str]:
        """The same in words."""
        if self.indeterminate is not None:
            yield f"Indeterminate, not learned from nor measured on: {self.indeterminate.describe()}"
        if self.declined is not None:
            yield f"Declined earlier, without an outcome: {self.declined.describe()}"
            yield _BIASED
        if (its := self.reject_inference) is not None:
            yield _INFERRED.format(method=its.method, factor=its.factor)


def measure_population(
    population: Population, everyone: Applicants, model: DecisionModel, inference: RejectConfig | None
) -> PopulationMeasured | None:
    """Count those left out, and what the model decides of them; None where nobody is."""
    if not len(population.indeterminate) and not population.accepted_named:
        return None
    neither, declined = (
        _left_out(rows, everyone, model) if len(rows) else None
        for rows in (population.indeterminate, population.rejected)
    )
    return PopulationMeasured(indeterminate=neither, declined=declined, reject_inference=inference)


def infer_rejects(
    everyone: Applicants,
    learned: Positions,
    rejected: Positions,
    model: DecisionModel,
    inference: RejectConfig,
    seed: int,
) -> Applicants:
    """The rows learned from, and below them the declined with outcomes that the model of the former infers."""
    from scrutable_lifecycle.reject_inference import fuzzy_augmentation, parcelling

    part, rest = everyone.subset(learned), everyone.subset(rejected)
    weights: dict[str, Any] = {"sample_weight": part.weight, "rejected_weight": rest.weight}
    if inference.method == "fuzzy":
        found = fuzzy_augmentation(model, part.y, rest.X, factor=inference.factor, **weights)
    else:
        found = parcelling(model, part.X, part.y, rest.X, factor=inference.factor, seed=seed, **weights)
    both = everyone.subset(np.concatenate([learned, rejected[found.rejected]]))
    y = pd.Series(found.y, name=part.y.name)
    return replace(both, X=both.X.reset_index(drop=True), y=y, weight=found.sample_weight)


def _left_out(rows: Positions, everyone: Applicants, model: DecisionModel) -> LeftOut:
    part = everyone.subset(rows)
    total = float(len(everyone.y)) if everyone.weight is None else float(everyone.weight.sum())
    size = float(len(rows)) if part.weight is None else float(part.weight.sum())
    decides = model.outcome.binary and size > 0
    approved = evaluate(model, part.X, reasons=False).approved if decides else None
    return LeftOut(
        rows=len(rows),
        share=size / total,
        approved=None if approved is None else float(np.average(approved, weights=part.weight)),
    )
