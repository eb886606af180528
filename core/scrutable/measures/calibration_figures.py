"""Figures of a calibration with their standard errors, of rows that may count by weights."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit, logit

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.outcome import CLAMP
from scrutable.errors import InputError
from scrutable.measures.calibration_line import Levels, likeliest_line
from scrutable.measures.calibration_shift import shift_to_mean
from scrutable.measures.resampling import Interval


def wilson_interval(rate: float, n: float, z: float) -> Interval:
    """Wilson's score interval of a share of n rows (Wilson, 1927); n may be an effective number.

    >>> low, high = wilson_interval(0.1, 50, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.0435, 0.2136)
    """
    if not n or math.isnan(rate):
        return math.nan, math.nan
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def expected_over_observed(pd: Floats, bad: Bools, weight: Floats, z: float) -> tuple[float, Interval]:
    """Expected over observed defaults, with the interval of its logarithm linearised (the delta method).

    >>> ratio, (low, high) = expected_over_observed(np.full(100, 0.1), np.arange(100) < 20, np.ones(100), 1.96)
    >>> round(ratio, 9), low < 0.5 < high
    (0.5, True)
    """
    expected, observed = float(weight @ pd), float(weight @ bad)
    if not expected or not observed:
        return math.nan, (math.nan, math.nan)
    influence = weight * (pd / expected - bad / observed)
    spread = math.exp(z * math.sqrt(float(influence @ influence)))
    ratio = expected / observed
    return ratio, (ratio / spread, ratio * spread)


def recalibration(
    pd: Floats, bad: Bools, weight: Floats, z: float
) -> tuple[tuple[float, Interval], tuple[float, Interval]]:
    """Slope and intercept of Cox (1958), each with its interval.

    The slope is that of logistic regression of the outcome on the log-odds of the PD; the intercept is what has to be
    added to those log-odds, at slope 1, for the mean PD to be the bad rate. Standard errors are the sandwich
    estimator's, which hold for weights, too. Log-odds are held in [-36, 36] as in a model.
    """
    undefined = math.nan, (math.nan, math.nan)
    odds = np.clip(logit(pd), -CLAMP, CLAMP)
    try:
        levels = Levels.of(odds, bad, weight)
    except InputError:
        return undefined, undefined
    moved = shift_to_mean(odds, weight, float(np.average(bad, weights=weight)))
    intercept = _with_interval(moved, _deviation(np.ones((1, odds.size)), expit(odds + moved), bad, weight), z)
    if levels.separated or levels.x.size < 2:
        return undefined, intercept
    at_zero, slope = likeliest_line(levels)
    rows = np.stack([odds, np.ones(odds.size)])
    return _with_interval(slope, _deviation(rows, expit(at_zero + slope * odds), bad, weight), z), intercept


def _deviation(rows: Floats, p: Floats, bad: Bools, weight: Floats) -> float:
    """Standard error of the first coefficient: the sandwich of curvature and squared scores."""
    bread = np.linalg.pinv((rows * (weight * p * (1 - p))) @ rows.T)
    filling = (rows * (weight * (bad - p)) ** 2) @ rows.T
    return math.sqrt(max(0.0, float((bread @ filling @ bread)[0, 0])))


def _with_interval(value: float, deviation: float, z: float) -> tuple[float, Interval]:
    return value, (value - z * deviation, value + z * deviation)
