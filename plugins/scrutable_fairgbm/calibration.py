"""A probability for a score that constraints have bent: logistic regression of the outcome on the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from scrutable.model import Calibration
from scrutable_fairgbm.gradients import Floats

_STEPS = 50
_RIDGE = 1e-9
_CLOSE = 1e-10
_FAR = 40.0  # log-odds beyond which a probability is 0 or 1


def calibrate(score: Floats, good: NDArray[np.bool_], weight: Floats, steepest: float | None = None) -> Calibration:
    """Slope and intercept of Platt (1999), with his smoothed targets, which keep them finite.

    Parameters
    ----------
    score : (n,) scores, more being better.
    good, weight : (n,) outcomes and sample weights.
    steepest : the largest slope; None for any.

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
    centre, scale = float(np.mean(score)), float(np.std(score)) or 1.0
    design = np.column_stack([np.ones(len(score)), (score - centre) / scale])
    start = np.array([np.log((goods + 1) / (bads + 1)), 0.0])
    found = _newton(design, target, weight, start)
    if found[1] < 0:  # a score that tells nothing
        found = start
    slope = float(found[1]) / scale
    if steepest is not None and slope > steepest:
        return Calibration(slope=steepest, intercept=_intercept(steepest * score, target, weight))
    return Calibration(slope=slope, intercept=float(found[0]) - slope * centre)


def _intercept(z: Floats, target: Floats, weight: Floats) -> float:
    """What is added to log-odds for their mean probability to be that of the outcomes."""
    beyond = float(np.abs(z).max()) + _FAR
    return float(brentq(lambda moved: weight @ (expit(z + moved) - target), -beyond, beyond))


def _newton(design: Floats, target: Floats, weight: Floats, start: Floats) -> Floats:
    """Coefficients of least log loss, by Newton's method with halved steps where one goes too far."""
    found, loss = start, _loss(design @ start, target, weight)
    for _ in range(_STEPS):
        probability = expit(design @ found)
        gradient = design.T @ (weight * (probability - target))
        curvature = (design * (weight * probability * (1 - probability))[:, None]).T @ design
        step = np.linalg.solve(curvature + _RIDGE * np.trace(curvature) * np.eye(2), gradient)
        length, trial, after = 1.0, found - step, _loss(design @ (found - step), target, weight)
        while after > loss and length > _CLOSE:
            length /= 2
            trial = found - length * step
            after = _loss(design @ trial, target, weight)
        if loss - after <= _CLOSE * abs(loss):
            return trial if after <= loss else found
        found, loss = trial, after
    return found


def _loss(z: Floats, target: Floats, weight: Floats) -> float:
    return float(weight @ (np.logaddexp(0.0, z) - target * z))
