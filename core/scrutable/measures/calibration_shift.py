"""What to add to log-odds so that the mean probability is a given one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from scrutable.data.array_checks import Floats

#: Log-odds beyond which a probability is 0 or 1 to a double's digits.
FAR = 40.0


def shift_to_mean(odds: Floats, weight: Floats, mean: float) -> float:
    """The shift with which the weighted mean probability of these log-odds is `mean`, above 0 and below 1.

    >>> round(shift_to_mean(np.zeros(2), np.ones(2), 0.75), 12) == round(float(np.log(3)), 12)
    True
    """
    share = weight / weight.sum()
    return solve_shift(lambda shift: float(share @ expit(odds + shift)), mean, float(np.abs(odds).max()) + FAR)


def solve_shift(mean: Callable[[float], float], target: float, beyond: float) -> float:
    """The shift at which a mean that rises with it is `target`, within [-beyond, beyond], to the last digits.

    A mean probability moves by at most a quarter of the shift, so that it is met within 1e-12.
    """
    return float(brentq(lambda shift: mean(shift) - target, -beyond, beyond, xtol=1e-15, maxiter=1000))
