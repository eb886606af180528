"""Which rows of a file a model is learned from: not the indeterminates, and not those declined earlier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.cli.config import DataConfig, RejectConfig
from scrutable.errors import InputError
from scrutable.fairness.labelling import label
from scrutable.masking import shared
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.validation import without_indeterminates

if TYPE_CHECKING:
    from scrutable.cli.applicants import Applicants

Positions = NDArray[np.intp]

_ACCEPTED = ("1", "true", "yes", "accepted", "approved")
_DECLINED = ("0", "false", "no", "declined", "rejected")

_BIASED = (
    "Learned from accepted applicants: how the declined would have paid is not known. The points, the PD and every "
    "measure here are of applicants like those accepted, and flatter the model on all who apply"
)
_INFERRED = (
    "The outcomes of the declined were inferred, {method} with factor {factor:g}: an assumption, which adds no "
    "information. Measures are of accepted rows only"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Population:
    """Positions of the rows by what is known of their outcome.

    Parameters
    ----------
    known, indeterminate, rejected : positions; together all rows.
    dates : (n,) dates of all rows; None where no column is named.
    accepted_named : whether a column says who was accepted.
    """

    known: Positions
    indeterminate: Positions
    rejected: Positions
    dates: pd.Series | None
    accepted_named: bool


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


def read_population(frame: pd.DataFrame, config: DataConfig) -> Population:
    """What a file says of each row's outcome.

    Raises
    ------
    InputError : a column of acceptances with other values, nobody accepted, no indeterminate row.
    """
    rows = np.arange(len(frame))
    accepted = np.ones(len(frame), dtype=bool) if config.accepted is None else _accepted(frame[config.accepted])
    neither = np.zeros(len(frame), dtype=bool)
    if config.indeterminate is not None:
        inside = rows[accepted]
        found = without_indeterminates(frame[config.target].to_numpy()[inside], config.indeterminate)
        neither[inside[found.indeterminate]] = True
    return Population(
        known=rows[accepted & ~neither],
        indeterminate=rows[neither],
        rejected=rows[~accepted],
        dates=None if config.date is None else frame[config.date],
        accepted_named=config.accepted is not None,
    )


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
    from scrutable.reject_inference import fuzzy_augmentation, parcelling

    part, rest = everyone.subset(learned), everyone.subset(rejected)
    weights: dict[str, Any] = {"sample_weight": part.weight, "rejected_weight": rest.weight}
    if inference.method == "fuzzy":
        found = fuzzy_augmentation(model, part.y, rest.X, factor=inference.factor, **weights)
    else:
        found = parcelling(model, part.X, part.y, rest.X, factor=inference.factor, seed=seed, **weights)
    both = everyone.subset(np.concatenate([learned, rejected[found.rejected]]))
    y = pd.Series(found.y, name=part.y.name)
    return replace(both, X=both.X.reset_index(drop=True), y=y, weight=found.sample_weight)


def _accepted(column: pd.Series) -> NDArray[np.bool_]:
    codes, levels = pd.factorize(column)
    words = [label(level).casefold() for level in levels]
    unknown = [level for level, word in zip(levels, words, strict=True) if word not in (*_ACCEPTED, *_DECLINED)]
    if unknown or (codes < 0).any():
        raise InputError(
            "cannot tell who was accepted",
            where=f"--accepted, column {column.name!r}",
            got=shared(unknown[0], (column == unknown[0]).sum())
            if unknown
            else f"{int((codes < 0).sum())} missing values",
            allowed=f"{', '.join(_ACCEPTED)} for accepted, {', '.join(_DECLINED)} for declined",
            fix="translate the column",
        )
    accepted: NDArray[np.bool_] = np.array([word in _ACCEPTED for word in words], dtype=bool)[codes]
    if not accepted.any():
        where = f"--accepted, column {column.name!r}"
        raise InputError("nobody was accepted, so no outcome is known", where=where, fix="check the column")
    return accepted


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
