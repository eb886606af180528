"""Logistic regression over binned characteristics, with bounds on its coefficients, solved exactly on counts."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag
from threadpoolctl import ThreadpoolController

from scrutable.errors import InputError
from scrutable.numerics.blocks import Block, one_hot_block, woe_block
from scrutable.numerics.box_quadratic import minimise_box_quadratic
from scrutable.numerics.counts import bin_counts, exact_bincount
from scrutable.numerics.score_gap import ScoreGap

__all__ = ["BinnedLogisticFit", "Block", "ScoreGap", "fit_binned_logistic", "one_hot_block", "woe_block"]

Floats = npt.NDArray[np.float64]

_CODE_LIMIT = 2**62  # joint codes of bins stay below this, within a 64-bit integer
_LONGEST_STEP = 10.0  # change of any row's log-odds in one step
_SMALL_STEP = 1e-8  # in log-odds
_MOST_HALVINGS = 60  # of a step; what is left then is nothing beside the point
_MOST_REFINEMENTS = 3  # Newton steps within tol; a coefficient that the data leave undetermined never settles


@dataclass(frozen=True, eq=False)
class BinnedLogisticFit:
    """The solution of `fit_binned_logistic`.

    Attributes
    ----------
    intercept : log-odds of the favourable outcome where every block's value is 0.
    coefficients : per block, its (k,) coefficients, within their bounds exactly.
    values : per block, its (n_bins,) values in log-odds; exactly monotone where a trend was asked for.
    iterations : Newton steps taken.
    objective : mean log-loss plus penalties.
    gaps : of each penalised gap, its value in log-odds.
    kkt_residual : largest entry, in absolute value, of the projected gradient of that objective.
    """

    intercept: float
    coefficients: tuple[Floats, ...]
    values: tuple[Floats, ...]
    iterations: int
    objective: float
    gaps: tuple[float, ...]
    kkt_residual: float


def fit_binned_logistic(
    blocks: Sequence[Block],
    y: npt.ArrayLike,
    *,
    weight: npt.ArrayLike | None = None,
    ridge: float = 1e-6,
    tol: float = 1e-9,
    max_iter: int = 100,
    init: BinnedLogisticFit | None = None,
    gaps: Sequence[ScoreGap] = (),
) -> BinnedLogisticFit:
    """Fit log-odds = intercept + Σ value of the row's bin, within the bounds of every block's coefficients.

    It minimises the weighted mean log-loss plus ridge/2 · Σ (value of a bin)², over all bins of all blocks, the
    intercept left out, plus strength/2 · (gap − target)² for each gap. The penalty is on values, not on coefficients,
    so a bin gets the same value whichever basis writes it down; it keeps bins with one outcome finite, and tells the
    intercept from the blocks' levels. With one coefficient per bin it equals scikit-learn's C = 1 / (ridge · total
    weight).

    Rows with the same bins are merged first, in the order of their bins and with exact counts, so the result is
    the same to the last bit for any order of the rows, and for a weight of 2 as for a row given twice. Each Newton
    step minimises the quadratic model within the bounds (`minimise_box_quadratic`) and is cut by a line search.

    Parameters
    ----------
    blocks : the characteristics; none gives the intercept alone.
    y : (n,) outcomes, 1 (favourable) or 0.
    weight : (n,) sample weights of zero or more.
    ridge : strength of the penalty, 0 or more; at 0 separated bins have no finite solution.
    tol : largest entry allowed in the projected gradient. Up to three more Newton steps follow, since at that point
        the values themselves are only known to about tol / ridge.
    max_iter : Newton steps allowed before giving up.
    init : an earlier fit of blocks of the same shape to start from.
    gaps : what else is paid for; rows of weight 0 count nowhere.

    Raises
    ------
    InputError : no weight, one class only, lengths that differ, parameters out of range, or no solution within
        `max_iter` (the message names the residual).

    Examples
    --------
    >>> fit = fit_binned_logistic([one_hot_block([0, 0, 0, 1, 1, 1], 2)], [1, 0, 0, 1, 1, 0])
    >>> (fit.intercept + fit.values[0]).round(4).tolist()
    [-0.6931, 0.6931]
    """
    if not (0 <= ridge < np.inf and tol > 0 and max_iter >= 1):
        raise InputError(
            "a parameter of the solver is out of range",
            where="ridge, tol, max_iter",
            got=(ridge, tol, max_iter),
            allowed="ridge >= 0, tol > 0, max_iter >= 1",
            fix="mend it",
        )
    problem = _Problem.grouped(blocks, y, weight, ridge, gaps)
    with _blas().limit(limits=1, user_api="blas"):
        point, iterations = _newton(problem, problem.start(init), tol, max_iter)
        objective, gradient, _ = problem.evaluate(point)
    return BinnedLogisticFit(
        intercept=float(point[0]),
        coefficients=tuple(point[part].copy() for part in problem.parts),
        values=tuple(problem.values(point)),
        iterations=iterations,
        objective=objective,
        gaps=tuple((problem.gap_slopes @ point).tolist()),
        kkt_residual=problem.residual(point, gradient),
    )


@dataclass(frozen=True, eq=False)
class _Problem:
    """The regression over the patterns of bins that occur, with shares of the total weight."""

    blocks: tuple[Block, ...]  # their index is that of the pattern
    adverse: Floats
    favourable: Floats
    ridge: float
    contrasts: Floats  # (gaps, patterns)
    strengths: Floats  # (gaps,)
    targets: Floats  # (gaps,)

    @classmethod
    def grouped(
        cls,
        blocks: Sequence[Block],
        y: npt.ArrayLike,
        weight: npt.ArrayLike | None,
        ridge: float,
        gaps: Sequence[ScoreGap],
    ) -> _Problem:
        n = len(np.asarray(y))
        lengths = {f"block {number}": len(block.index) for number, block in enumerate(blocks)}
        lengths |= {f"gap {number}": len(gap.contrast) for number, gap in enumerate(gaps)}
        for where, length in lengths.items():
            if length != n:
                raise InputError(
                    "the length differs from that of y", where=where, got=length, allowed=str(n), fix="pass every row"
                )
        _, first, pattern = np.unique(_joint_code(blocks, n), return_index=True, return_inverse=True)
        counts = bin_counts(pattern, len(first), y, weight)
        classes = counts.sum(axis=0)
        if not classes.all():
            raise InputError(
                "both outcomes are needed to fit",
                where="y and sample weights",
                got=f"weight {classes[0]:g} of outcome 0 and {classes[1]:g} of outcome 1",
                allowed="a positive weight of both",
                fix="pass rows of both outcomes, not all weighted 0",
            )
        seen = counts.any(axis=1)
        counts = counts[seen]
        merged = (Block(block.index[first[seen]], block.basis, block.lower, block.upper) for block in blocks)
        shares = counts / counts.sum()
        weighs = 1.0 if weight is None else np.asarray(weight) > 0
        contrasts = [exact_bincount(pattern, gap.contrast * weighs, len(first))[seen] for gap in gaps]
        return cls(
            tuple(merged),
            shares[:, 0].copy(),
            shares[:, 1].copy(),
            ridge,
            np.array(contrasts).reshape(len(gaps), len(shares)),
            np.array([gap.strength for gap in gaps]),
            np.array([gap.target for gap in gaps]),
        )

    @functools.cached_property
    def parts(self) -> list[slice]:
        """Where every block's coefficients stand; the intercept is entry 0."""
        return _slices([block.basis.shape[1] for block in self.blocks])

    @functools.cached_property
    def bins(self) -> list[slice]:
        return _slices([block.n_bins for block in self.blocks])

    @functools.cached_property
    def basis(self) -> Floats:
        matrix: Floats = block_diag(np.ones((1, 1)), *[block.basis for block in self.blocks])
        return matrix

    @functools.cached_property
    def penalty(self) -> Floats:
        penalised = self.basis.copy()
        penalised[0, 0] = 0.0
        matrix: Floats = self.ridge * (penalised.T @ penalised)
        return matrix

    @functools.cached_property
    def gap_slopes(self) -> Floats:
        """(gaps, coefficients) by how much each coefficient moves each gap."""
        totals = [self._totals(contrast) for contrast in self.contrasts]
        slopes: Floats = np.array(totals).reshape(len(self.contrasts), len(self.basis)) @ self.basis
        return slopes

    @functools.cached_property
    def lower(self) -> Floats:
        return np.concatenate([[-np.inf], *(block.lower for block in self.blocks)])

    @functools.cached_property
    def upper(self) -> Floats:
        return np.concatenate([[np.inf], *(block.upper for block in self.blocks)])

    def start(self, init: BinnedLogisticFit | None) -> Floats:
        point = np.zeros(len(self.lower))
        point[0] = np.log(self.favourable.sum()) - np.log(self.adverse.sum())
        if init is not None:
            shapes = [len(part) for part in init.coefficients]
            if shapes != [part.stop - part.start for part in self.parts]:
                raise InputError(
                    "the earlier fit has other coefficients",
                    where="init",
                    got=shapes,
                    allowed="a fit of blocks of the same shape",
                    fix="leave init out",
                )
            point = np.concatenate([[init.intercept], *init.coefficients])
        return np.clip(point, self.lower, self.upper)

    def values(self, point: Floats) -> Iterator[Floats]:
        for block, part in zip(self.blocks, self.parts, strict=True):
            # Added in the order of the columns: rounding is monotone, so steps of one sign give monotone values.
            yield np.cumsum(block.basis * point[part], axis=1)[:, -1]

    def log_odds(self, point: Floats) -> Floats:
        """Log-odds of every pattern; as it is linear, also the change of log-odds that a step makes."""
        total = np.full(len(self.adverse), point[0])
        for block, values in zip(self.blocks, self.values(point), strict=True):
            total += values[block.index]
        return total

    def evaluate(self, point: Floats) -> tuple[float, Floats, Floats]:
        """Objective, its gradient, and the curvature share · p · (1 − p) of every pattern."""
        log_odds = self.log_odds(point)
        # p and 1 − p are each computed without a subtraction, so that rare outcomes keep all their digits.
        odds = np.exp(-np.abs(log_odds))
        likely, rare = 1.0 / (1.0 + odds), odds / (1.0 + odds)
        above = log_odds >= 0
        p, complement = np.where(above, likely, rare), np.where(above, rare, likely)
        rest = np.log1p(odds)
        loss = self.adverse @ (rest + np.maximum(log_odds, 0.0)) + self.favourable @ (rest - np.minimum(log_odds, 0.0))
        penalised, missed = self.penalty @ point, self.gap_slopes @ point - self.targets
        gradient = self.basis.T @ self._totals(self.adverse * p - self.favourable * complement) + penalised
        gradient += self.gap_slopes.T @ (self.strengths * missed)
        paid = 0.5 * point @ penalised + 0.5 * self.strengths @ missed**2
        curvature = (self.adverse + self.favourable) * likely * rare
        return float(loss + paid), gradient, curvature

    def hessian(self, curvature: Floats) -> Floats:
        table = np.zeros((len(self.basis), len(self.basis)))
        totals = self._totals(curvature)
        table[0, :] = table[:, 0] = totals
        np.fill_diagonal(table, totals)
        for (one, rows), (other, columns) in combinations(zip(self.blocks, self.bins, strict=True), 2):
            pairs = np.bincount(one.index * other.n_bins + other.index, curvature, one.n_bins * other.n_bins)
            table[rows, columns] = pairs.reshape(one.n_bins, other.n_bins)
            table[columns, rows] = table[rows, columns].T
        slopes = self.gap_slopes
        matrix: Floats = self.basis.T @ table @ self.basis + self.penalty
        matrix += slopes.T @ (self.strengths[:, None] * slopes)
        # Keeps it definite where the data leave coefficients undetermined; far too small to slow convergence.
        diagonal = matrix.diagonal()
        matrix[np.diag_indices_from(matrix)] += 1e-12 * np.where(diagonal > 0, diagonal, 1.0)
        return matrix

    def residual(self, point: Floats, gradient: Floats) -> float:
        projected = np.where(point <= self.lower, np.minimum(gradient, 0.0), gradient)
        projected = np.where(point >= self.upper, np.maximum(projected, 0.0), projected)
        return float(np.abs(np.where(self.lower < self.upper, projected, 0.0)).max())

    def _totals(self, per_pattern: Floats) -> Floats:
        tables = (np.bincount(block.index, per_pattern, block.n_bins) for block in self.blocks)
        return np.concatenate([[per_pattern.sum()], *tables])


