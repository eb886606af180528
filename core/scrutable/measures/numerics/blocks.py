"""Characteristics as the binned regression sees them: coefficients that give bins their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrutable.errors import InputError
from scrutable.measures.numerics.counts import bin_index

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Block:
    """One characteristic of the regression: how coefficients give each bin its value.

    Parameters
    ----------
    basis : (n_bins, k) finite matrix; the values of the bins are ``basis @ coefficients``.
    lower, upper : (k,) bounds of the coefficients, infinite where there is none.

    Raises
    ------
    InputError : a basis that is not finite, or bounds of another length or crossed.
    """

    basis: Floats
    lower: Floats
    upper: Floats

    def __post_init__(self) -> None:
        basis = np.asarray(self.basis, dtype=np.float64)
        if basis.ndim != 2 or 0 in basis.shape or not np.isfinite(basis).all():
            raise InputError(
                "expected a finite matrix, a row a bin and a column a coefficient",
                where="basis",
                got=basis.tolist(),
                allowed="shape (n_bins, k), both at least 1",
                fix="mend the basis",
            )
        lower, upper = (np.asarray(bound, dtype=np.float64) for bound in (self.lower, self.upper))
        k = basis.shape[1]
        room = lower.shape == upper.shape == (k,) and np.all((lower <= upper) & (lower < np.inf) & (upper > -np.inf))
        if not room:
            raise InputError(
                "the bounds leave no room",
                where="bounds",
                got=(lower.tolist(), upper.tolist()),
                allowed=f"{k} lower bounds, each no more than its upper bound",
                fix="mend the bounds",
            )
        for name, value in {"basis": basis, "lower": lower, "upper": upper}.items():
            object.__setattr__(self, name, value)

    @property
    def n_bins(self) -> int:
        """Number of bins."""
        return len(self.basis)


def one_hot_block(
    n_bins: int,
    *,
    trend: Literal["ascending", "descending"] | None = None,
    ordered: npt.ArrayLike | None = None,
) -> Block:
    """Build a block with a value of its own for every bin, monotone over the ordered bins if a trend is given.

    Parameters
    ----------
    n_bins : number of bins.
    trend : direction in which values may move along the ordered bins; without it every bin is free.
    ordered : the bins that the trend is about, as a mask of n_bins booleans or as bin numbers in the trend's order;
        all of them when not given. The others (missing, special, otherwise) stay free. No effect without a trend.

    Raises
    ------
    InputError : an unknown trend, or ordered bins that do not exist or repeat.

    Examples
    --------
    >>> block = one_hot_block(4, trend="ascending", ordered=[0, 1, 2])
    >>> block.basis.tolist()
    [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    >>> block.lower.tolist()
    [-inf, 0.0, 0.0, -inf]
    """
    if trend not in (None, "ascending", "descending"):
        raise InputError(
            "unknown trend",
            where="trend",
            got=trend,
            allowed="None, 'ascending' or 'descending'",
            fix="choose one of them",
        )
    lower, upper = np.full(n_bins, -np.inf), np.full(n_bins, np.inf)
    if trend is None:
        return Block(np.eye(n_bins), lower, upper)
    order = _ordered_bins(ordered, n_bins)
    basis = np.eye(n_bins)
    # The coefficient of an ordered bin is its step from the one before; that of the first is the level of all.
    basis[np.ix_(order, order)] = np.tri(len(order))
    (lower if trend == "ascending" else upper)[order[1:]] = 0.0
    return Block(basis, lower, upper)


def woe_block(woe: npt.ArrayLike, *, sign: Literal["positive"] | None = None) -> Block:
    """Build a block with one coefficient, which multiplies the weight of evidence of a bin.

    Parameters
    ----------
    woe : (n_bins,) finite weight of evidence of every bin.
    sign : ``"positive"`` keeps the coefficient at 0 or above, so that points keep the order of the WoE.

    Raises
    ------
    InputError : an unknown sign, or a weight of evidence that is not finite.

    Examples
    --------
    >>> woe_block([0.7, -0.7], sign="positive").lower.tolist()
    [0.0]
    """
    if sign not in (None, "positive"):
        raise InputError("unknown sign", where="sign", got=sign, allowed="None or 'positive'", fix="choose one of them")
    basis = np.asarray(woe, dtype=np.float64).reshape(-1, 1)
    return Block(basis, np.array([0.0 if sign else -np.inf]), np.array([np.inf]))


def _ordered_bins(ordered: npt.ArrayLike | None, n_bins: int) -> Ints:
    given = np.arange(n_bins) if ordered is None else np.asarray(ordered)
    if given.dtype == np.bool_ and given.shape == (n_bins,):
        given = np.flatnonzero(given)
    order = bin_index(given, n_bins, where="ordered bins")
    if len(np.unique(order)) < len(order):
        raise InputError(
            "a bin is listed twice",
            where="ordered bins",
            got=order.tolist(),
            allowed="every bin at most once",
            fix="list the bins in the order of the trend",
        )
    return order
