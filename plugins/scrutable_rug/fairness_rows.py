"""Bounds on sums of slacks, as the master problem takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrutable.errors import InputError
from scrutable_rug.program import Floats, Positions

_SAME = 1e-12  # of the largest coefficient: two that differ by less are one
_MET = 1e-7  # of the largest sum of coefficients: what is exceeded by less is met
_PAYS, _ENTERING = 1e-9, 20  # reduced cost of a column that may enter, and how many enter at once


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FairnessRow:
    """A bound on a weighted sum of slacks, low <= q·v <= high (FairRUG's (10), (11), (14) and (15)).

    Parameters
    ----------
    name : what it bounds, for messages.
    q : (n,) coefficient of each sample's slack, of either sign; sample weights are part of it.
    low, high : bounds; infinite where there is none.
    """

    name: str
    q: Floats
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        if not (self.low <= self.high and self.low < np.inf and self.high > -np.inf):
            raise InputError("bounds that nothing meets", where=self.where, got=(self.low, self.high))

    @property
    def where(self) -> str:
        """The row, in words."""
        return f"fairness row {self.name!r}"


def rates_of(rows: Sequence[FairnessRow], q: Floats, weight: Floats) -> Floats:
    """(R, n) coefficients by unit of sample weight; 0 where that is 0.

    Raises
    ------
    InputError : a coefficient on a sample of weight 0, whose slack would cost nothing.
    """
    weighed = weight > 0
    for row, values in zip(rows, q, strict=True):
        if values[~weighed].any():
            raise InputError(
                "a coefficient on a sample of weight 0",
                where=row.where,
                fix="give the sample a weight, or the coefficient 0",
            )
    return np.divide(q, weight, out=np.zeros_like(q), where=weighed)


def kinds_of(y: Positions, weight: Floats, rates: Floats) -> Positions:
    """(n,) numbers of the kinds of samples whose slacks may be put together: one class, and the same rates.

    >>> kinds_of(np.array([1, 0, 1, 1]), np.ones(4), np.array([[0.5, 0.5, 0.5, -0.5]])).tolist()
    [2, 0, 2, 1]
    """
    kinds = np.unique(2 * y + (weight > 0), return_inverse=True)[1]
    for values in rates:
        size = np.abs(values).max() or 1.0
        rounded = np.unique(np.round(values / (size * _SAME)), return_inverse=True)[1]
        kinds = np.unique(kinds * (rounded.max() + 1) + rounded, return_inverse=True)[1]
    return kinds.astype(np.int64)


def check_rows(rows: Sequence[FairnessRow], rates: Floats, mass: Floats) -> None:
    """Check that slacks of at least 1, which all samples have without rules, can meet all rows together.

    A slack may lie above the hinge loss, so then every program has an optimum, whatever its rules. That holds for all
    rows that bound differences of mean slacks around 0: equal slacks meet them. It need not hold for others, such as a
    mean slack of at most 0.5.

    Parameters
    ----------
    rates : (R, cells) coefficients by unit of weight.
    mass : (cells,) sum of the weights.

    Raises
    ------
    InputError : they cannot.
    """
    sides, most = [], []
    for row, total in zip(rows, rates * mass, strict=True):
        size = np.abs(total).max() or 1.0
        for sign, bound in ((-1.0, row.low), (1.0, row.high)):
            if np.isfinite(bound):
                sides.append(sign * total / size)
                most.append(sign * (bound - total.sum()) / size)
    if sides and _least_excess(np.array(sides), np.array(most)) > _MET:
        raise InputError(
            "no slacks of at least 1 meet the bounds together, so that there may be no solution",
            where="fairness rows " + ", ".join(repr(row.name) for row in rows),
            fix="widen the bounds, or bound differences between groups",
        )


def _least_excess(sides: Floats, most: Floats) -> float:
    """The least t >= 0 for which sides @ u <= most + t has a solution u >= 0; only up to `_MET` where that is enough.

    A linear program of few rows and many columns, of which few are needed: those with a negative reduced cost enter.

    >>> _least_excess(np.array([[1.0, -1.0], [1.0, 1.0]]), np.array([-2.0, 1.0]))
    0.5
    """
    from scipy.optimize import linprog

    excess = max(0.0, float(-most.min()))
    columns = sides / np.maximum(np.abs(sides).max(axis=0), np.finfo(float).tiny)  # only their directions matter
    chosen = np.unique(np.concatenate([columns.argmin(axis=1), columns.argmax(axis=1)]))
    while excess > _MET:
        program = np.column_stack([columns[:, chosen], -np.ones(len(most))])
        solved = linprog([*np.zeros(len(chosen)), 1.0], A_ub=program, b_ub=most, bounds=(0.0, None), method="highs-ds")
        if solved.x is None:  # it failed
            break
        excess = float(solved.x[-1])
        reduced = -solved.ineqlin.marginals @ columns
        reduced[chosen] = 0.0
        entering = np.argsort(reduced)[:_ENTERING]
        entering = entering[reduced[entering] < -_PAYS]
        if not len(entering):
            break
        chosen = np.concatenate([chosen, entering])
    return excess
