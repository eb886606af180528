"""Which rows of a file a model is learned from: not the indeterminates, and not those declined earlier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.data import Bools, Cohort, Positions
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.writing import plain_fields
from scrutable_lifecycle.config import RejectConfig

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
        return plain_fields(self)

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
        inference = self.reject_inference
        return {
            "indeterminate": None if self.indeterminate is None else self.indeterminate.to_dict(),
            "declined": None if self.declined is None else self.declined.to_dict(),
            "reject_inference": None if inference is None else {"method": inference.method, "factor": inference.factor},
            "measured_on": "rows with a known outcome" if self.declined is None else "accepted rows only",
            "statement": list(self.lines()),
        }

    def lines(self) -> Iterator[str]:
        """Who was learned from, and who was not, in words."""
        if self.indeterminate is not None:
            yield f"Indeterminate, not learned from nor measured on: {self.indeterminate.describe()}"
        if self.declined is not None:
            yield f"Declined earlier, without an outcome: {self.declined.describe()}"
            yield _BIASED
        if (inference := self.reject_inference) is not None:
            yield _INFERRED.format(method=inference.method, factor=inference.factor)


def measure_population(
    everyone: Cohort, model: DecisionModel, inference: RejectConfig | None
) -> PopulationMeasured | None:
    """Count those left out, and what the model decides of them; None where nobody is."""
    if not everyone.indeterminate.any() and everyone.accepted is None:
        return None
    neither, declined = (
        _left_out(rows, everyone, model) if rows.any() else None for rows in (everyone.indeterminate, everyone.declined)
    )
    return PopulationMeasured(indeterminate=neither, declined=declined, reject_inference=inference)


def infer_rejects(
    everyone: Cohort,
    learned: Positions,
    rejected: Positions,
    model: DecisionModel,
    inference: RejectConfig,
    seed: int,
) -> Cohort:
    """The rows learned from, and below them the declined with outcomes that the model of the former infers."""
    from scrutable_lifecycle.reject_inference import fuzzy_augmentation, parcelling

    part, rest = everyone.subset(learned), everyone.subset(rejected)
    weights: dict[str, Any] = {"sample_weight": part.sample_weight, "rejected_weight": rest.sample_weight}
    if inference.method == "fuzzy":
        inferred = fuzzy_augmentation(model, part.values, rest.columns, factor=inference.factor, **weights)
    else:
        inferred = parcelling(
            model, part.columns, part.values, rest.columns, factor=inference.factor, seed=seed, **weights
        )
    both = everyone.subset(np.concatenate([learned, rejected[inferred.rejected]]))
    y = pd.Series(inferred.y, name=part.values.name)
    return replace(
        both,
        outcome=np.full(both.rows, Cohort.TOLD),
        columns=both.columns.reset_index(drop=True),
        values=y,
        weight=inferred.sample_weight,
        weighted=True,
    )


def _left_out(rows: Bools, everyone: Cohort, model: DecisionModel) -> LeftOut:
    part = everyone.subset(rows)
    total, size = float(everyone.weight.sum()), float(part.weight.sum())
    decides = model.outcome.binary and size > 0
    approved = evaluate(model, part.columns, reasons=False).approved if decides else None
    return LeftOut(
        rows=part.rows,
        share=size / total,
        approved=None if approved is None else float(np.average(approved, weights=part.sample_weight)),
    )
