"""Bounds on rates as sums over cells: the rows of one class and one combination of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.fairness import Bound, Groups, RateBound
from scrutable_fairgbm.gradients import Bools, Cells, Floats, count_errors


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateRows:
    """n rows in K cells, and C bounds on their errors: low <= q @ errors <= high.

    What a round of boosting costs depends on the rows and the cells, and not on the number of bounds. A row whose
    groups are known by probability shares its cell only with rows of the same probabilities.

    Parameters
    ----------
    cell : (n,) cell of each row.
    good : (K,) whether the rows of a cell have the favourable outcome.
    total : (K,) weight of the rows of a cell.
    weight : (n,) sample weights, or a single one for all rows.
    q : (C, K) what a unit of weight of errors adds to what is bounded.
    low, high : (C,) its limits.
    constant : (C,) what is added to a gap of rates, or taken from it, to say it in errors.
    approvals : (C,) whether the bound counts approvals, said here in errors; else it counts errors.
    """

    cell: Cells
    good: Bools
    total: Floats
    weight: Floats
    q: Floats
    low: Floats
    high: Floats
    constant: Floats
    approvals: Bools

    @property
    def n_bounds(self) -> int:
        """Number of bounds."""
        return len(self.low)

    def errors(self, score: Floats, threshold: float) -> Floats:
        """(K,) weight of the errors in each cell if scores from a threshold on are approved."""
        errors = np.empty(len(self.total))
        count_errors(score, self.cell, self.good, self.weight, threshold, errors)
        return errors

    def values(self, errors: Floats) -> Floats:
        """(C,) what is bounded, for errors in the cells."""
        values: Floats = self.q @ errors
        return values

    def overall(self, errors: Floats) -> Floats:
        """(C,) rate of what a bound counts, over all the rows that it looks at; 0 without such rows."""
        events = np.where(self.approvals[:, None] & self.good, self.total - errors, errors)
        size = np.abs(self.q)
        total = size @ self.total
        rate: Floats = np.divide((size * events).sum(axis=1), total, out=np.zeros(len(total)), where=total > 0)
        return rate


def rate_rows(
    good: Bools, bounds: Sequence[Bound], groups: Groups | None, weight: Floats, *, some: bool = False
) -> RateRows:
    """The cells of rows, and bounds as sums over them.

    Parameters
    ----------
    good : (n,) whether the outcome is favourable.
    groups : protected groups of the rows; None only without bounds.
    weight : (n,) sample weights.
    some : whether a bound may have a side without a row here; nothing adds to it then, and it has no limits.

    Raises
    ------
    InputError : a side of a bound has no row here, and not `some`.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    >>> bound = RateBound(rate="approval", given=True, attribute="sex", group="f", reference="m", slack=0.1)
    >>> rows = rate_rows(np.array([True, True, True, False]), [bound], groups, np.ones(4))
    >>> rows.cell.tolist(), rows.values(rows.errors(np.array([-1.0, 1.0, 1.0, -1.0]), 0.0)).tolist()
    ([0, 0, 1, 2], [-0.5])
    """
    kept = [bound for bound in bounds if isinstance(bound, RateBound)]
    cell, n_cells = _cells(good, groups, {bound.attribute for bound in kept})
    total = np.bincount(cell, weight, n_cells).astype(np.float64)
    q, (low, high, constant) = np.zeros((len(kept), n_cells)), np.zeros((3, len(kept)))
    for at, bound in enumerate(kept):
        assert groups is not None
        if some and not all(side.any() for side in bound.sides(good, groups, weight)):
            low[at], high[at] = -np.inf, np.inf
            continue
        rates = bound.contrast(good, groups, sample_weight=weight)
        errors = rates.counted_in("error", good)
        q[at] = np.bincount(cell, errors.weights, n_cells) / np.where(total > 0, total, 1.0)
        low[at], high[at], constant[at] = errors.low, errors.high, errors.low - rates.low
    is_good = np.zeros(n_cells, np.bool_)
    is_good[cell] = good
    return RateRows(
        cell=cell.astype(np.int32),
        good=is_good,
        total=total,
        weight=weight[:1].copy() if (weight == weight[0]).all() else weight,
        q=q,
        low=low,
        high=high,
        constant=constant,
        approvals=np.array([bound.rate == "approval" for bound in kept], np.bool_),
    )


def _cells(good: Bools, groups: Groups | None, named: set[str]) -> tuple[NDArray[np.int64], int]:
    """(n,) cell of each row, and the number of cells."""
    cell = good.astype(np.int64)
    for attribute in groups.attributes if groups else ():
        if attribute.name in named:
            if attribute.hard:
                codes, most = attribute.codes, len(attribute.labels)
            else:
                distinct, codes = np.unique(attribute.membership, axis=0, return_inverse=True)
                most = len(distinct)
            cell = pd.factorize(cell * most + codes)[0]
    position, distinct_cells = pd.factorize(cell)
    return position, len(distinct_cells)
