"""The dense fit beside a general convex solver, and its strengths beside their equation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.plugins.additive.problems import drawn

from scrutable_additive.dense import TOLERANCE, dense_fit
from scrutable_additive.families import Bernoulli
from scrutable_additive.smoothing import RIDGE, cost, slopes
from scrutable_additive.tallies import Rows


@pytest.mark.parametrize("seed", range(50))
def test_it_is_the_minimum_that_a_general_solver_finds(seed: int) -> None:
    problem = drawn(seed, 120)
    rows, fit = problem.rows, dense_fit(problem.rows, problem.penalties)
    assert fit.kkt_residual <= TOLERANCE
    penalties = [each for block in fit.penalties for each in block]

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        reached = rows.at(point[1:], float(point[0]))
        gradient = np.concatenate(
            [[-reached.residual.sum()], slopes(penalties, point[1:]) - rows.by_bin(reached.residual)]
        )
        return reached.loss + cost(penalties, point[1:]), gradient

    solved = minimize(
        objective, np.zeros(rows.size + 1), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000}
    )
    ours, _ = objective(np.concatenate([[fit.intercept], fit.values]))
    assert ours <= solved.fun + 1e-9 * abs(solved.fun)
    np.testing.assert_allclose(fit.values, solved.x[1:], atol=1e-4)


def test_a_fit_of_some_blocks_that_begins_where_another_ended_is_their_minimum() -> None:
    problem = drawn(2, 1000)
    whole = dense_fit(problem.rows, problem.penalties, tolerance=1e-4)
    kept = [place for place in range(len(problem.features)) if place != 1]
    bins = np.concatenate([np.arange(problem.rows.size)[problem.layouts[place].bins] for place in kept])
    some = problem.learned(whole).only(kept)
    warm = dense_fit(some.rows, some.penalties, whole.start(bins), estimating=0)
    cold = dense_fit(some.rows, some.penalties, estimating=0)
    np.testing.assert_allclose(warm.values, cold.values, atol=1e-6)
    np.testing.assert_allclose(warm.curvature.alone, cold.curvature.alone, rtol=1e-2, atol=1e-2)
    again = dense_fit(some.rows, warm.penalties, warm.further, estimating=0)
    assert again.loss == pytest.approx(warm.loss, rel=1e-12)


def test_without_any_block_there_is_an_intercept() -> None:
    problem = drawn(2, 200).only([])
    fit = dense_fit(problem.rows, problem.penalties)
    assert fit.curvature.alone.shape == (0, 0)
    good = problem.rows.target @ problem.rows.weight / problem.rows.weight.sum()
    assert fit.intercept == pytest.approx(np.log(good / (1 - good)))


def test_strengths_solve_their_equation_once_they_have_settled() -> None:
    problem = drawn(1, 2000)
    fit = dense_fit(problem.rows, problem.penalties, estimating=200)
    for each in (penalty for block in fit.penalties for penalty in block):
        own = fit.curvature.alone[each.bins, each.bins]
        values, size = fit.values[each.bins], len(each.matrix)
        covariance = np.linalg.inv(own + each.strength * each.matrix + RIDGE * np.eye(size))
        determined = each.rank - each.strength * np.trace(covariance @ each.matrix)
        parameters, variance = each.known
        spread = values @ each.matrix @ values + parameters * variance
        assert each.strength * spread == pytest.approx(determined + parameters, rel=1e-2)


@pytest.mark.parametrize("n_rows", [5, 60, 1000])
def test_sums_by_pair_are_exact_however_many_blocks_are_read_together(n_rows: int) -> None:
    draw, widths = np.random.default_rng(n_rows), [2, 3, 1, 4, 40, 2, 2, 5]
    blocks = [draw.integers(0, width, n_rows) for width in widths]
    rows = Rows(blocks, np.cumsum([0, *widths]), np.ones(n_rows), np.ones(n_rows), Bernoulli())
    member = np.concatenate([np.eye(width)[block] for block, width in zip(blocks, widths, strict=True)], axis=1)
    amounts = draw.integers(1, 2**30, n_rows).astype(float)
    np.testing.assert_array_equal(rows.by_pair(amounts), member.T * amounts @ member)


def test_sums_are_those_of_a_matrix_of_indicators() -> None:
    rows = drawn(3).rows
    member = np.concatenate(
        [np.eye(size)[block] for block, size in zip(rows.blocks, np.diff(rows.starts), strict=True)], 1
    )
    point = rows.at(np.linspace(-1, 1, rows.size), 0.3)
    np.testing.assert_allclose(rows.by_pair(point.curvature), member.T * point.curvature @ member, atol=1e-11)
    np.testing.assert_allclose(rows.by_bin(point.residual), member.T @ point.residual, atol=1e-12)
    np.testing.assert_allclose(rows.score(np.arange(rows.size, dtype=float), 2.0), member @ np.arange(rows.size) + 2.0)


def test_the_order_of_the_rows_changes_no_bit() -> None:
    problem = drawn(5)
    rows, order = problem.rows, np.random.default_rng(1).permutation(300)
    blocks = [block[order] for block in rows.blocks]
    shuffled = Rows(blocks, rows.starts, rows.target[order], rows.weight[order], rows.family)
    first, again = (dense_fit(each, problem.penalties) for each in (rows, shuffled))
    assert first.values.tobytes() == again.values.tobytes()
    assert first.curvature.alone.tobytes() == again.curvature.alone.tobytes()
    assert (first.intercept, first.loss) == (again.intercept, again.loss)


@pytest.mark.parametrize("seed", range(20))
def test_scores_that_tell_the_classes_apart_have_an_area_of_one_whatever_the_weights(seed: int) -> None:
    score, weight = np.arange(200.0), np.random.default_rng(seed).uniform(0.2, 3, 200).round(2)
    area = Bernoulli().merit(score, (score > 100).astype(float), weight)
    assert area <= 1
    assert area == pytest.approx(1)
