"""The regression on WoE, with coefficients of 0 or above, and what each characteristic adds to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import minimise_box_quadratic
from scrutable.plugins.bases import Likelihood

Floats = NDArray[np.float64]

_MOST_STEPS, _MOST_HALVINGS = 50, 30
#: What a step still gains in the log-loss of all rows, where it is enough.
_SETTLED = 1e-3
#: Added to the Hessian's diagonal, as a share of it.
_DEFINITE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """A regression at its best coefficients.

    Parameters
    ----------
    names : of the characteristics.
    intercept, coefficients : of the log-odds; coefficients are 0 or above.
    loss : log-loss of all rows.
    hessian : (p + 1, p + 1) of the loss, intercept first.
    """

    names: tuple[str, ...]
    intercept: float
    coefficients: Floats
    loss: float
    hessian: Floats


def fitted(likelihood: Likelihood, start: Floats | None = None) -> Fitted:
    """The regression of least log-loss whose coefficients are 0 or above, by Newton steps within these bounds.

    Parameters
    ----------
    start : (p + 1,) where to start, the intercept first; no characteristic tells anything there when None.
    """
    size = len(likelihood.names) + 1
    lower, upper = np.concatenate([[-np.inf], np.zeros(size - 1)]), np.full(size, np.inf)
    point = np.zeros(size) if start is None else np.maximum(start, lower)
    loss, gradient, hessian = likelihood.at(float(point[0]), point[1:])
    for _ in range(_MOST_STEPS):
        definite = hessian + np.diag(_DEFINITE * np.maximum(np.diag(hessian), 1e-12))
        step = minimise_box_quadratic(definite, gradient, lower, upper, point) - point
        gained = -float(gradient @ step)
        if gained <= _SETTLED:
            break
        for halvings in range(_MOST_HALVINGS):
            trial = np.clip(point + 0.5**halvings * step, lower, upper)
            new = likelihood.at(float(trial[0]), trial[1:])
            if new[0] <= loss - 1e-4 * 0.5**halvings * gained:
                break
        point, (loss, gradient, hessian) = trial, new
    return Fitted(names=likelihood.names, intercept=float(point[0]), coefficients=point[1:], loss=loss, hessian=hessian)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A characteristic that leaves the regression, and what it added to twice the log-likelihood."""

    name: str
    gain: float


def removed(fit: Fitted, price: float, held: frozenset[str] = frozenset()) -> tuple[list[Removed], Floats]:
    """What leaves, one after another, as long as one adds less than a price; and (p + 1,) coefficients without them.

    By the quadratic of the log-loss at the fit: without characteristic j twice the log-likelihood is lower by
    b_j² / V_jj, where V is the inverse of the Hessian, and the others move by −V_ij b_j / V_jj. One that is held at 0
    adds nothing. The coefficients of what leaves are 0.

    Parameters
    ----------
    price : of one characteristic, in twice the log-likelihood.
    held : those that stay in any case.
    """
    point = np.concatenate([[fit.intercept], fit.coefficients])
    size = len(point)
    scale = 1.0 / np.sqrt(np.maximum(np.diag(fit.hessian), 1e-300))
    inverse = np.linalg.inv(fit.hessian * np.outer(scale, scale) + _DEFINITE * np.eye(size)) * np.outer(scale, scale)
    may = np.array([False, *(name not in held for name in fit.names)])
    left: list[Removed] = []
    while may.any():
        spread = np.where(may, np.diag(inverse), 1.0)
        gains = np.where(may, np.where(point > 0, point**2 / spread, 0.0), np.inf)
        at = int(np.argmin(gains))
        if gains[at] >= price:
            break
        left.append(Removed(name=fit.names[at - 1], gain=float(gains[at])))
        point = point - inverse[:, at] * (point[at] / inverse[at, at])
        inverse = inverse - np.outer(inverse[:, at], inverse[at]) / inverse[at, at]
        may[at], point[at] = False, 0.0
        gone = [1 + fit.names.index(each.name) for each in left]
        inverse[gone], inverse[:, gone] = 0.0, 0.0
    return left, point
