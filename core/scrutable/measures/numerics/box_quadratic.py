"""The least value of a strictly convex quadratic within bounds on its variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

from scrutable.errors import InputError

Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.intp]

#: Rounds in which many bounds may change at once; a handful is needed.
_ROUNDS_AT_ONCE = 50


class Curvature(Protocol):
    """A symmetric positive definite matrix, as the methods below use it; it need not be written down."""

    def times(self, vector: Floats) -> Floats:
        """(k,) its product with a vector."""

    def solve(self, free: Positions, right: Floats) -> Floats:
        """(free,) solution of the equations of these variables alone, where the others are 0."""


def minimise_box_quadratic(
    hessian: Floats | Curvature, gradient: Floats, lower: Floats, upper: Floats, start: Floats, *, tol: float = 1e-13
) -> Floats:
    """Minimise g·(z − start) + (z − start)'H(z − start)/2 over lower ≤ z ≤ upper by a primal active-set method.

    Every round solves for the free variables alone, and where that leaves the box goes only as far as the first bound
    met and holds it; see Nocedal and Wright, Numerical Optimization (2006), section 16.5. Every round that ends inside
    the box lies lower than the one before, so no set of held bounds comes twice and the method is finite.

    Parameters
    ----------
    hessian : (k, k) symmetric positive definite, as a matrix or by what is asked of it.
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
    curvature = _curvature(hessian)
    point, slope = start, gradient
    held = _held_at(start, gradient, lower, upper)
    for _ in range(10 * len(start) + 100):  # far above what is needed; a point cut off here is feasible and lower
        free = np.flatnonzero(~held)
        step = np.zeros(len(point))
        if free.size:
            step[free] = curvature.solve(free, -slope[free])
        target = point + step
        outside = ~held & ((target < lower) | (target > upper))
        if outside.any():
            point, met = _step_to_bound(lower, upper, point, step, outside)
            held = held | met
        else:
            point = target
        slope = gradient + curvature.times(point - start)
        if not outside.any():
            released = held & (((point <= lower) & (slope < -tol)) | ((point >= upper) & (slope > tol)))
            released &= lower < upper
            if not released.any():
                break
            held = held & ~released
    return point


def minimise_many_in_box(
    hessian: Floats | Curvature, gradient: Floats, lower: Floats, upper: Floats, start: Floats, *, tol: float = 1e-13
) -> Floats:
    """Minimise a quadratic in a box where thousands of variables meet bounds, held and released all at once at first.

    That is the primal-dual active-set method (Hintermüller, Ito and Kunisch, SIAM J. Optim. 13(3), 2002). It nearly
    always ends at the minimiser, but nothing says it must, so `minimise_box_quadratic` goes on from where it ends: one
    round proves the minimiser. Parameters and errors are those of that function.

    Examples
    --------
    >>> minimise_many_in_box(np.eye(2), np.array([-1.0, 1.0]), np.zeros(2), np.full(2, 9.0), np.zeros(2)).tolist()
    [1.0, 0.0]
    """
    curvature = _curvature(hessian)
    held, target = _held_at(start, gradient, lower, upper), start
    for _ in range(_ROUNDS_AT_ONCE):
        bound, free = np.clip(target, lower, upper), np.flatnonzero(~held)
        step = np.where(held, bound - start, 0.0)
        if free.size:
            step[free] = curvature.solve(free, -(gradient + curvature.times(step))[free])
        target = np.where(held, bound, start + step)
        slope = gradient + curvature.times(step)
        kept = ((target <= lower) & (slope >= -tol)) | ((target >= upper) & (slope <= tol)) | (lower == upper)
        holding = np.where(held, kept, (target < lower) | (target > upper))
        if (holding == held).all():
            break
        held = holding
    nearer = np.clip(target, lower, upper)
    onward = gradient + curvature.times(nearer - start)
    return minimise_box_quadratic(curvature, onward, lower, upper, nearer, tol=tol)


def solve_definite(matrix: Floats, right: Floats) -> Floats:
    """The solution of the equations of a symmetric positive definite matrix, of one right side or of several.

    Raises
    ------
    InputError : the matrix is not positive definite.
    """
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


@dataclass(frozen=True, eq=False)
class _Matrix:
    """A curvature that is written down."""

    matrix: Floats

    def times(self, vector: Floats) -> Floats:
        product: Floats = self.matrix @ vector
        return product

    def solve(self, free: Positions, right: Floats) -> Floats:
        return solve_definite(self.matrix[np.ix_(free, free)], right)


def _curvature(hessian: Floats | Curvature) -> Curvature:
    return _Matrix(hessian) if isinstance(hessian, np.ndarray) else hessian


def _held_at(point: Floats, slope: Floats, lower: Floats, upper: Floats) -> npt.NDArray[np.bool_]:
    """Variables on a bound that the slope pulls beyond it."""
    held: npt.NDArray[np.bool_] = (point <= lower) & (slope > 0) | (point >= upper) & (slope < 0)
    return held


def _step_to_bound(
    lower: Floats, upper: Floats, point: Floats, step: Floats, outside: npt.NDArray[np.bool_]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    bound = np.where(step > 0, upper, lower)
    share = np.ones(len(point))
    share[outside] = (bound[outside] - point[outside]) / step[outside]
    nearest = float(share.min())
    met = outside & (share <= nearest)
    return np.where(met, bound, np.clip(point + nearest * step, lower, upper)), met
