"""The reference population that baselines are taken from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import LabelledRows, RowsNeededError, exact_bincount, weights
from scrutable.data.frames import Table, as_table
from scrutable.errors import InputError
from scrutable.model import Scorecard, SingleModel
from scrutable.model.evaluator import evaluate
from scrutable_reason_codes.averages import averages_of_counts, averages_of_rows

#: How errors name the weights.
WEIGHTS = "weights of the reference"
#: Without a width, near the cutoff are this share of the approved, and so many rows unless that is too large a share.
_NEAR_SHARE, _NEAR_ROWS, _NEAR_MOST = 0.1, 100, 0.25


#: Rows, and their weights.
Part = tuple[Table, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Rows of applicants with a weight of more than 0, and what they are in words.

    Parameters
    ----------
    parts : gives all of them, some at a time, as often as it is called.
    training : the training rows, where they are all of these.
    near : where these are applicants at or slightly above the cutoff: up to how many points above.
    """

    parts: Callable[[], Iterator[Part]]
    words: str
    training: LabelledRows | None = None
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
        if isinstance(X, LabelledRows):
            return cls(parts=partial(_batches, X), words=words, training=X)
        table = as_table(X)
        if not table.n_rows:
            raise InputError("an empty reference population", where="reference", fix="give at least one applicant")
        given = weights(weight, table.n_rows, WEIGHTS)
        return cls(parts=lambda: iter([_weighing(table, given)]), words=words)

    def averages(self, card: Scorecard) -> dict[str, float]:
        """By characteristic and interaction, the average of the points."""
        if self.training is not None:
            return averages_of_counts(card, self.training)
        return averages_of_rows(card, self.parts())

    def whole(self) -> Part:
        """All rows at once.

        Raises
        ------
        RowsNeededError : they are not in memory.
        """
        first, *further = self.parts()
        if further:
            raise RowsNeededError("reference population")
        return first

    def near_cutoff(self, model: SingleModel, width: float | None) -> Population:
        """Those whose score is at or up to `width` points above the cutoff; by default a tenth of the approved.

        Raises
        ------
        InputError : nobody is there.
        """
        parts = [(*_approved(model, table), weight) for table, weight in self.parts()]
        above = np.concatenate([above[approved] for above, approved, _ in parts])
        if width is None and len(above):
            weight = np.concatenate([weight[approved] for _, approved, weight in parts])
            width = _lowest(above, weight)
        if width is None or not (above <= width).any():
            raise InputError(
                "no applicant of the reference population is at or slightly above the cutoff",
                where="near",
                got=width,
                allowed="points above the cutoff that hold some approved applicants",
                fix="give a larger width, or all applicants as the reference population",
            )
        words = f"{self.words}, approved with up to {width:.6g} points above the cutoff of {model.cutoff:.6g}"
        most = width

        def near() -> Iterator[Part]:
            for table, weight in self.parts():
                above, approved = _approved(model, table)
                rows = approved & (above <= most)
                yield table.subset(rows), weight[rows]

        return Population(parts=near, words=words, near=width)


def _batches(rows: LabelledRows) -> Iterator[Part]:
    return (_weighing(each.table, each.weight) for each in rows.batches())


def _weighing(table: Table, weight: NDArray[np.float64]) -> Part:
    """Rows with a weight of more than 0."""
    rows = weight > 0
    return (table, weight) if rows.all() else (table.subset(rows), weight[rows])


def _approved(model: SingleModel, table: Table) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(m,) points above the cutoff, and who is approved."""
    evaluation = evaluate(model, table, reasons=False)
    assert evaluation.score is not None
    assert model.cutoff is not None
    return evaluation.score - model.cutoff, evaluation.approved


def _lowest(above: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """The width that holds a tenth of the approved by weight, and enough rows."""
    levels, place, rows = np.unique(above, return_inverse=True, return_counts=True)
    reached = np.cumsum(exact_bincount(place, weight, len(levels)))  # the same in every order of the rows
    by_weight = int(np.searchsorted(reached / reached[-1], _NEAR_SHARE))
    by_rows = int(np.searchsorted(np.cumsum(rows), min(_NEAR_ROWS, math.ceil(_NEAR_MOST * len(above)))))
    return float(levels[max(by_weight, by_rows)])
