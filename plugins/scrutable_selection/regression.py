"""What each characteristic adds to a regression on WoE, by the quadratic of the log-loss at its fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.plugins.bases import Likelihood
from scrutable_selection.maximum import Maximum, definite

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A characteristic that leaves the regression, and what it added to twice the log-likelihood."""

    name: str
    gain: float


def removed(
    names: Sequence[str], fit: Maximum, price: float, held: frozenset[str] = frozenset()
) -> tuple[list[Removed], Floats]:
    """What leaves, one after another, as long as one adds less than a price; and (p + 1,) coefficients without them.

    By the quadratic of the log-loss at the fit: without characteristic j twice the log-likelihood is lower by
    b_j² / V_jj, where V is the inverse of the Hessian, and the others move by −V_ij b_j / V_jj. One that is held at 0
    adds nothing. The coefficients of what leaves are 0.

    Parameters
    ----------
    names : of the characteristics of the fit.
    price : of one characteristic, in twice the log-likelihood.
    held : those that stay in any case.
    """
    point = np.concatenate([[fit.intercept], fit.coefficients])
    inverse = np.linalg.inv(definite(fit.hessian))
    may = np.array([False, *(name not in held for name in names)])
    left: list[Removed] = []
    while may.any():
        spread = np.where(may, np.diag(inverse), 1.0)
        gains = np.where(may, np.where(point > 0, point**2 / spread, 0.0), np.inf)
        at = int(np.argmin(gains))
        if gains[at] >= price:
            break
        left.append(Removed(name=names[at - 1], gain=float(gains[at])))
        point = point - inverse[:, at] * (point[at] / inverse[at, at])
        inverse = inverse - np.outer(inverse[:, at], inverse[at]) / inverse[at, at]
        may[at], point[at] = False, 0.0
        inverse[at], inverse[:, at] = 0.0, 0.0
    return left, point


def outside(
    likelihood: Likelihood,
    names: Sequence[str],
    intercept: float,
    coefficients: Sequence[float],
    *,
    nonnegative: bool = False,
) -> dict[str, float]:
    """By characteristic that is not in a regression, about what it would add to twice the log-likelihood.

    It is the score statistic g² / (H_jj − H_jS H_SS⁻¹ H_Sj), of the gradient g and the Hessian H at the fit of S.

    Parameters
    ----------
    likelihood : of all characteristics.
    names, coefficients : of the regression's.
    nonnegative : whether what would have a negative coefficient adds nothing.
    """
    place = {name: at for at, name in enumerate(likelihood.names, 1)}
    point = np.zeros(len(place) + 1)
    point[0], inside = intercept, [0, *(place[name] for name in names)]
    point[inside[1:]] = coefficients
    _, gradient, hessian = likelihood.at(float(point[0]), point[1:])
    hessian = definite(hessian)
    others = [at for at in range(1, len(point)) if at not in inside]
    across = hessian[np.ix_(inside, others)]
    left = np.diag(hessian)[others] - np.sum(across * np.linalg.solve(hessian[np.ix_(inside, inside)], across), axis=0)
    falls = np.minimum(gradient[others], 0.0) if nonnegative else gradient[others]
    gains = falls**2 / np.maximum(left, 1e-300)
    return dict(zip((likelihood.names[at - 1] for at in others), gains.tolist(), strict=True))
