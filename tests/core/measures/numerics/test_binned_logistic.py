from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize
from sklearn.linear_model import LogisticRegression

from scrutable.data import CodedArrays
from scrutable.errors import InputError
from scrutable.measures.numerics.binned_logistic import (
    BinnedLogisticFit,
    Block,
    fit_binned_logistic,
    one_hot_block,
    woe_block,
)
from scrutable.measures.numerics.counts import bin_counts, weight_of_evidence

PROVEN = settings(deadline=None, derandomize=True, max_examples=80)
SEEDS = st.integers(0, 10**6)


class Case(NamedTuple):
    """Random rows and blocks; the last bin of each block is unordered, some bins are empty and some separated."""

    indices: list[np.ndarray]
    blocks: list[Block]
    trends: list[str | None]
    y: np.ndarray
    weight: np.ndarray

    @property
    def rows(self) -> CodedArrays:
        return coded(self.indices, self.blocks, self.y, self.weight)


def coded(indices, blocks, y, weight=None) -> CodedArrays:
    """Rows by their bins."""
    y = np.asarray(y, dtype=np.float64)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    return CodedArrays([np.asarray(index) for index in indices], [block.n_bins for block in blocks], y, weight)


def fit_one(block: Block, index, y, weight=None, **options) -> BinnedLogisticFit:
    return fit_binned_logistic([block], coded([index], [block], y, weight), **options)


def random_case(seed, *, n=150, whole_weights=False):
    rng = np.random.default_rng(seed)
    indices, trends, sizes = [], [], []
    log_odds = np.full(n, 0.3)
    for _ in range(rng.integers(1, 5)):
        size = int(rng.integers(2, 8))
        used = rng.choice(size, rng.integers(1, size + 1), replace=False)
        indices.append(rng.choice(used, n))
        sizes.append(size)
        trends.append([None, "ascending", "descending"][rng.integers(3)])
        log_odds += rng.normal(size=size)[indices[-1]]
    y = (rng.random(n) < 1 / (1 + np.exp(-log_odds))).astype(int)
    y[indices[0] == indices[0][0]] = rng.integers(2)  # a bin with one outcome
    y[:2] = indices[0][:2] = (0, 1)  # and still both outcomes overall
    weight = rng.integers(0, 4, n).astype(float) if whole_weights else rng.random(n) + 0.01
    weight[:2] = 1.0
    blocks = [
        one_hot_block(size, trend=trend, ordered=range(size - 1)) if trend else one_hot_block(size)
        for size, trend in zip(sizes, trends, strict=True)
    ]
    return Case(indices, blocks, trends, y, weight)


def dense_objective(design, penalised, y, weight, ridge):
    """Mean log-loss plus ridge on a dense matrix whose first column is the intercept, and its gradient."""
    share = weight / weight.sum()

    def both(x):
        log_odds = design @ x
        loss = share @ np.logaddexp(0.0, np.where(y == 1, -log_odds, log_odds))
        pull = design.T @ (share * (1 / (1 + np.exp(-log_odds)) - y))
        return loss + 0.5 * ridge * np.sum((penalised @ x) ** 2), pull + ridge * penalised.T @ (penalised @ x)

    return both


def dense_coefficient_problem(case, ridge):
    n = len(case.y)
    design = np.hstack(
        [np.ones((n, 1)), *(block.basis[index] for block, index in zip(case.blocks, case.indices, strict=True))]
    )
    rows = []
    for i, block in enumerate(case.blocks):
        parts = [np.zeros((block.n_bins, other.basis.shape[1])) for other in case.blocks]
        parts[i] = block.basis
        rows.append(np.hstack([np.zeros((block.n_bins, 1)), *parts]))
    bounds = [(None, None)]
    for block in case.blocks:
        bounds += list(zip(block.lower, block.upper, strict=True))
    return dense_objective(design, np.vstack(rows), case.y, case.weight, ridge), bounds


def parameters(fit):
    return np.concatenate([[fit.intercept], *fit.coefficients])


def all_values(fit):
    return np.concatenate([[fit.intercept], *fit.values])


