"""The dense fit beside a general convex solver, and its strengths beside their equation."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.plugins.additive.problems import drawn, every_row, in_memory, indicators

from scrutable.data import coded_rows, whole_sums
from scrutable_additive.dense import TOLERANCE, dense_fit
from scrutable_additive.families import Bernoulli
from scrutable_additive.measuring import OddsMeasure
from scrutable_additive.smoothing import RIDGE, cost, slopes


@pytest.mark.parametrize("seed", range(50))
def test_it_is_the_minimum_that_a_general_solver_finds(seed: int) -> None:
    problem = drawn(seed, 120)
    rows, fit = problem.rows, dense_fit(problem.rows, problem.penalties)
    assert fit.kkt_residual <= TOLERANCE
    penalties = [each for block in fit.penalties for each in block]

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        reached = rows.at(point[1:], float(point[0]))
        gradient = np.concatenate([[-reached.upwards], slopes(penalties, point[1:]) - reached.residual])
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
    rows = every_row(problem.rows)
    good = rows.target @ rows.weight / rows.weight.sum()
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


def test_sums_are_those_of_a_matrix_of_indicators() -> None:
    rows = drawn(3).rows
    member, values, every = indicators(rows), np.linspace(-1, 1, rows.size), every_row(rows)
    losses, point = rows.losses(every, values, 0.3), rows.at(values, 0.3)
    lost, residual, curvature = (every.weight * own for own in (losses.lost, losses.residual, losses.curvature))
    np.testing.assert_allclose(rows.curvature(values, 0.3), member.T * curvature @ member, atol=1e-11)
    np.testing.assert_allclose(point.curvature, member.T @ curvature, atol=1e-11)
    np.testing.assert_allclose(point.residual, member.T @ residual, atol=1e-12)
    sums = [lost.sum(), residual.sum(), curvature.sum()]
    np.testing.assert_allclose([point.loss, point.upwards, point.total], sums, atol=1e-11)
    scores = rows.scores(every, np.arange(rows.size, dtype=float), 2.0)
    np.testing.assert_allclose(scores, member @ np.arange(rows.size) + 2.0)


@pytest.mark.parametrize("factors", [(1.0, 1.0), (3.0, 0.5)])
def test_losses_are_those_of_logarithms(factors: tuple[float, float]) -> None:
    rows = replace(drawn(4).rows, family=Bernoulli(factors))
    values, bare = np.linspace(-3, 3, rows.size), every_row(rows)
    score, weight = rows.scores(bare, values, 0.3), np.where(bare.target > 0, factors[1], factors[0])
    p = 1 / (1 + np.exp(-score))
    losses = rows.losses(bare, values, 0.3)
    np.testing.assert_allclose(losses.lost, -weight * np.log(np.where(bare.target > 0, p, 1 - p)), rtol=1e-12)
    np.testing.assert_allclose(losses.residual, weight * (bare.target - p), rtol=1e-10)
    np.testing.assert_allclose(losses.curvature, weight * p * (1 - p), rtol=1e-10)
    bounds = rows.family.bounds(rows.farthest(values, 0.3))
    for own, bound in zip((losses.lost, losses.residual, losses.curvature), astuple(bounds), strict=True):
        assert (np.abs(own) <= bound).all()
    assert rows.amount == pytest.approx(weight @ bare.weight)


def test_the_order_of_the_rows_changes_no_bit() -> None:
    problem = drawn(5)
    rows, order = every_row(problem.rows), np.random.default_rng(1).permutation(300)
    sizes = np.diff(problem.rows.starts).tolist()
    shuffled = in_memory(list(rows.codes[:, order]), sizes, rows.target[order], rows.weight[order])
    first, again = (dense_fit(each, problem.penalties) for each in (problem.rows, shuffled))
    assert first.values.tobytes() == again.values.tobytes()
    assert first.curvature.alone.tobytes() == again.curvature.alone.tobytes()
    assert (first.intercept, first.loss) == (again.intercept, again.loss)


def test_a_weight_of_three_is_three_rows_to_the_last_bit() -> None:
    problem = drawn(7, 400, weighted=False)
    rows, sizes = every_row(problem.rows), np.diff(problem.rows.starts).tolist()
    often = np.random.default_rng(7).integers(1, 4, 400)
    weighed = in_memory(list(rows.codes), sizes, rows.target, often.astype(float))
    copies = np.repeat(np.arange(400), often)
    repeated = in_memory(list(rows.codes[:, copies]), sizes, rows.target[copies], np.ones(len(copies)))
    first, again = (dense_fit(each, problem.penalties) for each in (weighed, repeated))
    assert first.values.tobytes() == again.values.tobytes()
    assert first.curvature.alone.tobytes() == again.curvature.alone.tobytes()
    assert (first.intercept, first.loss) == (again.intercept, again.loss)


def test_chunks_and_machine_code_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = drawn(6, 500)
    first, values = dense_fit(problem.rows, problem.penalties), np.linspace(-1, 1, problem.rows.size)
    [before] = problem.rows.measures([(values, 0.1)])
    monkeypatch.setattr(coded_rows, "CHUNK", 64)
    for kernel in (whole_sums.add_by_bin, whole_sums.add_by_pair, coded_rows.add_values):
        monkeypatch.setattr(kernel, "_taken", 10**9)  # so that it is machine code from now on
    again = dense_fit(problem.rows, problem.penalties)
    [after] = problem.rows.measures([(values, 0.1)])
    assert first.values.tobytes() == again.values.tobytes()
    assert first.curvature.alone.tobytes() == again.curvature.alone.tobytes()
    assert (before.measured(), before.level()) == (after.measured(), after.level())


@pytest.mark.parametrize("seed", range(20))
def test_scores_that_tell_the_classes_apart_have_an_area_of_one_whatever_the_weights(seed: int) -> None:
    score, weight = np.arange(200.0), np.random.default_rng(seed).uniform(0.2, 3, 200).round(2)
    target = (score > 100).astype(float)
    measure = OddsMeasure(in_memory([], [], target, weight), 200.0)
    measure.add(score, target, weight)
    area = measure.merit()
    assert area <= 1
    assert area == pytest.approx(1)
