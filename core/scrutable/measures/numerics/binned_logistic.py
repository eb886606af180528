"""Logistic regression over binned characteristics, with bounds on its coefficients, solved exactly on counts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from scrutable.data.coded_rows import CodedRows
from scrutable.errors import InputError
from scrutable.measures.numerics.binned_problem import BinnedProblem
from scrutable.measures.numerics.blocks import Block, one_hot_block, woe_block
from scrutable.measures.numerics.problem_forms import problem_of
from scrutable.measures.numerics.score_gap import ScoreGap

__all__ = ["BinnedLogisticFit", "Block", "ScoreGap", "fit_binned_logistic", "one_hot_block", "woe_block"]

Floats = npt.NDArray[np.float64]

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
    rows: CodedRows,
    *,
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

    Rows are only added up, pass by pass, so the result is the same to the last bit for any order of the rows and
    wherever they live, and for a weight of 2 as for a row given twice. Each Newton step minimises the quadratic model
    within the bounds (`minimise_box_quadratic`) and is cut by a line search. What is kept in memory is a table of the
    bins, or where there are more blocks than rows one of the rows (`problem_of`).

    Parameters
    ----------
    blocks : the characteristics; none gives the intercept alone.
    rows : the bin of each row in every block, with outcomes of 1 (favourable) or 0.
    ridge : strength of the penalty, 0 or more; at 0 separated bins have no finite solution.
    tol : largest entry allowed in the projected gradient. Up to three more Newton steps follow, since at that point
        the values themselves are only known to about tol / ridge.
    max_iter : Newton steps allowed before giving up.
    init : an earlier fit of blocks of the same shape to start from.
    gaps : what else is paid for.

    Raises
    ------
    InputError : one class only, blocks of other bins than the rows', parameters out of range, sizes that would take
        too much memory, or no solution within `max_iter` (the message names the residual).

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> rows = CodedArrays([np.array([0, 0, 0, 1, 1, 1])], [2], np.array([1.0, 0, 0, 1, 1, 0]), np.ones(6))
    >>> fit = fit_binned_logistic([one_hot_block(2)], rows)
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
    problem = problem_of(blocks, rows, ridge, gaps)
    start = None if init is None else [np.array([init.intercept]), *init.coefficients]
    with _blas().limit(limits=1, user_api="blas"):
        point, iterations = _newton(problem, problem.start(start), tol, max_iter)
        objective, gradient, _ = problem.evaluate(point, curved=False)
    return BinnedLogisticFit(
        intercept=float(point[0]),
        coefficients=tuple(point[part].copy() for part in problem.parts),
        values=tuple(problem.values(point)),
        iterations=iterations,
        objective=objective,
        gaps=tuple((problem.gap_slopes @ point).tolist()),
        kkt_residual=problem.residual(point, gradient),
    )


def _newton(problem: BinnedProblem[Floats], point: Floats, tol: float, max_iter: int) -> tuple[Floats, int]:
    now = problem.evaluate(point)
    residual = problem.residual(point, now.gradient)
    refinements = 0
    for iteration in range(1, max_iter + 1):
        if now.curvature is None:
            now = problem.evaluate(point)
        assert now.curvature is not None
        step = problem.step(point, now.gradient, now.curvature)
        # The step estimates the error of the point; Newton squares it, so after a small one nothing is left to gain.
        refinements += residual <= tol
        done = refinements > 0 and (np.abs(step).max() <= _SMALL_STEP or refinements == _MOST_REFINEMENTS)
        # Where the log-odds are extreme, the curvature vanishes and the step means nothing but its direction.
        longest = _LONGEST_STEP / max(problem.farthest(step), _LONGEST_STEP)
        for halvings in range(_MOST_HALVINGS):
            share = longest * 0.5**halvings
            trial = np.clip(point + share * step, problem.lower, problem.upper)
            then = problem.evaluate(trial, curved=not done and not halvings)
            # The slack covers the rounding error of a long sum, within which no better point can be told.
            slack = 1e-4 * share * float(now.gradient @ step) + 1e-12 * max(1.0, now.objective)
            if then.objective <= now.objective + slack:
                break
        then_residual = problem.residual(trial, then.gradient)
        if done:
            return (trial, iteration) if then_residual <= residual else (point, iteration - 1)
        point, now, residual = trial, then, then_residual
    if residual <= tol:
        return point, max_iter
    raise InputError(
        f"no solution within {max_iter} iterations",
        where="logistic regression",
        got=f"a KKT residual of {residual:.3g}",
        allowed=f"at most tol = {tol:g}",
        fix="raise max_iter, or raise ridge if some bins hold one outcome only",
    )


@functools.cache
def _blas() -> ThreadpoolController:
    # Finding the loaded libraries takes longer than a small fit, so it is done once a process.
    return ThreadpoolController()