@PROVEN
@given(seed=SEEDS, ridge=st.sampled_from([1e-8, 1e-6, 1e-3, 0.1]))
def test_optimality_conditions_hold_by_a_dense_computation(seed, ridge):
    case = random_case(seed)
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=ridge)
    both, bounds = dense_coefficient_problem(case, ridge)
    x = parameters(fit)
    objective, gradient = both(x)
    for value, slope, (low, high) in zip(x, gradient, bounds, strict=True):
        assert low is None or value >= low
        assert high is None or value <= high
        down = slope > 0 and value == low
        up = slope < 0 and value == high
        assert abs(slope) <= 1e-9 or down or up
    assert fit.kkt_residual <= 1e-9
    assert fit.objective == pytest.approx(objective, rel=1e-12)
    assert np.isfinite(x).all()


@PROVEN
@given(seed=SEEDS)
def test_trends_hold_exactly_and_empty_free_bins_are_neutral(seed):
    case = random_case(seed)
    fit = fit_binned_logistic(case.blocks, case.rows)
    for index, trend, values in zip(case.indices, case.trends, fit.values, strict=True):
        steps = np.diff(values[:-1])
        assert trend != "ascending" or np.all(steps >= 0)
        assert trend != "descending" or np.all(steps <= 0)
        if trend is None:
            assert np.abs(np.delete(values, np.unique(index))).max(initial=0.0) <= 1e-9


@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_long_trends_of_uneven_steps_hold_exactly(trend):
    rng = np.random.default_rng(21)
    sign = 1 if trend == "ascending" else -1
    for bins in range(20, 60):
        index = rng.integers(0, bins, 1000)
        y = (rng.random(1000) < 1 / (1 + np.exp(-sign * (index / bins - 0.5) * 6))).astype(int)
        values = fit_one(one_hot_block(bins, trend=trend), index, y).values[0]
        assert np.all(sign * np.diff(values) >= 0)


@PROVEN
@given(seed=SEEDS)
def test_values_are_refined_beyond_a_loose_tolerance(seed):
    case = random_case(seed)
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=1e-3, tol=1e-4)
    exact = fit_binned_logistic(case.blocks, case.rows, ridge=1e-3, tol=1e-13)
    np.testing.assert_allclose(all_values(fit), all_values(exact), atol=1e-7)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(seed=SEEDS)
def test_equals_l_bfgs_b_on_the_dense_matrix(seed):
    case = random_case(seed)
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=1e-2)
    both, bounds = dense_coefficient_problem(case, 1e-2)
    other = minimize(
        both,
        np.zeros(len(bounds)),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-16, "gtol": 1e-11, "maxiter": 20_000, "maxfun": 40_000, "maxcor": 40},
    )
    assert fit.objective <= other.fun + 1e-12
    np.testing.assert_allclose(parameters(fit), other.x, atol=2e-5)


