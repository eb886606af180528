"""A probability for a score that constraints have bent: logistic regression of the outcome on the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit, logit

from scrutable.model import Calibration
from scrutable_fairgbm.gradients import Floats

_FAR = 40.0  # log-odds beyond which a probability is 0 or 1
_CELLS = 4096  # at most, of as many rows, which all get their mean score; what it changes is below a standard error


def calibrate(score: Floats, good: NDArray[np.bool_], weight: Floats, steepest: float = np.inf) -> Calibration:
    """Slope and intercept of Platt (1999), with his smoothed targets, which keep them finite.

    Parameters
    ----------
    score : (n,) scores, more being better.
    good, weight : (n,) outcomes and sample weights.
    steepest : the largest slope. The smallest is 0, for a score that tells nothing.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.normal(0, 2, 20_000)
    >>> good = rng.random(20_000) < 1 / (1 + np.exp(-(0.5 * score - 1)))
    >>> line = calibrate(score, good, np.ones(20_000))
    >>> round(line.slope, 1), round(line.intercept, 1)
    (0.5, -1.0)
    """
    score, goods, weight = _gathered(score, good, weight)
    good_total = float(goods.sum())
    bad_total = float(weight.sum()) - good_total
    expected = goods * (good_total + 1) / (good_total + 2) + (weight - goods) / (bad_total + 2)
    target = expected / weight
    slope = 0.0
    if score[-1] > score[0]:
        slope, intercept = _regressed(score, target, weight)
        if 0 <= slope <= steepest:
            return Calibration(slope=slope, intercept=intercept)
        slope = min(max(slope, 0.0), steepest)
    return Calibration(slope=slope, intercept=_intercept(slope * score, target, weight))


def _gathered(score: Floats, good: NDArray[np.bool_], weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean score, weight of good payers and weight of all, of each cell of some weight, by rising score."""
    order, cell = np.argsort(score, kind="stable"), np.empty(len(score), np.intp)
    cell[order] = np.arange(len(score)) * min(_CELLS, len(score)) // len(score)
    total, goods, scores = (
        np.bincount(cell, each).astype(np.float64) for each in (weight, weight * good, weight * score)
    )
    some = total > 0
    return scores[some] / total[some], goods[some], total[some]


def _regressed(score: Floats, target: Floats, weight: Floats) -> tuple[float, float]:
    """Slope and intercept of least log loss, by Newton's method within a trust region."""
    centre, low, high = np.quantile(score, [0.5, 0.1, 0.9]).tolist()
    scale = high - low or float(score.std())  # what most scores differ by, however far a few lie
    rows = np.stack([(score - centre) / scale, np.ones(len(score))])
    share = weight / weight.sum()

    def loss(line: Floats) -> tuple[float, Floats]:
        odds = line @ rows
        return float(share @ ((1 - target) * odds - log_expit(odds))), rows @ (share * (expit(odds) - target))

    def curvature(line: Floats) -> Floats:
        p = expit(line @ rows)
        second_derivatives: Floats = (rows * (share * p * (1 - p))) @ rows.T
        return second_derivatives

    start = np.array([0.0, logit(share @ target)])
    slope, intercept = minimize(loss, start, jac=True, hess=curvature, method="trust-exact", tol=1e-10).x.tolist()
    return slope / scale, intercept - slope / scale * centre


def _intercept(z: Floats, target: Floats, weight: Floats) -> float:
    """What is added to log-odds for their mean probability to be that of the outcomes."""
    beyond = float(np.abs(z).max()) + _FAR
    return float(brentq(lambda moved: weight @ (expit(z + moved) - target), -beyond, beyond))
