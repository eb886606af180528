"""The maximum of a likelihood, with coefficients of any sign or of zero or more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable.errors import InputError
from scrutable.measures.numerics import minimise_box_quadratic
from scrutable_selection.likelihood import Floats, Likelihood

#: What a step may still promise, of the log-loss, for the quadratic model to tell the rest exactly.
_ENDS = 1e-9
#: Log-loss by weight below which the outcomes are separated, and coefficients have no maximum.
SEPARATED = 1e-9
#: Added to the scaled diagonal of the Hessian: columns that say the same share what they say.
_SHARING = 1e-11
_MOST_STEPS, _MOST_HALVINGS = 200, 60


@dataclass(frozen=True, eq=False)
class Maximum:
    """Where the likelihood is greatest.

    Attributes
    ----------
    intercept, coefficients : the point; (q,) coefficients.
    log_loss : minus the log-likelihood there.
    gradient, hessian : (q + 1,) and (q + 1, q + 1) there, intercept first.
    """

    intercept: float
    coefficients: Floats
    log_loss: float
    gradient: Floats
    hessian: Floats


def maximum(
    likelihood: Likelihood, *, nonnegative: bool = False, start: Floats | None = None, promise: float = _ENDS
) -> Maximum:
    """The maximum of the likelihood, by Newton's method with a line search.

    Of columns that say the same, any share of what they say is a maximum; one is given. Where the outcomes are
    separated the likelihood has none, and a point is given at which it comes near its bound of 0.

    Parameters
    ----------
    likelihood : what to maximise.
    nonnegative : whether each coefficient is kept at 0 or above.
    start : (q + 1,) where to start, intercept first; all 0 if None.
    promise : what a step may still promise of the log-loss at the end, for the quadratic model to tell the rest.

    Raises
    ------
    InputError : no maximum within 200 steps.

    Examples
    --------
    >>> from scrutable_selection.likelihood import CodedLikelihood
    >>> codes, woe = np.array([[0, 1]]), [np.array([1.0, -1.0])]
    >>> likelihood = CodedLikelihood.of_woe(["income"], codes, woe, np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    >>> best = maximum(likelihood)
    >>> best.coefficients.round(6).tolist(), round(best.log_loss, 6)  # ln 3
    ([1.098612], 4.498681)
    """
    columns = 1 + sum(likelihood.widths)
    lower, upper = np.full(columns, -np.inf), np.full(columns, np.inf)
    if nonnegative:
        lower[1:] = 0.0
    point = np.zeros(columns) if start is None else np.maximum(start, lower)
    loss, gradient, hessian = likelihood.at(float(point[0]), point[1:])
    for _ in range(_MOST_STEPS):
        step = minimise_box_quadratic(definite(hessian), gradient, lower, upper, point) - point
        promised = -float(gradient @ step)
        if promised <= promise * min(1.0, loss) or loss <= SEPARATED * likelihood.weight:
            return Maximum(
                intercept=float(point[0] + step[0]),
                coefficients=np.maximum(point + step, lower)[1:],
                log_loss=loss - 0.5 * max(promised, 0.0),
                gradient=gradient + hessian @ step,
                hessian=hessian,
            )
        point = _searched(likelihood, point, step, lower, loss, promised)
        loss, gradient, hessian = likelihood.at(float(point[0]), point[1:])
    raise InputError(
        f"no maximum of the likelihood within {_MOST_STEPS} steps",
        where="logistic regression",
        got=f"a step that promises {promised:.3g}",
        allowed=f"at most {_ENDS:g} of the log-loss",
        fix="leave out attributes of few rows, or merge them with others",
    )


def definite(hessian: Floats) -> Floats:
    """The Hessian with a diagonal that is greater by next to nothing, so that equations of it have one solution."""
    diagonal = hessian.diagonal()
    made: Floats = hessian + np.diag(np.where(diagonal > 0, _SHARING * diagonal, 1.0))
    return made


def _searched(
    likelihood: Likelihood, point: Floats, step: Floats, lower: Floats, loss: float, promised: float
) -> Floats:
    """The point a step on, or a part of a step, where the log-loss falls."""
    share = 1.0
    for _ in range(_MOST_HALVINGS):
        trial = np.maximum(point + share * step, lower)
        reached, _ = likelihood.gradient(float(trial[0]), trial[1:])
        # What is added covers the rounding of a long sum, within which no better point can be told.
        if reached <= loss - 1e-4 * share * promised + 1e-13 * abs(loss):
            break
        share *= 0.5
    return trial