@settings(deadline=None, derandomize=True, max_examples=15)
@given(seed=SEEDS)
def test_equals_slsqp_with_trends_as_inequalities_on_plain_one_hot_values(seed):
    case = random_case(seed, n=80)
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=1e-2)
    columns = [
        np.ones((80, 1)),
        *(np.eye(block.n_bins)[index] for block, index in zip(case.blocks, case.indices, strict=True)),
    ]
    size = sum(column.shape[1] for column in columns)
    penalised = np.eye(size)[1:]
    rows, start = [], 1
    for block, trend in zip(case.blocks, case.trends, strict=True):
        for b in range(block.n_bins - 2 if trend else 0):
            row = np.zeros(size)
            row[start + b], row[start + b + 1] = (-1, 1) if trend == "ascending" else (1, -1)
            rows.append(row)
        start += block.n_bins
    constraints = [LinearConstraint(np.array(rows), 0, np.inf)] if rows else []
    other = minimize(
        dense_objective(np.hstack(columns), penalised, case.y, case.weight, 1e-2),
        np.zeros(size),
        jac=True,
        method="SLSQP",
        constraints=constraints,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert fit.objective <= other.fun + 1e-10
    np.testing.assert_allclose(all_values(fit), other.x, atol=1e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_equals_scikit_learn_on_weight_of_evidence_with_c_matched(weighted):
    rng = np.random.default_rng(11)
    n, ridge = 800, 1e-3
    indices = [rng.integers(0, 6, n) for _ in range(3)]
    y = (rng.random(n) < 1 / (1 + np.exp(-(indices[0] - 2.5) * 0.4 + (indices[1] - 2.5) * 0.2))).astype(int)
    weight = rng.random(n) + 0.5 if weighted else np.ones(n)
    woes = [weight_of_evidence(bin_counts(index, 6, y, weight)) for index in indices]
    blocks = [woe_block(woe) for woe in woes]
    fit = fit_binned_logistic(blocks, coded(indices, blocks, y, weight), ridge=ridge)
    # The penalty is on the values of the bins, so a column of WoE is scaled by the length of its WoE vector.
    lengths = np.array([np.linalg.norm(woe) for woe in woes])
    x = np.column_stack([woe[index] for index, woe in zip(indices, woes, strict=True)]) / lengths
    other = LogisticRegression(C=1 / (ridge * weight.sum()), tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    other.fit(x, y, sample_weight=weight)
    np.testing.assert_allclose(np.concatenate(fit.coefficients), other.coef_[0] / lengths, rtol=1e-7)
    assert fit.intercept == pytest.approx(other.intercept_[0], rel=1e-7)


def test_equals_scikit_learn_on_one_hot_columns():
    rng = np.random.default_rng(12)
    indices = [rng.integers(0, 5, 600) for _ in range(2)]
    y = (rng.random(600) < 0.2 + 0.12 * indices[0]).astype(int)
    blocks = [one_hot_block(5)] * 2
    fit = fit_binned_logistic(blocks, coded(indices, blocks, y), ridge=1e-4)
    x = np.hstack([np.eye(5)[index] for index in indices])
    other = LogisticRegression(C=1 / (1e-4 * 600), tol=1e-12, max_iter=10_000, solver="newton-cholesky").fit(x, y)
    np.testing.assert_allclose(np.concatenate(fit.values), other.coef_[0], atol=1e-7)


@PROVEN
@given(seed=SEEDS)
def test_order_of_rows_does_not_change_a_bit(seed):
    case = random_case(seed)
    order = np.random.default_rng(seed + 1).permutation(len(case.y))
    moved = coded([index[order] for index in case.indices], case.blocks, case.y[order], case.weight[order])
    fit = fit_binned_logistic(case.blocks, case.rows)
    again = fit_binned_logistic(case.blocks, moved)
    np.testing.assert_array_equal(parameters(again), parameters(fit))


@PROVEN
@given(seed=SEEDS)
def test_whole_weights_equal_repeated_rows_to_the_bit(seed):
    case = random_case(seed, whole_weights=True)
    times = case.weight.astype(int)
    repeated = coded([np.repeat(index, times) for index in case.indices], case.blocks, np.repeat(case.y, times))
    fit = fit_binned_logistic(case.blocks, case.rows)
    again = fit_binned_logistic(case.blocks, repeated)
    np.testing.assert_array_equal(parameters(again), parameters(fit))


@PROVEN
@given(seed=SEEDS)
def test_values_depend_neither_on_the_basis_nor_on_the_start(seed):
    case = random_case(seed)
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=1e-4)
    rng = np.random.default_rng(seed)
    mixed = []
    for block, trend in zip(case.blocks, case.trends, strict=True):
        random = rng.normal(size=(block.n_bins, block.n_bins)) + 3 * np.eye(block.n_bins)
        turn = np.eye(block.n_bins) if trend else random
        mixed.append(Block(block.basis @ turn, block.lower, block.upper))
    again = fit_binned_logistic(mixed, case.rows, ridge=1e-4)
    np.testing.assert_allclose(all_values(again), all_values(fit), atol=1e-6)
    other_labels = fit_binned_logistic(case.blocks, coded(case.indices, case.blocks, 1 - case.y, case.weight))
    warm = fit_binned_logistic(case.blocks, case.rows, ridge=1e-4, init=other_labels)
    np.testing.assert_allclose(all_values(warm), all_values(fit), atol=1e-7)
    assert fit_binned_logistic(case.blocks, case.rows, ridge=1e-4, init=fit).iterations <= 1


def test_upper_and_lower_bounds_and_a_fixed_coefficient_hold():
    rng = np.random.default_rng(3)
    index = rng.integers(0, 3, 300)
    y = (rng.random(300) < np.array([0.1, 0.5, 0.9])[index]).astype(int)
    block = Block(np.eye(3), np.array([-0.5, 0.25, -np.inf]), np.array([np.inf, 0.25, 1.5]))
    fit = fit_one(block, index, y)
    assert fit.coefficients[0][1] == 0.25
    assert fit.coefficients[0][0] == -0.5
    assert fit.coefficients[0][2] == 1.5


def test_a_coefficient_kept_positive_ends_at_zero_where_the_data_pull_below():
    index = np.repeat([0, 1], 50)
    y = np.r_[np.repeat([0, 1], [10, 40]), np.repeat([0, 1], [40, 10])]
    assert fit_one(woe_block([-1.0, 1.0], sign="positive"), index, y).coefficients[0].tolist() == [0.0]
    assert fit_one(woe_block([1.0, -1.0], sign="positive"), index, y).coefficients[0][0] > 1


def test_separated_bins_are_finite_and_in_order():
    index = np.repeat([0, 1, 2], 30)
    y = np.r_[np.zeros(30, int), np.tile([0, 1], 15), np.ones(30, int)]
    fit = fit_one(one_hot_block(3, trend="ascending"), index, y)
    assert -20 < fit.values[0][0] < -5 < 5 < fit.values[0][2] < 20


def test_without_blocks_the_intercept_is_the_log_odds():
    fit = fit_binned_logistic([], coded([], [], [0, 1, 1, 1]))
    assert fit.intercept == pytest.approx(np.log(3), rel=1e-14)
    assert (fit.coefficients, fit.values) == ((), ())


def test_a_class_with_next_to_no_weight_is_still_a_class():
    fit = fit_one(one_hot_block(2), [0, 1, 1], [0, 1, 1], [1e-20, 1, 1])
    assert fit.intercept == pytest.approx(np.log(2e20), rel=1e-9)


def test_a_coefficient_that_nothing_determines_stays_at_zero():
    fit = fit_one(woe_block([0.0, 0.0]), [0, 0, 1, 1], [0, 1, 0, 1], ridge=0)
    assert fit.coefficients[0].tolist() == [0.0]


def test_more_combinations_than_an_integer_holds_are_told_apart():
    rng = np.random.default_rng(8)
    indices = rng.integers(0, 16, (30, 200))
    indices[14:] = 3  # 16 blocks of 16 bins fill 64 bits: a code that wraps around would forget the blocks before them
    y = np.tile([0, 1], 100)
    case = Case(list(indices), [one_hot_block(16)] * 30, [None] * 30, y, np.ones(200))
    fit = fit_binned_logistic(case.blocks, case.rows, ridge=0.01)
    objective, gradient = dense_coefficient_problem(case, 0.01)[0](parameters(fit))
    assert fit.objective == pytest.approx(objective, rel=1e-12)
    assert np.abs(gradient).max() <= 1e-9


def test_running_out_of_iterations_names_the_residual():
    case = random_case(1)
    with pytest.raises(InputError, match=r"no solution within 1 iterations; got 'a KKT residual of .*tol = 1e-09"):
        fit_binned_logistic(case.blocks, case.rows, max_iter=1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"y": [1, 1, 1]}, r"both outcomes are needed to fit; got 'weight 0 of outcome 0 and 3 of outcome 1'"),
        ({"weight": [0, 0, 0]}, r"both outcomes are needed to fit; got 'weight 0 of outcome 0 and 0 of outcome 1'"),
        ({"weight": [0, 1, 0]}, r"weight 0 of outcome 0 and 1 of outcome 1"),
        ({"y": [0, 1, 2]}, r"y: an outcome is neither class; got 2"),
        (
            {"blocks": [one_hot_block(3)]},
            r"blocks: the numbers of bins differ from those of the rows; got \[3\]; allowed: \[2\]",
        ),
        ({"ridge": -1.0}, r"a parameter of the solver is out of range; got \(-1\.0, 1e-09, 100\)"),
        ({"tol": 0.0}, r"out of range"),
        ({"max_iter": 0}, r"out of range"),
        (
            {"init": fit_binned_logistic([], coded([], [], [0, 1]))},
            r"init: the earlier fit has other coefficients; got \[\]",
        ),
    ],
)
def test_bad_input_is_named(arguments, text):
    blocks = [one_hot_block(2)]
    rows = coded([[0, 1, 1]], blocks, arguments.pop("y", [0, 1, 1]), arguments.pop("weight", None))
    with pytest.raises(InputError, match=text):
        fit_binned_logistic(**({"blocks": blocks, "rows": rows} | arguments))
