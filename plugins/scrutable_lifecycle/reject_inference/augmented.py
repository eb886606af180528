"""Accepted rows with their outcomes, and below them declined rows with guessed ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Cohort, Floats, codes_of_classes, weights
from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.model import DecisionModel, Outcome

Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Augmented:
    """Rows to learn from: all accepted ones, and then declined ones with guessed outcomes.

    Parameters
    ----------
    rejected : positions of the declined rows, in their frame; with fuzzy augmentation each stands twice.
    y : (n,) classes, those of the accepted first.
    sample_weight : (n,) weights.
    n_accepted : how many of the n rows are accepted ones.
    """

    rejected: Positions
    y: NDArray[Any]
    sample_weight: Floats
    n_accepted: int

    def join(self, accepted: Any, rejected: Any) -> Any:
        """The rows themselves: a frame of the accepted with the chosen rows of the rejected below.

        Parameters
        ----------
        accepted, rejected : pandas, polars or pyarrow frames with the same columns, as they were given.

        Raises
        ------
        InputError : other columns, or another number of rows.
        """
        import narwhals as nw

        above, below = (nw.from_native(each, eager_only=True) for each in (accepted, rejected))
        if above.columns != below.columns:
            raise InputError(
                "accepted and declined rows differ in their columns",
                where="rejected",
                got=sorted(set(above.columns) ^ set(below.columns)) or "another order",
                fix="give the same columns in the same order",
            )
        n_rejected = int(self.rejected.max(initial=-1)) + 1  # each of them stands among the positions
        for where, frame, rows in (("accepted", above, self.n_accepted), ("rejected", below, n_rejected)):
            if len(frame) != rows:
                raise InputError("the number of rows differs", where=where, got=len(frame), allowed=f"{rows} rows")
        return nw.to_native(nw.concat([above, below[self.rejected.tolist()]]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Applied:
    """Checked input of both methods: outcomes and weights of the accepted, weights of the rejected."""

    outcome: Outcome
    good: Bools
    weight: Floats
    rejected_weight: Floats

    def augmented(self, rejected: Positions, good: Bools, weight: Floats) -> Augmented:
        """The accepted, and below them rejected rows with these guesses and weights."""
        index = self.outcome.favourable_index
        place = np.where(np.concatenate([self.good, good]), index, 1 - index)
        return Augmented(
            rejected=rejected,
            y=np.array(self.outcome.classes)[place],
            sample_weight=np.concatenate([self.weight, weight]),
            n_accepted=len(self.good),
        )


def read_applied(
    model: DecisionModel, y: Any, rejected: Any, sample_weight: Any, rejected_weight: Any, factor: float
) -> Applied:
    """Check what both methods are given.

    Raises
    ------
    InputError : a model of more than two classes, an outcome of an accepted row that is missing, unusable weights or
        factor.
    """
    if not model.outcome.binary:
        raise InputError("reject inference needs two classes", where="model", got=list(model.outcome.classes))
    check_number(factor, "factor", "a number above 0", low=np.nextafter(0, 1))
    values = np.asarray(y)
    outcome = codes_of_classes(model.outcome, values, len(values), "y of the accepted")
    if (outcome == Cohort.UNKNOWN).any():
        raise InputError(
            "the outcome of an accepted applicant is missing",
            where=f"y, row {int(np.argmax(outcome == Cohort.UNKNOWN))}",
            fix="leave the row out, or count it among the rejected",
        )
    return Applied(
        outcome=model.outcome,
        good=outcome == Cohort.GOOD,
        weight=weights(sample_weight, len(values)),
        rejected_weight=weights(rejected_weight, as_table(rejected).n_rows),
    )
