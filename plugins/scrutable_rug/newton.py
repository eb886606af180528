"""A point between the bounds of the master problem, and Newton's equations there, reduced to the rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from scrutable.measures.numerics import compiled
from scrutable_rug.program import Floats, Program

_JITTER = 1e-14  # of the scaled diagonal, so that rounding leaves the matrix positive definite
_RANK = 1e-14  # singular values of the scaled border below which a fairness row follows from others


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneSided:
    """A program whose fairness rows are one-sided: E v - e = least with e >= 0, or e = 0 where not `strict`.

    Parameters
    ----------
    rows : (sides, P) E, one row for each side of a fairness row.
    scale : (sides, R) turns the program's fairness rows into E, and its transpose duals of E into multipliers.
    """

    program: Program
    rows: Floats
    least: Floats
    strict: NDArray[np.bool_]
    scale: Floats

    @classmethod
    def of(cls, program: Program) -> OneSided:
        """Sides that have a bound, each divided by its largest coefficient; one for a row that allows one value."""
        scale, least, strict = [], [], []
        for row, (low, high) in enumerate(zip(program.low.tolist(), program.high.tolist(), strict=True)):
            size = 1.0 / (float(np.abs(program.rates[row]).max(initial=0.0)) or 1.0)
            for sign, bound in ((size, low), (-size, -high)):
                if np.isfinite(bound) and (sign > 0 or low < high):
                    scale.append(np.eye(1, len(program.low), row)[0] * sign)
                    least.append(bound * size)
                    strict.append(low < high)
        shaped = np.array(scale).reshape(len(scale), len(program.low))
        return cls(
            program=program,
            rows=shaped @ (program.rates * program.mass),
            least=np.array(least),
            strict=np.array(strict, dtype=bool),
            scale=shaped,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """Weights w, slacks v, surpluses r and e of the rows, and their duals zw, zv, b and u; or a step between points."""

    w: Floats
    v: Floats
    r: Floats
    e: Floats
    zw: Floats
    zv: Floats
    b: Floats
    u: Floats

    def moved(self, step: Point, primal: float, dual: float) -> Point:
        """The point after so much of a step."""
        return Point(
            w=self.w + primal * step.w,
            v=self.v + primal * step.v,
            r=self.r + primal * step.r,
            e=self.e + primal * step.e,
            zw=self.zw + dual * step.zw,
            zv=self.zv + dual * step.zv,
            b=self.b + dual * step.b,
            u=self.u + dual * step.u,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residuals:
    """What a point leaves of the linear equations: rows of samples, sides, and the dual rows of w and of v."""

    samples: Floats
    sides: Floats
    w: Floats
    v: Floats

    @classmethod
    def at(cls, problem: OneSided, point: Point) -> Residuals:
        """What a point leaves of them, whole at the origin."""
        program = problem.program
        whole = cls(samples=np.ones(len(program.mass)), sides=problem.least, w=program.costs, v=program.mass)
        return whole.after(problem, point)

    def after(self, problem: OneSided, step: Point) -> Residuals:
        """What is left after a step."""
        votes = problem.program.votes
        return Residuals(
            samples=self.samples - votes @ step.w - step.v + step.r,
            sides=self.sides - problem.rows @ step.v + np.where(problem.strict, step.e, 0.0),
            w=self.w - votes.T @ step.b - step.zw,
            v=self.v - step.b - step.u @ problem.rows - step.zv,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Products:
    """Products of variables and duals: w zw, v zv, r b and e u; they fall to 0 along the central path."""

    w: Floats
    v: Floats
    r: Floats
    e: Floats

    @classmethod
    def of(cls, problem: OneSided, at: Point) -> Products:
        """Those of a point, or to second order those of a step."""
        return cls(w=at.w * at.zw, v=at.v * at.zv, r=at.r * at.b, e=np.where(problem.strict, at.e * at.u, 0.0))

    @property
    def mean(self) -> float:
        """Their mean; equations among the fairness rows have none."""
        total = self.w.sum() + self.v.sum() + self.r.sum() + self.e.sum()
        return float(total / (len(self.w) + 2 * len(self.v) + np.count_nonzero(self.e)))


class Newton:
    """Newton's equations at a point, with the matrix factored once.

    Slack v and surplus r of the samples' rows have diagonal blocks, with D = v / zv + r / b. What is left is
    votesᵀ D⁻¹ votes + diag(zw / w), of size J, with a border of one row for each side.
    """

    def __init__(self, problem: OneSided, at: Point) -> None:
        votes, rows = problem.program.votes, problem.rows
        self._problem, self._at, self._votes, self._rows = problem, at, votes, rows
        self._slack, surplus = at.v / at.zv, at.r / at.b
        self._inverse = 1.0 / (self._slack + surplus)
        self._own = at.zw / at.w
        self._loose = np.where(problem.strict, at.e, 0.0) / np.where(problem.strict, at.u, 1.0)
        upper = _gram(votes.indptr, votes.indices, votes.data, self._inverse, len(at.w))
        upper[np.diag_indices_from(upper)] += self._own
        self._scale = 1.0 / np.sqrt(np.diag(upper))
        upper *= self._scale[:, None] * self._scale
        self._matrix = upper + np.triu(upper, 1).T
        upper[np.diag_indices_from(upper)] += _JITTER
        self._factor = cho_factor(upper, overwrite_a=True, check_finite=False)
        shared = self._slack * self._inverse
        self._border = np.asarray(votes.T @ (shared * rows).T, dtype=np.float64)
        self._pulled = self._by_rules(self._border)
        self._corner = (rows * (shared * surplus)) @ rows.T + np.diag(self._loose) + self._border.T @ self._pulled

    def step(self, aim: Products, left: Residuals) -> Point:
        """The step that changes the products by `aim`, to first order, and leaves nothing of the residuals."""
        at, rows = self._at, self._rows
        of_w, of_v = aim.w / at.w - left.w, aim.v / at.v - left.v
        of_e = aim.e / np.where(self._problem.strict, at.u, 1.0)
        known = left.samples - self._slack * of_v + aim.r / at.b
        free = self._by_rules(of_w + self._votes.T @ (self._inverse * known))
        by_sides = left.sides + of_e - rows @ (self._slack * (of_v + self._inverse * known))
        u = self._by_sides(by_sides + self._border.T @ free)
        w, pull = free - self._pulled @ u, u @ rows
        b = self._inverse * (known - self._votes @ w - self._slack * pull)
        return Point(
            w=w,
            v=self._slack * (of_v + b + pull),
            r=(aim.r - at.r * b) / at.b,
            e=of_e - self._loose * u,
            zw=left.w - self._votes.T @ b,
            zv=left.v - b - pull,
            b=b,
            u=u,
        )

    def refined(self, step: Point, aim: Products, left: Residuals) -> Point:
        """The step, less what rounding left; the elimination loses digits where D spans many orders of magnitude."""
        problem, at = self._problem, self._at
        missed = Products(
            w=aim.w - at.w * step.zw - at.zw * step.w,
            v=aim.v - at.v * step.zv - at.zv * step.v,
            r=aim.r - at.r * step.b - at.b * step.r,
            e=np.where(problem.strict, aim.e - at.e * step.u - at.u * step.e, 0.0),
        )
        return step.moved(self.step(missed, left.after(problem, step)), 1.0, 1.0)

    def _by_rules(self, right: Floats) -> Floats:
        """Solve for the rules' part of the matrix, for (J,) or (J, sides) values."""
        if not right.size:
            return right
        scale = self._scale.reshape(-1, *(1 for _ in right.shape[1:]))
        wanted = scale * right
        solved: Floats = cho_solve(self._factor, wanted, check_finite=False)
        solved += cho_solve(self._factor, wanted - self._matrix @ solved, check_finite=False)  # what rounding left
        return scale * solved

    def _by_sides(self, right: Floats) -> Floats:
        """Solve for the sides' part; those that follow from others leave it singular."""
        if not len(right):
            return right
        diagonal = np.diag(self._corner)
        scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        solved: Floats = scale * np.linalg.lstsq(scale[:, None] * self._corner * scale, scale * right, rcond=_RANK)[0]
        return solved


@compiled(steps=lambda start, *_: int((np.diff(start).astype(np.int64) ** 2).sum()))
def _gram(start: NDArray[np.int32], rule: NDArray[np.int32], vote: Floats, weight: Floats, rules: int) -> Floats:
    """Upper triangle of votesᵀ diag(weight) votes."""
    matrix = np.zeros((rules, rules))
    for row in range(len(weight)):
        for at in range(start[row], start[row + 1]):
            scaled = vote[at] * weight[row]
            for other in range(at, start[row + 1]):
                matrix[rule[at], rule[other]] += scaled * vote[other]
    return matrix
