"""The master problem by a primal-dual interior-point method whose systems have a row for each rule, not each sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import LinAlgError

from scrutable.errors import ScrutableError
from scrutable_rug.newton import Newton, OneSided, Point, Products, Residuals
from scrutable_rug.program import Floats, Optimum, Positions, Program

_AIM = 1e-10  # relative gap at which to stop
_PATIENCE = 3  # steps without a smaller gap, once it is accepted
_HOPE = 10  # steps before that with neither a smaller gap nor smaller residuals
_LESS = 0.999  # share of the residuals that counts as smaller
_STEPS = 200
_TOWARDS = 0.99  # share of the way to the boundary that a step may go


class InteriorPoint:
    """Mehrotra's predictor-corrector method on the structure of program (3).

    Weights and duals lie inside the optimal face, not at a vertex: more weights are positive, and duals are spread out.

    Parameters
    ----------
    enough : relative gap that is accepted where rounding allows no smaller one.
    """

    def __init__(self, enough: float = 1e-9) -> None:
        self._enough = enough

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; nothing is kept from the last program, so that `parents` is not used.

        Raises
        ------
        ScrutableError : rounding stopped the method before the relative gap was small enough.
        """
        weighed = np.flatnonzero(program.mass > 0)
        if not len(weighed):  # nothing that a rule could save
            return program.optimum(
                np.zeros(len(program.costs)), None, np.zeros(len(program.mass)), np.zeros(len(program.low))
            )
        problem = OneSided.of(
            replace(program, votes=program.votes[weighed], mass=program.mass[weighed], rates=program.rates[:, weighed])
        )
        point = _followed(problem, self._enough)
        slack, duals = np.zeros(len(program.mass)), np.zeros(len(program.mass))
        slack[weighed], duals[weighed] = point.v, point.b
        return program.optimum(point.w, slack if len(program.low) else None, duals, point.u @ problem.scale)


def _followed(problem: OneSided, enough: float) -> Point:
    """The end of the central path."""
    point = best = _start(problem)
    least, smallest, stalled = np.inf, np.inf, 0
    for _ in range(_STEPS):
        left = Residuals.at(problem, point)
        gap, residual = _gap(problem, point, left), float(np.abs(left.w).max())
        nearer = gap < least or (least > enough and residual < _LESS * smallest)
        stalled = 0 if nearer else stalled + 1
        smallest = min(smallest, residual)
        if gap < least:
            best, least = point, gap
        if gap <= _AIM or stalled >= (_PATIENCE if least <= enough else _HOPE):
            break
        try:
            point = _next(problem, point, left)
        except LinAlgError:
            break
    if not least <= enough:
        raise ScrutableError("rounding stopped the interior-point method", got=least, fix="use backend='simplex'")
    return best


def _start(problem: OneSided) -> Point:
    """A point inside the bounds that meets the samples' rows and the dual rows of their slacks."""
    votes, mass = problem.program.votes, problem.program.mass
    w = np.full(votes.shape[1], votes.shape[0] / max(votes.nnz, 1))
    margin = votes @ w
    v, b = np.maximum(1.0 - margin, 0.0) + 0.5, 0.5 * mass
    r = v + margin - 1.0
    u = np.where(problem.strict, 0.25 / max(len(problem.least), 1), 0.0)
    zv = mass - b - u @ problem.rows
    mean = float(v @ zv + r @ b) / (2 * len(mass))
    e = np.maximum(problem.rows @ v - problem.least, 0.1 * np.abs(problem.rows).sum(axis=1))
    return Point(w=w, v=v, r=r, e=e, zw=np.maximum(problem.program.costs - votes.T @ b, mean / w), zv=zv, b=b, u=u)


def _gap(problem: OneSided, at: Point, left: Residuals) -> float:
    """Difference of primal and dual value, and what the residuals may hide of it, relative to the value."""
    program = problem.program
    slack = at.v if len(problem.least) else program.hinge(at.w)
    value = program.costs @ at.w + program.mass @ slack
    dual = at.b.sum() + at.u @ problem.least
    hidden = at.w @ np.abs(left.w) + at.v @ np.abs(left.v)
    hidden += at.b @ np.abs(left.samples) + np.abs(at.u) @ np.abs(left.sides)
    return float((abs(value - dual) + hidden) / (1.0 + abs(value)))


def _next(problem: OneSided, at: Point, left: Residuals) -> Point:
    """The point after a predictor and a corrector step."""
    newton, products = Newton(problem, at), Products.of(problem, at)
    step = newton.step(Products(w=-products.w, v=-products.v, r=-products.r, e=-products.e), left)
    ahead = Products.of(problem, at.moved(step, *_lengths(problem, at, step)))
    target = products.mean * (ahead.mean / products.mean) ** 3
    second = Products.of(problem, step)
    aim = Products(
        w=target - products.w - second.w,
        v=target - products.v - second.v,
        r=target - products.r - second.r,
        e=np.where(problem.strict, target - products.e - second.e, 0.0),
    )
    step = newton.refined(newton.step(aim, left), aim, left)
    primal, dual = _lengths(problem, at, step)
    return at.moved(step, min(1.0, _TOWARDS * primal), min(1.0, _TOWARDS * dual))


def _lengths(problem: OneSided, at: Point, step: Point) -> tuple[float, float]:
    """How much of a step primal and dual variables can go before one of them is 0."""
    strict = problem.strict
    primal = _length([(at.w, step.w), (at.v, step.v), (at.r, step.r), (at.e[strict], step.e[strict])])
    return primal, _length([(at.zw, step.zw), (at.zv, step.zv), (at.b, step.b), (at.u[strict], step.u[strict])])


def _length(pairs: list[tuple[Floats, Floats]]) -> float:
    length = 1.0 / _TOWARDS
    for value, change in pairs:
        falls = change < 0
        length = min(length, float((value[falls] / -change[falls]).min(initial=np.inf)))
    return length
