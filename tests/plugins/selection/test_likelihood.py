"""The likelihood of codes beside one of rows, and its maximum beside general minimisers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize
from tests.plugins.selection.coded import Coded, drawn

from scrutable.errors import InputError
from scrutable.measures.numerics import one_hot_block
from scrutable_selection.concordance import least_rise, most_fall, reach
from scrutable_selection.likelihood import CodedLikelihood
from scrutable_selection.maximum import maximum

PROVEN = settings(deadline=None, derandomize=True, max_examples=30)
SEEDS = st.integers(0, 10**6)


def by_rows(case: Coded, point: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Log-loss, gradient and Hessian of rows."""
    log_odds = case.design @ point
    p = 1 / (1 + np.exp(-log_odds))
    loss = case.weight @ np.logaddexp(0.0, np.where(case.y == 1, -log_odds, log_odds))
    curvature = case.weight * p * (1 - p)
    return loss, case.design.T @ (case.weight * (p - case.y)), (case.design.T * curvature) @ case.design


@PROVEN
@given(SEEDS)
def test_it_is_the_likelihood_of_the_rows(seed: int) -> None:
    case = drawn(seed, degenerate=seed % 2 == 0)
    point = np.random.default_rng(seed).normal(size=1 + len(case.woe))
    for one, other in zip(case.likelihood.at(point[0], point[1:]), by_rows(case, point), strict=True):
        assert np.allclose(one, other, rtol=1e-10, atol=1e-9)
    loss, gradient = case.likelihood.gradient(point[0], point[1:])
    assert (loss, gradient.tolist()) == (
        case.likelihood.at(point[0], point[1:])[0],
        case.likelihood.at(point[0], point[1:])[1].tolist(),
    )
    assert case.likelihood.weight == pytest.approx(case.weight.sum(), rel=1e-14)
    assert np.array_equal(case.likelihood.ranges, [[each.min(), each.max()] for each in case.design.T[1:]])


@PROVEN
@given(SEEDS)
def test_a_part_is_the_whole_with_zeros_elsewhere_in_the_order_asked_for(seed: int) -> None:
    case = drawn(seed)
    rng = np.random.default_rng(seed)
    members = rng.permutation(len(case.woe))[:2].tolist()
    values, whole = rng.normal(size=2), np.zeros(len(case.woe))
    whole[members] = values
    loss, gradient, hessian = case.likelihood.only(members).at(0.3, values)
    full = case.likelihood.at(0.3, whole)
    some = [0, *(1 + each for each in members)]
    assert loss == pytest.approx(full[0], rel=1e-12)
    assert np.allclose(gradient, full[1][some], rtol=1e-10, atol=1e-10)
    assert np.allclose(hessian, full[2][np.ix_(some, some)], rtol=1e-9, atol=1e-9)
    assert case.likelihood.only(members).names == tuple(f"x{each}" for each in members)


def test_rows_in_any_order_and_merged_rows_give_the_same_bits() -> None:
    case = drawn(5, rows=400)
    order = np.random.default_rng(1).permutation(400)
    good = case.weight * case.y
    bad = case.weight - good
    again = CodedLikelihood.of_woe(case.likelihood.names, case.codes[:, order], case.woe, good[order], bad[order])
    point = np.arange(len(case.woe)) / 7
    one, other = case.likelihood.at(0.1, point), again.at(0.1, point)
    assert (one[0], one[1].tolist(), one[2].tolist()) == (other[0], other[1].tolist(), other[2].tolist())


@PROVEN
@given(SEEDS, st.booleans())
def test_the_maximum_is_that_of_a_general_minimiser(seed: int, nonnegative: bool) -> None:
    case = drawn(seed, degenerate=seed % 3 == 0)
    best = maximum(case.likelihood, nonnegative=nonnegative)
    bounds = [(None, None)] + [(0 if nonnegative else None, None)] * len(case.woe)
    tried = minimize(
        lambda point: by_rows(case, point)[:2], np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5000},
    )  # fmt: skip
    assert best.log_loss <= tried.fun + 1e-9
    assert best.log_loss == pytest.approx(tried.fun, abs=1e-5)
    point = np.array([best.intercept, *best.coefficients])
    loss, gradient, _ = by_rows(case, point)
    assert best.log_loss == pytest.approx(loss, rel=1e-11)
    pulled = np.where((point == 0) & nonnegative, np.minimum(gradient, 0), gradient)
    assert np.abs(pulled).max() < 1e-5 * loss
    assert np.allclose(best.gradient, gradient, atol=1e-5 * loss)
    assert not nonnegative or (best.coefficients >= 0).all()


def test_separated_outcomes_end_near_a_log_loss_of_zero() -> None:
    woe = [np.array([2.0, -2.0])]
    likelihood = CodedLikelihood.of_woe(["x"], np.array([[0, 1]]), woe, np.array([5.0, 0.0]), np.array([0.0, 5.0]))
    assert maximum(likelihood).log_loss < 1e-7


@PROVEN
@given(SEEDS)
def test_the_log_loss_keeps_to_its_bounds(seed: int) -> None:
    case = drawn(seed, rows=120)
    rng = np.random.default_rng(seed)
    best = maximum(case.likelihood)
    point = np.array([best.intercept, *best.coefficients])
    _, _, hessian = by_rows(case, point)
    reached = reach(hessian, case.likelihood.ranges)
    rows = np.einsum("ij,ij->i", case.design, np.linalg.solve(hessian, case.design.T).T)
    assert reached >= np.sqrt(rows.max())
    for size in (0.01, 0.3, 2.0):
        step = size * rng.normal(size=len(point))
        distance = np.sqrt(step @ hessian @ step)
        away, slope, curvature = by_rows(case, point + step)
        assert away - best.log_loss >= least_rise(distance, reached) - 1e-9
        score = np.sqrt(slope @ np.linalg.solve(curvature, slope))
        assert away - best.log_loss <= most_fall(score, reach(curvature, case.likelihood.ranges)) + 1e-9


def test_columns_of_a_characteristic_come_and_go_together() -> None:
    case = drawn(3)
    blocks = [one_hot_block(len(woe)) for woe in case.woe]
    good = case.weight * case.y
    likelihood = CodedLikelihood.of(case.likelihood.names, blocks, case.codes, good, case.weight - good)
    assert likelihood.widths == tuple(len(woe) for woe in case.woe)
    part = likelihood.only([2, 0])
    assert part.widths == (len(case.woe[2]), len(case.woe[0]))
    point = np.random.default_rng(0).normal(size=sum(part.widths))
    assert check_grad(lambda x: part.at(0.0, x)[0], lambda x: part.at(0.0, x)[1][1:], point) < 1e-4


def test_what_does_not_fit_is_refused() -> None:
    one = np.ones(1)
    with pytest.raises(InputError, match="names and characteristics differ in number"):
        CodedLikelihood.of_woe(["a", "b"], np.array([[0]]), [one], one, one)
