"""Applicants as a monitoring sees them: what the model says of each, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.arrays import Bools, Floats, weights
from scrutable.data.frames import Table, as_table
from scrutable.data.groups import Groups, check_groups
from scrutable.data.outcomes import read_outcomes
from scrutable.measures.numerics.counts import exact_bincount
from scrutable.measures.scored import RankedBy
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.model.evaluator.outputs import Evaluation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """n applicants.

    Parameters
    ----------
    table : their columns.
    found : what the model says of them, reasons included.
    weight : (n,) sample weights; `weighted` says whether any were given.
    known : (n,) rows whose outcome is known.
    good : (n,) rows whose outcome is known to be favourable.
    groups : protected groups, if any.
    """

    table: Table
    found: Evaluation
    weight: Floats
    weighted: bool
    known: Bools
    good: Bools
    groups: Groups | None

    @classmethod
    def read(
        cls, model: DecisionModel, X: Any, y: Any, groups: Groups | None, sample_weight: Any, where: str
    ) -> Sample:
        """Evaluate a model on rows, and check what belongs to them.

        Parameters
        ----------
        y : (n,) classes of the outcome, None or NaN where it is not known; None if none is.
        where : how errors name the rows.

        Raises
        ------
        InputError, KindError : as `evaluate`; another number of rows, a class that is not the model's.
        """
        table = as_table(X)
        rows = table.n_rows
        if groups is not None:
            check_groups(groups)
            groups = Groups.from_frame(groups, expected_rows=rows)
        known, good = read_outcomes(model.outcome, y, rows, f"y of the {where}")
        return cls(
            table=table,
            found=evaluate(model, table),
            weight=weights(sample_weight, rows),
            weighted=sample_weight is not None,
            known=known,
            good=good,
            groups=groups,
        )

    def subset(self, rows: Bools, model: DecisionModel) -> Sample:
        """Some of the rows, and what another model says of them: that of a segment of its applicants."""
        table = self.table.subset(rows)
        return Sample(
            table=table,
            found=evaluate(model, table, reasons=False),
            weight=self.weight[rows],
            weighted=self.weighted,
            known=self.known[rows],
            good=self.good[rows],
            groups=None if self.groups is None else self.groups.subset(rows),
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.weight)

    @property
    def score(self) -> Floats:
        """(n,) score of each row; models that decide have one."""
        assert self.found.score is not None
        return self.found.score

    @property
    def ranked_by(self) -> RankedBy:
        """What tells who is the better applicant; see `Evaluation.ranking`."""
        return "score" if self.found.segment is None else "probability"

    @property
    def knocked_out(self) -> Bools:
        """(n,) rows that a knock-out declines."""
        return self.found.knocked_out

    def counts(self, index: NDArray[np.intp], bins: int, rows: Bools | None = None) -> Floats:
        """(bins,) weights of the rows in each bin, of all rows or of some."""
        if rows is None:
            return exact_bincount(index, self.weight, bins)
        return exact_bincount(index[rows], self.weight[rows], bins)

    def share(self, event: NDArray[Any], rows: Bools) -> float:
        """Weighted mean over some rows; NaN where they have no weight."""
        weight = self.weight[rows]
        total = float(weight.sum())
        return float((weight * event[rows]).sum()) / total if total else float("nan")
