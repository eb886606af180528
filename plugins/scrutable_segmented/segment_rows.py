"""The rows of a segment, what was learned from them, and what is told of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import TrainingData
from scrutable.data.frames import Table
from scrutable.errors import InputError
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Json, Segment
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import BASELINE, Alternative, Learner


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SegmentRows:
    """The rows of a segment.

    Parameters
    ----------
    positions : (m,) of the rows in the data.
    inputs : the columns that its model may read.
    empty : columns that it might have read and that hold no value on any of the rows.
    """

    name: str
    data: TrainingData
    positions: NDArray[np.intp]
    inputs: tuple[str, ...]
    empty: tuple[str, ...]

    @classmethod
    def of(cls, name: str, positions: NDArray[np.intp], data: TrainingData, wanted: Sequence[str]) -> Self:
        """The rows at these positions, with those of the columns that hold a value.

        Raises
        ------
        InputError : none of them does.
        """
        empty = tuple(key for key in wanted if data.columns[key].take(positions).missing.all())
        inputs = tuple(key for key in wanted if key not in empty)
        if not inputs:
            raise InputError(
                "no input has a value", where=f"segment {name!r}", got=list(wanted), fix="give more inputs"
            )
        return cls(name=name, data=data, positions=positions, inputs=inputs, empty=empty)

    def learned(self, learner: Learner) -> FittedSegment:
        """The model that a learner makes of these rows."""
        table = self._table()
        with warnings.catch_warnings():  # what becomes of such applicants is told of the segments together
            warnings.filterwarnings("ignore", "an applicant of whom every input is missing")
            learner.fit(table, self._outcomes(), **self._further())
        return self._fitted(learner.model_, learner.evidence_, table)

    def alternatives(self, learner: Learner) -> Iterator[tuple[Alternative, FittedSegment]]:
        """What a learner makes of these rows to choose from; of one that makes no alternatives, its model alone."""
        if type(learner).vary is Learner.vary:
            fitted = self.learned(learner)
            yield Alternative(method=BASELINE, model=fitted.model, evidence=fitted.evidence), fitted
            return
        table = self._table()
        for each in learner.alternatives(table, self._outcomes(), **self._further()):
            yield each, self._fitted(each.model, each.evidence, table)

    def _table(self) -> Table:
        data, rows = self.data, self.positions
        readers = {name: (lambda name=name: data.columns[name].take(rows)) for name in self.inputs}
        return Table(len(rows), readers)

    def _outcomes(self) -> pd.Series[Any]:
        data = self.data
        return pd.Series(data.classes[data.label[self.positions]], name=data.outcome.target)

    def _further(self) -> dict[str, Any]:
        groups = self.data.groups
        return {
            "sensitive_features": None if groups is None else groups.subset(self.positions),
            "sample_weight": self.data.weight[self.positions],
        }

    def _fitted(self, model: DecisionModel, evidence: Evidence, table: Table) -> FittedSegment:
        approved = evaluate(model, table, reasons=False).approved
        share = float(np.average(approved, weights=self.data.weight[self.positions]))
        return FittedSegment(rows=self, model=model, evidence=evidence, approved=share)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedSegment:
    """A segment's model, its evidence, and the share of its rows that it approves."""

    rows: SegmentRows
    model: DecisionModel
    evidence: Evidence
    approved: float

    @property
    def name(self) -> str:
        """The segment."""
        return self.rows.name

    def told(self, segment: Segment) -> FrozenMapping[Json]:
        """What evidence holds of the segment."""
        data, rows = self.rows.data, self.rows.positions
        return FrozenMapping(
            {
                "when": segment.describe(),
                "rows": len(rows),
                "share": float(data.weight[rows].sum() / data.weight.sum()),
                "good_rate": float(np.average(data.good[rows], weights=data.weight[rows])),
                "approved": self.approved,
                "cutoff": segment.model.cutoff,
                "empty_columns": self.rows.empty,
                "metrics": self.evidence.metrics,
            }
        )
