"""The least value of a strictly convex quadratic within bounds on its variables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

from scrutable.errors import InputError

Floats = npt.NDArray[np.float64]


def minimise_box_quadratic(
    hessian: Floats, gradient: Floats, lower: Floats, upper: Floats, start: Floats, *, tol: float = 1e-13
) -> Floats:
    """Minimise g·(z − start) + (z − start)'H(z − start)/2 over lower ≤ z ≤ upper by a primal active-set method.

    Every round solves for the free variables alone, and where that leaves the box goes only as far as the first bound
    met and holds it; see Nocedal and Wright, Numerical Optimization (2006), section 16.5. Every round that ends inside
    the box lies lower than the one before, so no set of held bounds comes twice and the method is finite.

    Parameters
    ----------
    hessian : (k, k) symmetric positive definite.
    gradient : (k,) gradient at `start`.
    lower, upper : (k,) bounds, infinite where there is none.
    start : (k,) a point within the bounds.
    tol : a bound is released when the gradient pulls away from it by more than this.

    Returns
    -------
    (k,) the minimiser; variables on a bound equal it exactly.

    Raises
    ------
    InputError : the Hessian is not positive definite.

    Examples
    --------
    >>> minimise_box_quadratic(np.eye(2), np.array([-1.0, 1.0]), np.zeros(2), np.full(2, 9.0), np.zeros(2)).tolist()
    [1.0, 0.0]
    """
    point, slope = start, gradient
    held = (start <= lower) & (slope > 0) | (start >= upper) & (slope < 0)
    for _ in range(10 * len(start) + 100):  # far above what is needed; a point cut off here is feasible and lower
        free = np.flatnonzero(~held)
        step = np.zeros(len(point))
        if free.size:
            step[free] = _solve(hessian[np.ix_(free, free)], -slope[free])
        target = point + step
        outside = ~held & ((target < lower) | (target > upper))
        if outside.any():
            point, met = _step_to_bound(lower, upper, point, step, outside)
            held = held | met
        else:
            point = target
        slope = gradient + hessian @ (point - start)
        if not outside.any():
            released = held & (((point <= lower) & (slope < -tol)) | ((point >= upper) & (slope > tol)))
            released &= lower < upper
            if not released.any():
                break
            held = held & ~released
    return point


def _step_to_bound(
    lower: Floats, upper: Floats, point: Floats, step: Floats, outside: npt.NDArray[np.bool_]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    bound = np.where(step > 0, upper, lower)
    share = np.ones(len(point))
    share[outside] = (bound[outside] - point[outside]) / step[outside]
    nearest = float(share.min())
    met = outside & (share <= nearest)
    return np.where(met, bound, np.clip(point + nearest * step, lower, upper)), met


def _solve(matrix: Floats, right: Floats) -> Floats:
    # LAPACK itself: scipy.linalg.solve spends several times the solution's time on checks at these sizes.
    _, solution, info = lapack.dposv(matrix, right)
    if info:
        raise InputError(
            "the Hessian is not positive definite",
            where="quadratic",
            got=f"minor {info} not positive",
            allowed="positive definite matrices",
            fix="raise the ridge",
        )
    answer: Floats = solution
    return answer
