"""Thresholds with what each counts for, and the selections that a quantile makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.search import Searched
from scrutable_fcca.inputs import Inputs
from scrutable_fcca.target import LEAF, Doubles, Flags, Indices, Trees
from scrutable_fcca.training import Trained

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Thresholds:
    """k thresholds of columns, sorted by column and value.

    Parameters
    ----------
    column : (k,) the column of each.
    value : (k,) a value above it is on the other side than one at it.
    importance : (k,) what each counts for: its multiplicity among counterfactuals, or its gain.

    Examples
    --------
    >>> thresholds = Thresholds.gathered(np.array([0, 0, 1, 0]), np.array([0.5, 0.2, 0.5, 0.5]), np.ones(4))
    >>> thresholds.value.tolist(), thresholds.importance.tolist()
    ([0.2, 0.5, 0.5], [1.0, 2.0, 1.0])
    >>> thresholds.at(0.6).value.tolist(), thresholds.steps().tolist()
    ([0.5], [0.5, 1.0])
    """

    column: Indices
    value: Doubles
    importance: Doubles

    @classmethod
    def gathered(cls, column: Indices, value: Doubles, importance: Doubles) -> Self:
        """Distinct thresholds, with the sum of what each counts for; NaN is no threshold."""
        real = ~np.isnan(value)
        pairs = np.stack([column[real].astype(np.float64), value[real]], axis=1)
        distinct, which = np.unique(pairs, axis=0, return_inverse=True)
        return cls(
            column=distinct[:, 0].astype(np.int64),
            value=distinct[:, 1],
            importance=np.bincount(which, importance[real], len(distinct)).astype(np.float64),
        )

    def __len__(self) -> int:
        return len(self.value)

    def at(self, quantile: float) -> Self:
        """The thresholds that count for no less than this quantile of them all, Q in section 3.1; 0 keeps all."""
        least = np.quantile(self.importance, quantile) if len(self) else 0.0
        return self.take(np.flatnonzero(self.importance >= least - _ROUNDING * abs(least)))

    def largest(self, count: int) -> Self:
        """The `count` thresholds that count for most; of equals the first."""
        return self.take(np.sort(np.argsort(-self.importance, kind="stable")[:count]))

    def kept_until(self) -> Doubles:
        """(k,) the largest quantile at which each threshold is still kept."""
        below = np.searchsorted(np.sort(self.importance), self.importance, side="right") - 1
        kept: Doubles = below / (len(self) - 1) if len(self) > 1 else np.ones(len(self))
        return kept

    def steps(self) -> Doubles:
        """Rising quantiles, one for each distinct selection: each is the largest that makes it."""
        return np.unique(self.kept_until())

    def binary(self, points: Doubles) -> Flags:
        """(n, k) whether each row is above each threshold, equation (12)."""
        above: Flags = points[:, self.column] > self.value
        return above

    def take(self, kept: NDArray[np.intp]) -> Self:
        """The thresholds at these rising positions."""
        return type(self)(column=self.column[kept], value=self.value[kept], importance=self.importance[kept])


def crossed_thresholds(searched: Searched, inputs: Inputs, weight: Doubles) -> Thresholds:
    """The thresholds that counterfactuals cross, equations (10) and (11), with the weight of the rows that cross each.

    Thresholds between the same two values of the training rows are one, since no row tells them apart.

    Parameters
    ----------
    weight : (n,) of all rows that the search was given.
    """
    crossed = searched.counterfactuals.crossed
    row, column = np.nonzero(~np.isnan(crossed))
    value = inputs.snap(column, crossed[row, column])
    return Thresholds.gathered(column, value, weight[searched.rows][row])


def gain_thresholds(trained: Trained, inputs: Inputs) -> Thresholds:
    """All thresholds of a target model, each with the decrease of impurity of its splits.

    Thresholds between the same two values of the training rows are one.

    Raises
    ------
    InputError : the target model has no splits.
    """
    target = trained.target
    if not isinstance(target, Trees):
        raise InputError(
            "a linear target model has no splits to rank",
            where="ranking",
            allowed="'counterfactuals' for linear target models",
            fix="set ranking='counterfactuals', or another target",
        )
    inner = target.column != LEAF
    column = target.column[inner]
    return Thresholds.gathered(column, inputs.snap(column, target.threshold[inner]), trained.gain[inner])
