"""What tables tell beside a likelihood written out, what chance gives, and tables of few rows and columns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.stats import chi2, multivariate_normal

from scrutable_additive.narrowing import narrowed
from scrutable_additive.two_way import TwoWay, price_of

SHAPE = (4, 3)


def drawn(
    seed: int,
    *,
    values: np.ndarray | None = None,
    shape: tuple[int, int] = SHAPE,
    weight: float = 40.0,
    share: float = 0.9,
) -> tuple:
    """Residual, curvature, row and column of each cell that there is, which is a share of all."""
    chance = np.random.default_rng(seed)
    row, column = (each.ravel() for each in np.indices(shape))
    curvature = chance.uniform(0.2, 2, row.size) * weight
    alone = chance.normal(size=shape[0])[row] + chance.normal(size=shape[1])[column]
    crossed = np.zeros(row.size) if values is None else values.ravel()
    residual = curvature * (alone + crossed) + np.sqrt(curvature) * chance.normal(size=row.size)
    there = chance.random(row.size) < share
    return residual[there], curvature[there], row[there], column[there]


def walk(cells: tuple, ordered: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """(cells, cells) the covariance of random walks along ordered rows and columns, written out."""
    row, column = cells[2:]

    def along(place: np.ndarray, ordered: np.ndarray) -> np.ndarray:
        both = ordered[place][:, None] & ordered[place]
        return np.where(both, np.minimum.outer(place, place) + 1, place[:, None] == place)

    return along(row, ordered[0]) * along(column, ordered[1])


def likelihood(cells: tuple, variance: float, shape: np.ndarray | None = None) -> float:
    """Of contrasts that no sum of rows and columns moves, by the normal density (restricted likelihood)."""
    residual, curvature, row, column = cells
    alone = np.concatenate([row[:, None] == np.unique(row), column[:, None] == np.unique(column)], axis=1)
    contrasts = null_space(alone.T.astype(float))
    wanted = residual / curvature
    covariance = (
        contrasts.T @ (np.diag(1 / curvature) + variance * (np.eye(len(row)) if shape is None else shape)) @ contrasts
    )
    return float(multivariate_normal(cov=covariance).logpdf(contrasts.T @ wanted))


@pytest.mark.parametrize("seed", range(8))
def test_the_gain_is_the_restricted_likelihood_ratio_at_the_likeliest_variance(seed: int) -> None:
    values = np.random.default_rng(100 + seed).normal(size=SHAPE) * (seed % 3)
    cells = drawn(seed, values=values)
    told = TwoWay.of(*cells).told
    none = likelihood(cells, 0.0)
    if told.gain > 0:
        assert told.gain == pytest.approx(2 * (likelihood(cells, 1 / told.strength) - none), rel=1e-6)
    every = [2 * (likelihood(cells, variance) - none) for variance in np.geomspace(1e-4, 4, 100)]
    assert told.gain == pytest.approx(max(*every, 0.0), abs=0.05)


@pytest.mark.parametrize("seed", range(8))
def test_the_gain_of_a_walk_is_that_of_its_covariance(seed: int) -> None:
    ordered = np.array([True, True, True, False]), np.array([True, True, seed % 2 == 0])
    cells = drawn(seed, values=np.add.outer(np.arange(4), np.arange(3)) ** 2 * 0.05)
    told = TwoWay.of(*cells).smooth(*ordered)
    shape, none = walk(cells, ordered), likelihood(cells, 0.0)
    if told.gain > 0:
        assert told.gain == pytest.approx(2 * (likelihood(cells, 1 / told.strength, shape) - none), rel=1e-6)
    every = [2 * (likelihood(cells, variance, shape) - none) for variance in np.geomspace(1e-5, 4, 100)]
    assert told.gain == pytest.approx(max(*every, 0.0), abs=0.05)
    residual, curvature, row, column = cells
    marks = np.concatenate([row[:, None] == np.unique(row), column[:, None] == np.unique(column)], axis=1) * 1.0
    covariance = shape / told.strength + 1e6 * marks @ marks.T  # rows and columns are free
    posterior = np.linalg.solve(covariance + np.diag(1 / curvature), residual / curvature)
    assert told.values == pytest.approx(shape @ posterior / told.strength, abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_a_ridge_beside_free_rows_and_columns(seed: int) -> None:
    cells = drawn(seed, values=np.random.default_rng(seed).normal(size=SHAPE))
    residual, curvature, row, column = cells
    told = TwoWay.of(*cells).told
    alone = np.concatenate([row[:, None] == np.unique(row), column[:, None] == np.unique(column)], axis=1)
    design = np.concatenate([np.eye(len(row)), alone], axis=1)
    ridge = np.diag(np.concatenate([np.full(len(row), told.strength), np.full(alone.shape[1], 1e-9)]))
    best = np.linalg.solve(design.T @ (curvature[:, None] * design) + ridge, design.T @ residual)
    assert told.values == pytest.approx(best[: len(row)], abs=1e-5)


def test_chance_gains_as_seldom_as_the_price_says() -> None:
    tables = [TwoWay.of(*drawn(seed)) for seed in range(2000)]
    ordered = [np.ones(size, dtype=bool) for size in SHAPE]
    for gains in ([table.told.gain for table in tables], [table.smooth(*ordered).gain for table in tables]):
        assert 0.002 <= np.mean(np.array(gains) > chi2.isf(0.02, 1)) <= 0.016  # a hundredth, and three standard errors
    assert price_of(10) == pytest.approx(chi2.isf(2 * 0.001 / 10, 1))


def test_a_table_put_together_tells_what_a_table_of_these_cells_would() -> None:
    residual, curvature, row, column = drawn(3, values=np.random.default_rng(3).normal(size=SHAPE))
    places = np.array([0, 0, 1, 1]), np.array([0, 1, 1])
    small = TwoWay.of(residual, curvature, row, column).together(*places)
    member = (places[0][row] * 2 + places[1][column])[:, None] == np.arange(4)
    alone = np.concatenate([row[:, None] == np.unique(row), column[:, None] == np.unique(column)], axis=1)
    ridge = np.diag(np.concatenate([np.full(4, small.told.strength), np.full(alone.shape[1], 1e-9)]))
    design = np.concatenate([member, alone], axis=1).astype(float)
    best = np.linalg.solve(design.T @ (curvature[:, None] * design) + ridge, design.T @ residual)
    assert small.told.values == pytest.approx(best[:4], abs=1e-5)


def ordered(size: int) -> list[np.ndarray]:
    """Every way to put neighbours of so many places together."""
    return [np.cumsum([0, *opens]) for opens in itertools.product((0, 1), repeat=size - 1)]


def test_a_corner_becomes_a_table_of_few_rows_and_columns_and_is_about_the_likeliest_of_all() -> None:
    corner = np.zeros((5, 4))
    corner[3:, 2:] = 1.5
    near = 0
    for seed in range(10):
        table = TwoWay.of(*drawn(seed, values=corner, shape=(5, 4)))
        places = narrowed(table, np.ones(5, dtype=bool), np.ones(4, dtype=bool))
        gain = table.together(*places).told.gain
        most = max(table.together(*each).told.gain for each in itertools.product(ordered(5), ordered(4)))
        assert table.told.gain <= gain <= most + 1e-9
        near += gain >= most - 1
        assert all((np.diff(place) >= 0).all() for place in places)
    assert near >= 8


def test_what_has_no_order_joins_any_but_no_two_that_are_apart() -> None:
    values = np.array([[0.0, 2], [2, 0], [0, 2], [0, 2]])  # the last row stands for missing values
    table = TwoWay.of(*drawn(1, values=values, shape=(4, 2), weight=4000.0, share=1.0))
    rows, _ = narrowed(table, np.array([True, True, True, False]), np.ones(2, dtype=bool))
    assert rows[0] != rows[2]
    assert rows[3] in (rows[0], rows[2])
    free, _ = narrowed(table, np.zeros(4, dtype=bool), np.ones(2, dtype=bool))
    assert free[0] == free[2] == free[3] != free[1]


def test_no_cells_tell_nothing() -> None:
    nobody = np.zeros(0)
    assert TwoWay.of(nobody, nobody, nobody.astype(int), nobody.astype(int)).told.gain == 0.0
