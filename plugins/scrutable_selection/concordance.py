"""How far the log-loss can be from its quadratic model: bounds that hold for every step.

Along a step h the curvature of a row's log-loss changes at most by the factor exp(|x'h|), as the third derivative of
log(1 + eᵗ) is at most the second (Bach, "Self-concordant analysis for logistic regression", Electron. J. Statist. 4,
2010, proposition 1). With |x'h| ≤ ρ r for r² = h'Hh, in all rows,

    f(b + h)  ≥  f(b) + g'h + (e^(−ρr) + ρr − 1) / ρ².
"""

from __future__ import annotations

import math

import numpy as np

from scrutable_selection.likelihood import Floats

#: Below this, powers tell the functions to the last digit, which differences do not.
_SMALL = 1e-3


def reach(hessian: Floats, ranges: Floats) -> float:
    """A ρ for all rows: the greatest √(x'H⁻¹x), intercept included, or more.

    Parameters
    ----------
    hessian : (q + 1, q + 1) positive definite, intercept first.
    ranges : (q, 2) least and greatest value of each column.

    Examples
    --------
    >>> reach(np.diag([4.0, 1.0]), np.array([[-1.0, 1.0]]))  # √(1 / 4 + 1)
    1.118033988749895
    """
    own, cross = hessian[0, 0], hessian[0, 1:]
    rest = np.linalg.inv(hessian[1:, 1:] - np.outer(cross, cross) / own)
    away = np.abs(ranges - (cross / own)[:, None]).max(axis=1, initial=0.0)
    return math.sqrt(1.0 / own + float(away @ np.abs(rest) @ away))


def least_rise(distance: float, reached: float) -> float:
    """By how much the log-loss rises at least, from its minimum to points of this distance r: (e^(−ρr) + ρr − 1) / ρ².

    Examples
    --------
    >>> round(least_rise(1.0, 1e-9), 4), round(least_rise(1.0, 1.0), 4)  # r² / 2 for the quadratic model
    (0.5, 0.3679)
    """
    part = distance * reached
    if part < _SMALL:
        return distance**2 * (0.5 - part / 6.0 + part**2 / 24.0)
    return (math.expm1(-part) + part) / reached**2


def most_fall(score: float, reached: float) -> float:
    """By how much the log-loss can fall at most, from a point where g'H⁻¹g is the square of `score`.

    It is the greatest s r − (e^(−ρr) + ρr − 1) / ρ² over r, ((1 − ρs) ln(1 − ρs) + ρs) / ρ², where ρs < 1; else there
    is no bound.

    Examples
    --------
    >>> round(most_fall(1.0, 1e-9), 4), round(most_fall(1.0, 0.5), 4), most_fall(1.0, 1.0)
    (0.5, 0.6137, inf)
    """
    part = score * reached
    if part >= 1.0:
        return math.inf
    if part < _SMALL:
        return score**2 * (0.5 + part / 6.0 + part**2 / 12.0)
    return ((1.0 - part) * math.log1p(-part) + part) / reached**2
