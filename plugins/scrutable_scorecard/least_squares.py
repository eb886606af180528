"""Linear regression of a quantity on the means of its attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from scrutable.binning import moments_of
from scrutable.data import CodedArrays, CodedRows
from scrutable.errors import InputError
from scrutable.measures.numerics import CHEAP, RowSpace, minimise_box_quadratic, minimise_many_in_box, spread_of

Floats = NDArray[np.float64]

#: Below this share of its square, what a column varies by is rounding.
_NONE = 1e-10


def fit_least_squares(rows: CodedRows, encoded: Sequence[Floats], lower: Floats, *, ridge: float) -> Floats:
    """Coefficients b that minimise Σw (y − a − Xb)² / (s² Σw) + ridge·|b|² with b ≥ lower, where s² is y's variance.

    Dividing by the variance frees the penalty of the unit that y is measured in.

    Parameters
    ----------
    rows : by the attributes of k characteristics, with the quantity y.
    encoded : (k,) the value of each attribute, of which the columns of X are made.
    lower : (k,) bounds, 0 or -inf.
    ridge : zero or more; without it, columns that add up to one another are an error.

    Returns
    -------
    (k,) coefficients, all 0 where the quantity is the same everywhere.

    Raises
    ------
    InputError : columns that depend on one another, and no penalty.

    Examples
    --------
    >>> x = [np.array([-1.0, 0.0, 1.0]), np.array([1.0, -2.0, 1.0])]
    >>> rows = CodedArrays([np.arange(3)] * 2, [3, 3], np.array([-2.0, 0.5, 1.5]), np.ones(3))
    >>> fit_least_squares(rows, x, np.zeros(2), ridge=0.0).round(9).tolist()
    [1.75, 0.0]
    """
    quantity, size = spread_of(rows), len(encoded)
    if not size or quantity.constant:
        return np.zeros(size)
    if ridge and size > rows.rows and 8 * size**2 > CHEAP and isinstance(rows, CodedArrays):
        return _by_rows(rows, encoded, lower, ridge)
    moments, cross = moments_of(rows, encoded, quantity)
    means, variance = moments[0, 1:] / rows.total_weight, quantity.squares / rows.total_weight
    hessian = moments[1:, 1:] / rows.total_weight - np.outer(means, means)
    hessian /= variance
    constant = np.diag(hessian) * variance <= _NONE * np.diag(moments)[1:] / rows.total_weight
    hessian[constant] = hessian[:, constant] = 0.0
    gradient = np.where(constant, 0.0, -cross[1:] / quantity.squares)
    hessian[np.diag_indices(size)] += ridge
    coefficients = np.zeros(size)
    moving = np.flatnonzero(np.diag(hessian) > 0)
    if not moving.size:
        return coefficients
    moved = hessian[np.ix_(moving, moving)]
    scale = np.sqrt(np.diag(moved))
    scaled = moved / np.outer(scale, scale)
    if not ridge and np.linalg.matrix_rank(scaled, tol=_NONE, hermitian=True) < moving.size:
        fix = "give a ridge above 0"
        raise InputError("characteristics add up to one another", where="ridge", got=ridge, fix=fix)
    upper, start = np.full(moving.size, np.inf), np.zeros(moving.size)
    coefficients[moving] = minimise_box_quadratic(moved, gradient[moving], lower[moving], upper, start)
    return coefficients


def _by_rows(rows: CodedArrays, encoded: Sequence[Floats], lower: Floats, ridge: float) -> Floats:
    """Fit more columns than rows, without a matrix of the columns."""
    columns = np.stack([own[codes] for own, codes in zip(encoded, rows.codes, strict=True)], axis=1)
    columns -= np.average(columns, axis=0, weights=rows.weight)
    values = rows.target - np.average(rows.target, weights=rows.weight)
    weighted = rows.weight / (rows.weight.sum() * np.average(values**2, weights=rows.weight))
    many, size = columns.shape
    penalty = sparse.diags_array(np.full(size, ridge), format="csc")
    space = RowSpace(np.empty((many, 0)), sparse.csc_array(columns), penalty, np.arange(size))
    gradient, upper = -(columns.T @ (values * weighted)), np.full(size, np.inf)
    return minimise_many_in_box(space.weighted(weighted), gradient, lower, upper, np.zeros(size))
