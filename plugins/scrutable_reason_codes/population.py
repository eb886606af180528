"""The reference population that baselines are taken from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import weights
from scrutable.data.frames import Table, as_table
from scrutable.errors import InputError
from scrutable.model import SingleModel
from scrutable.model.evaluator import evaluate

#: How errors name the weights.
WEIGHTS = "weights of the reference"
#: Without a width, near the cutoff are this share of the approved, and so many rows unless that is too large a share.
_NEAR_SHARE, _NEAR_ROWS, _NEAR_MOST = 0.1, 100, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Rows of applicants with a weight of more than 0, and what they are in words.

    Parameters
    ----------
    near : where these are applicants at or slightly above the cutoff: up to how many points above.
    """

    table: Table
    weight: NDArray[np.float64]
    words: str
    near: float | None = None

    @classmethod
    def of(cls, X: Any, weight: Any, words: str) -> Population:
        """All rows.

        Raises
        ------
        InputError : weights that are negative, no numbers, or all 0; no rows.
        """
        if X is None:
            raise InputError(
                "the method takes averages over applicants",
                where="reference",
                got=None,
                fix="give the applicants, the declined among them",
            )
        table = as_table(X)
        if not table.n_rows:
            raise InputError("an empty reference population", where="reference", fix="give at least one applicant")
        given = weights(weight, table.n_rows, WEIGHTS)
        return cls(table=table.subset(given > 0), weight=given[given > 0], words=words)

    def near_cutoff(self, model: SingleModel, width: float | None) -> Population:
        """Those whose score is at or up to `width` points above the cutoff; by default a tenth of the approved.

        Raises
        ------
        InputError : nobody is there.
        """
        evaluation = evaluate(model, self.table, reasons=False)
        assert evaluation.score is not None
        assert model.cutoff is not None
        above = evaluation.score - model.cutoff
        if width is None and evaluation.approved.any():
            width = _lowest(above[evaluation.approved], self.weight[evaluation.approved])
        rows = evaluation.approved & (above <= (width or 0.0))
        if width is None or not rows.any():
            raise InputError(
                "no applicant of the reference population is at or slightly above the cutoff",
                where="near",
                got=width,
                allowed="points above the cutoff that hold some approved applicants",
                fix="give a larger width, or all applicants as the reference population",
            )
        words = f"{self.words}, approved with up to {width:.6g} points above the cutoff of {model.cutoff:.6g}"
        return Population(table=self.table.subset(rows), weight=self.weight[rows], words=words, near=width)


def _lowest(above: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """The width that holds a tenth of the approved by weight, and enough rows."""
    order = np.argsort(above, kind="stable")
    shares = np.cumsum(weight[order]) / weight.sum()
    by_weight = int(np.searchsorted(shares, _NEAR_SHARE))
    by_rows = min(_NEAR_ROWS, math.ceil(_NEAR_MOST * len(above))) - 1
    return float(above[order[max(by_weight, by_rows)]])
