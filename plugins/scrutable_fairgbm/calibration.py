"""A probability for a score that constraints have bent: logistic regression of the outcome on the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from scrutable.model import Calibration
from scrutable_fairgbm.gradients import Floats

_FAR = 40.0  # log-odds beyond which a probability is 0 or 1


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
    >>> found = calibrate(score, good, np.ones(20_000))
    >>> round(found.slope, 1), round(found.intercept, 1)
    (0.5, -1.0)
    """
    goods, bads = float(weight[good].sum()), float(weight[~good].sum())
    target = np.where(good, (goods + 1) / (goods + 2), 1 / (bads + 2))
    slope = 0.0
    if np.ptp(score) > 0:
        slope, intercept = _regressed(score, target, weight)
        if 0 <= slope <= steepest:
            return Calibration(slope=slope, intercept=intercept)
        slope = min(max(slope, 0.0), steepest)
    return Calibration(slope=slope, intercept=_intercept(slope * score, target, weight))


def _regressed(score: Floats, target: Floats, weight: Floats) -> tuple[float, float]:
    """Slope and intercept of least log loss; each row is both good and bad, weighed by its target."""
    centre, scale = float(score.mean()), float(score.std())
    rows = np.tile((score - centre) / scale, 2)[:, None]
    share = np.concatenate([weight * target, weight * (1 - target)])
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    model.fit(rows, np.repeat([1, 0], len(score)), sample_weight=share)
    slope = float(model.coef_[0, 0]) / scale
    return slope, float(model.intercept_[0]) - slope * centre


def _intercept(z: Floats, target: Floats, weight: Floats) -> float:
    """What is added to log-odds for their mean probability to be that of the outcomes."""
    beyond = float(np.abs(z).max()) + _FAR
    return float(brentq(lambda moved: weight @ (expit(z + moved) - target), -beyond, beyond))
