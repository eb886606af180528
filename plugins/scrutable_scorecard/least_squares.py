"""Linear regression of a quantity on the means of its attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from scrutable.errors import InputError
from scrutable.measures.numerics import CHEAP, RowSpace, minimise_box_quadratic, minimise_many_in_box

Floats = NDArray[np.float64]


def fit_least_squares(columns: Floats, values: Floats, weight: Floats, lower: Floats, *, ridge: float) -> Floats:
    """Coefficients b that minimise Σw (y − Xb)² / (s² Σw) + ridge·|b|² with b ≥ lower, where s² is the variance of y.

    Dividing by the variance frees the penalty of the unit that y is measured in.

    Parameters
    ----------
    columns : (n, k), each of weighted mean 0.
    values : (n,) of weighted mean 0, not all the same.
    weight : (n,) weights of zero or more.
    lower : (k,) bounds, 0 or -inf.
    ridge : zero or more; without it, columns that add up to one another are an error.

    Raises
    ------
    InputError : columns that depend on one another, and no penalty.

    Examples
    --------
    >>> x = np.array([[-1.0, 1.0], [0.0, -2.0], [1.0, 1.0]])
    >>> y = np.array([-2.0, 0.5, 1.5])
    >>> fit_least_squares(x, y, np.ones(3), np.zeros(2), ridge=0.0).round(9).tolist()
    [1.75, 0.0]
    """
    weighted = weight / (weight.sum() * np.average(values**2, weights=weight))
    rows, size = columns.shape
    if not ridge and np.count_nonzero(columns.any(axis=0)) > rows:
        raise _dependent(ridge)
    if ridge and size > rows and 8 * size**2 > CHEAP:
        return _by_rows(columns, values, weighted, lower, ridge)
    hessian = columns.T @ (columns * weighted[:, None]) + ridge * np.eye(columns.shape[1])
    gradient = -(columns.T @ (values * weighted))
    coefficients = np.zeros(columns.shape[1])
    moving = np.flatnonzero(np.diag(hessian) > 0)
    if not moving.size:
        return coefficients
    moved = hessian[np.ix_(moving, moving)]
    scale = np.sqrt(np.diag(moved))
    if not ridge and np.linalg.matrix_rank(moved / np.outer(scale, scale), hermitian=True) < moving.size:
        raise _dependent(ridge)
    upper, start = np.full(moving.size, np.inf), np.zeros(moving.size)
    coefficients[moving] = minimise_box_quadratic(moved, gradient[moving], lower[moving], upper, start)
    return coefficients


def _by_rows(columns: Floats, values: Floats, weighted: Floats, lower: Floats, ridge: float) -> Floats:
    """Fit more columns than rows, without a matrix of the columns."""
    rows, size = columns.shape
    penalty = sparse.diags_array(np.full(size, ridge), format="csc")
    space = RowSpace(np.empty((rows, 0)), sparse.csc_array(columns), penalty, np.arange(size))
    gradient, upper = -(columns.T @ (values * weighted)), np.full(size, np.inf)
    return minimise_many_in_box(space.weighted(weighted), gradient, lower, upper, np.zeros(size))


def _dependent(ridge: float) -> InputError:
    fix = "give a ridge above 0"
    return InputError("characteristics add up to one another", where="ridge", got=ridge, fix=fix)
