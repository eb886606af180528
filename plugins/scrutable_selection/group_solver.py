"""The least value of a quadratic plus norms of groups of its variables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scrutable_selection.likelihood import Floats

_ROUNDS, _SWEEPS = 200, 5
_MOST_ROOT_STEPS = 60


def group_residual(gradient: Floats, point: Floats, groups: Sequence[slice], weights: Floats) -> float:
    """How far a point is from the optimality conditions of a smooth function plus Σ w_g ‖z_g‖; 0 at the minimum.

    It is the largest over groups of ‖∇_g + w_g z_g / ‖z_g‖‖, or of max(0, ‖∇_g‖ − w_g) where z_g is 0 (Yuan and Lin, J.
    R. Stat. Soc. B 68(1), 2006, equations 2.2 and 2.3).

    Examples
    --------
    >>> group_residual(np.array([-3.0, -4.0]), np.zeros(2), [slice(0, 2)], np.array([2.0]))
    3.0
    """
    worst = 0.0
    for group, weight in zip(groups, weights.tolist(), strict=True):
        size, slope = float(np.linalg.norm(point[group])), gradient[group]
        if size > 0:
            worst = max(worst, float(np.linalg.norm(slope + weight * point[group] / size)))
        else:
            worst = max(worst, float(np.linalg.norm(slope)) - weight)
    return worst


def minimise_with_groups(
    hessian: Floats, gradient: Floats, start: Floats, groups: Sequence[slice], weights: Floats, *, tol: float = 1e-10
) -> Floats:
    """Minimise g·(z − start) + (z − start)'H(z − start) / 2 + Σ w_g ‖z_g‖ by block coordinate descent.

    Each block is solved exactly. After every few sweeps, Newton steps on the groups that are not 0, among which the
    function is smooth, are tried, as sweeps alone are slow where groups are correlated.

    Parameters
    ----------
    hessian : (q, q) positive definite.
    gradient : (q,) at `start`.
    groups : slices that part the variables.
    weights : of each group, 0 or more; 0 leaves a group free.
    tol : largest residual (`group_residual`).

    Examples
    --------
    >>> groups, weights = [slice(0, 2), slice(2, 3)], np.array([1.0, 1.0])
    >>> minimise_with_groups(np.eye(3), np.array([-3.0, -4.0, -0.5]), np.zeros(3), groups, weights).round(6).tolist()
    [2.4, 3.2, 0.0]
    """
    point, slope = start.copy(), gradient.copy()
    turns = [np.linalg.eigh(hessian[group, group]) for group in groups]
    for _ in range(_ROUNDS):
        for _ in range(_SWEEPS):
            for group, weight, (values, vectors) in zip(groups, weights.tolist(), turns, strict=True):
                wanted = vectors.T @ (hessian[group, group] @ point[group] - slope[group])
                new = vectors @ block_minimum(values, wanted, weight)
                if (moved := new - point[group]).any():
                    slope += hessian[:, group] @ moved
                    point[group] = new
        if group_residual(slope, point, groups, weights) <= tol:
            break
        tried = _smooth_steps(hessian, slope, point, groups, weights)
        tried_slope = gradient + hessian @ (tried - start)
        if group_residual(tried_slope, tried, groups, weights) < group_residual(slope, point, groups, weights):
            point, slope = tried, tried_slope
            if group_residual(slope, point, groups, weights) <= tol:
                break
    return point


def block_minimum(values: Floats, wanted: Floats, weight: float) -> Floats:
    """Minimise Σ v_i u_i² / 2 − r·u + w ‖u‖.

    It is 0 where ‖r‖ ≤ w; else u_i = r_i t / (v_i t + w) with the length t at which Σ r_i² / (v_i t + w)² = 1. Newton's
    method on the root of the inverse of that sum, which is concave in t, comes from below and ends there.

    Examples
    --------
    >>> block_minimum(np.array([1.0, 1.0]), np.array([3.0, 4.0]), 1.0).round(9).tolist()
    [2.4, 3.2]
    """
    if float(np.linalg.norm(wanted)) <= weight:
        return np.zeros(len(wanted))
    if weight == 0.0:
        solved: Floats = wanted / values
        return solved
    length = 0.0
    for _ in range(_MOST_ROOT_STEPS):
        spread = values * length + weight
        total = float(np.sum((wanted / spread) ** 2))
        turn = float(np.sum(wanted**2 * values / spread**3))
        step = total * (math.sqrt(total) - 1.0) / turn
        length += step
        if abs(step) <= 1e-15 * length:
            break
    block: Floats = wanted * length / (values * length + weight)
    return block


def _smooth_steps(hessian: Floats, slope: Floats, point: Floats, groups: Sequence[slice], weights: Floats) -> Floats:
    """A few Newton steps on the groups that are not 0."""
    moving = np.zeros(len(point), dtype=bool)
    for group, weight in zip(groups, weights.tolist(), strict=True):
        moving[group] = weight == 0 or point[group].any()
    free = np.flatnonzero(moving)
    at, slope_at = point.copy(), slope.copy()
    for _ in range(4):
        pull, bend = np.zeros(len(point)), hessian.copy()
        for group, weight in zip(groups, weights.tolist(), strict=True):
            size = float(np.linalg.norm(at[group]))
            if weight > 0 and size > 0:
                unit = at[group] / size
                pull[group] = weight * unit
                bend[group, group] += weight / size * (np.eye(len(unit)) - np.outer(unit, unit))
        step = np.zeros(len(point))
        step[free] = -np.linalg.solve(bend[np.ix_(free, free)], (slope_at + pull)[free])
        at, slope_at = at + step, slope_at + hessian @ step
    return at