def _newton(problem: _Problem, point: Floats, tol: float, max_iter: int) -> tuple[Floats, int]:
    objective, gradient, curvature = problem.evaluate(point)
    residual = problem.residual(point, gradient)
    refinements = 0
    for iteration in range(1, max_iter + 1):
        hessian = problem.hessian(curvature)
        step = minimise_box_quadratic(hessian, gradient, problem.lower, problem.upper, point) - point
        # The step estimates the error of the point; Newton squares it, so after a small one nothing is left to gain.
        refinements += residual <= tol
        done = refinements > 0 and (np.abs(step).max() <= _SMALL_STEP or refinements == _MOST_REFINEMENTS)
        # Where the log-odds are extreme, the curvature vanishes and the step means nothing but its direction.
        longest = _LONGEST_STEP / max(float(np.abs(problem.log_odds(step)).max()), _LONGEST_STEP)
        for halvings in range(_MOST_HALVINGS):
            share = longest * 0.5**halvings
            trial = np.clip(point + share * step, problem.lower, problem.upper)
            new_objective, new_gradient, new_curvature = problem.evaluate(trial)
            # The slack covers the rounding error of a long sum, within which no better point can be told.
            if new_objective <= objective + 1e-4 * share * float(gradient @ step) + 1e-12 * max(1.0, objective):
                break
        new_residual = problem.residual(trial, new_gradient)
        if done:
            return (trial, iteration) if new_residual <= residual else (point, iteration - 1)
        point, objective, residual = trial, new_objective, new_residual
        gradient, curvature = new_gradient, new_curvature
    if residual <= tol:
        return point, max_iter
    raise InputError(
        f"no solution within {max_iter} iterations",
        where="logistic regression",
        got=f"a KKT residual of {residual:.3g}",
        allowed=f"at most tol = {tol:g}",
        fix="raise max_iter, or raise ridge if some bins hold one outcome only",
    )


def _joint_code(blocks: Sequence[Block], n: int) -> npt.NDArray[np.int64]:
    """Number the rows' combinations of bins, in the order of the bins."""
    code, size = np.zeros(n, dtype=np.int64), 1
    for block in blocks:
        if size * block.n_bins > _CODE_LIMIT:
            distinct, code = np.unique(code, return_inverse=True)
            size = len(distinct)
        code = code * block.n_bins + block.index
        size *= block.n_bins
    return code


def _slices(lengths: Sequence[int]) -> list[slice]:
    ends = np.cumsum([1, *lengths]).tolist()
    return [slice(start, stop) for start, stop in pairwise(ends)]


@functools.cache
def _blas() -> ThreadpoolController:
    # Finding the loaded libraries takes longer than a small fit, so it is done once a process.
    return ThreadpoolController()
