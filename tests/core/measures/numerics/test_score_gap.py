"""A penalised gap: what it is, what a second solver says, and what it buys."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from scrutable.data import CodedArrays
from scrutable.errors import InputError
from scrutable.measures.numerics.binned_logistic import ScoreGap, fit_binned_logistic, one_hot_block

N = 400


def case(seed: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Rows whose groups differ, in two blocks, the first of which must rise."""
    rng = np.random.default_rng(seed)
    group = rng.random(N) < 0.4
    indices = [np.clip(rng.integers(0, 4, N) + group, 0, 4), rng.integers(0, 3, N)]
    y = rng.random(N) < 1 / (1 + np.exp(1.5 - 0.6 * indices[0] - 0.3 * indices[1]))
    return indices, y.astype(float), group, rng.random(N) + 0.1


BLOCKS = [one_hot_block(5, trend="ascending"), one_hot_block(3)]


def by_bin(indices: list[np.ndarray], weight: np.ndarray) -> list[np.ndarray]:
    """For each block the weight of each bin."""
    pairs = zip(indices, BLOCKS, strict=True)
    return [np.bincount(index, weight, block.n_bins) for index, block in pairs]


def gap_of(
    indices: list[np.ndarray], one: np.ndarray, other: np.ndarray, strength: float, target: float = 0.0
) -> ScoreGap:
    return ScoreGap.of_means(by_bin(indices, one), by_bin(indices, other), strength, target)


def log_odds(fit, indices):
    return fit.intercept + sum(values[index] for values, index in zip(fit.values, indices, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_a_second_solver_finds_no_lower_objective(seed: int) -> None:
    indices, y, group, weight = case(seed)
    gap = gap_of(indices, weight * group, weight * ~group, 0.7, target=0.2)
    fit = fit_binned_logistic(BLOCKS, CodedArrays(indices, [5, 3], y, weight), ridge=1e-3, gaps=[gap])
    designs = [block.basis[index] for block, index in zip(BLOCKS, indices, strict=True)]
    share = weight / weight.sum()
    contrast = weight * group / weight[group].sum() - weight * ~group / weight[~group].sum()

    def objective(x):
        steps, free = x[1:6], x[6:]
        values = [BLOCKS[0].basis @ steps, free]
        score = x[0] + designs[0] @ steps + designs[1] @ free
        loss = share @ np.logaddexp(0.0, np.where(y == 1, -score, score))
        return loss + 0.5e-3 * sum(v @ v for v in values) + 0.35 * (contrast @ score - 0.2) ** 2

    bounds = [(None, None)] * 2 + [(0, None)] * 4 + [(None, None)] * 3
    options = {"maxiter": 10000, "ftol": 1e-15}
    other = minimize(objective, np.zeros(9), method="L-BFGS-B", bounds=bounds, options=options)
    assert fit.objective <= other.fun + 1e-10
    assert fit.objective == pytest.approx(objective(np.concatenate([[fit.intercept], *fit.coefficients])), abs=1e-12)
    assert fit.kkt_residual <= 1e-9


def test_the_gap_is_the_difference_of_the_groups_mean_log_odds_and_falls_with_its_price() -> None:
    indices, y, group, weight = case(9)
    rows = CodedArrays(indices, [5, 3], y, weight)
    found = []
    for strength in (0.0, 0.1, 1.0, 100.0):
        gap = gap_of(indices, weight * group, weight * ~group, strength)
        fit = fit_binned_logistic(BLOCKS, rows, gaps=[gap])
        score = log_odds(fit, indices)
        direct = np.average(score[group], weights=weight[group]) - np.average(score[~group], weights=weight[~group])
        assert fit.gaps == (pytest.approx(direct, abs=1e-12),)
        found.append(abs(direct))
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.3
    assert found[-1] < 0.01


def test_the_order_of_the_rows_changes_no_bit() -> None:
    indices, y, group, weight = case(3)
    gap = gap_of(indices, weight * group, weight * ~group, 0.4)
    fits = []
    for order in (np.arange(N), np.random.default_rng(0).permutation(N)):
        rows = CodedArrays([index[order] for index in indices], [5, 3], y[order], weight[order])
        fits.append(fit_binned_logistic(BLOCKS, rows, gaps=[gap]))
    assert fits[0].gaps == fits[1].gaps
    assert all((one == other).all() for one, other in zip(fits[0].values, fits[1].values, strict=True))


def test_a_strong_pull_reaches_the_target_exactly_enough() -> None:
    indices, y, group, weight = case(5)
    for target in (0.3, 0.05, 0.0, -0.1):
        gap = gap_of(indices, weight * group, weight * ~group, 1e4, target)
        fit = fit_binned_logistic(BLOCKS, CodedArrays(indices, [5, 3], y, weight), gaps=[gap])
        assert fit.gaps == (pytest.approx(target, abs=1e-4),)
        assert fit.kkt_residual <= 1e-9


@pytest.mark.parametrize(("contrast", "strength"), [([np.nan], 1.0), ([1.0], -1.0), ([1.0], np.inf)])
def test_gaps_that_mean_nothing_are_refused(contrast: list[float], strength: float) -> None:
    with pytest.raises(InputError, match="gaps: a gap needs finite weights"):
        ScoreGap(0.0, np.array(contrast), strength)


def test_rows_without_weight_count_nowhere() -> None:
    index, y, weight = np.array([0, 0, 1, 1, 1]), np.array([0.0, 1, 0, 1, 1]), np.array([1.0, 1, 1, 1, 0])
    gap, kept = ScoreGap(0.5, np.array([0.25, -0.75]), 2.0, 0.3), weight > 0
    weighed = fit_binned_logistic([one_hot_block(2)], CodedArrays([index], [2], y, weight), gaps=[gap])
    rows = CodedArrays([index[kept]], [2], y[kept], weight[kept])
    absent = fit_binned_logistic([one_hot_block(2)], rows, gaps=[gap])
    assert weighed.gaps == absent.gaps
    assert weighed.values[0].tolist() == absent.values[0].tolist()
    assert weighed.gaps[0] == pytest.approx(0.5 * weighed.intercept + gap.contrast @ weighed.values[0])


def test_a_gap_of_other_bins_is_refused() -> None:
    rows = CodedArrays([np.array([0, 0, 1, 1])], [2], np.array([0.0, 1, 0, 1]), np.ones(4))
    with pytest.raises(InputError, match=r"gap 0: the numbers of bins differ from those of the rows; got \[3\].*\[2\]"):
        fit_binned_logistic([one_hot_block(2)], rows, gaps=[ScoreGap(0.0, np.ones(3), 1.0)])
