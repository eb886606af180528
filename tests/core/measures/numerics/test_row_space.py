"""Many columns on few rows: the same curvature and the same minimiser, without a matrix of the columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from scrutable.measures.numerics.box_quadratic import minimise_box_quadratic, minimise_many_in_box
from scrutable.measures.numerics.row_space import RowSpace

PROVEN = settings(deadline=None, derandomize=True, max_examples=60)
SEEDS = st.integers(0, 10**6)


def random_space(rng: np.random.Generator, levels: int) -> tuple[RowSpace, np.ndarray, np.ndarray]:
    """A space of blocks of one to three columns, with its dense columns and penalty; a column is nowhere but zero."""
    rows, sizes = int(rng.integers(2, 9)), rng.integers(1, 4, rng.integers(1, 12))
    block = np.repeat(np.arange(len(sizes)), sizes)
    columns = rng.normal(size=(rows, len(block))) * (rng.random((rows, len(block))) < 0.7)
    columns[:, 0] = 0.0
    factors = [rng.normal(size=(size, size)) + 2 * np.eye(size) for size in sizes]
    penalty = sparse.block_diag([factor.T @ factor for factor in factors], format="csc")
    space = RowSpace(rng.normal(size=(rows, levels)), sparse.csc_array(columns), penalty, block)
    level_free = np.zeros((levels, levels))
    dense = sparse.block_diag([level_free, penalty]).toarray() if levels else penalty.toarray()
    return space, np.hstack([space.levels, columns]), dense


@PROVEN
@given(seed=SEEDS, levels=st.integers(0, 2))
def test_curvature_equals_the_dense_one_for_any_weights_and_any_free_columns_in_turn(seed: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    space, columns, penalty = random_space(rng, levels)
    for _ in range(4):  # each time the matrix of the rows is mended, not made anew
        weight = rng.random(len(columns)) * (rng.random(len(columns)) < 0.8)
        weight[: levels + 1] += 0.1
        dense = columns.T @ (weight[:, None] * columns) + penalty
        free = np.flatnonzero(np.concatenate([np.ones(levels, bool), rng.random(len(space.block)) < 0.6]))
        right, vector = rng.normal(size=len(free)), rng.normal(size=len(dense))
        curvature = space.weighted(weight)
        np.testing.assert_allclose(curvature.times(vector), dense @ vector, atol=1e-10)
        found = curvature.solve(free, right)
        np.testing.assert_allclose(dense[np.ix_(free, free)] @ found, right, atol=1e-7)


@PROVEN
@given(seed=SEEDS, pull=st.sampled_from([0.0, 2.0]))
def test_bounds_that_change_all_at_once_give_the_same_minimiser(seed: int, pull: float) -> None:
    rng = np.random.default_rng(seed)
    space, columns, penalty = random_space(rng, 0)
    weight, k = rng.random(len(columns)) + 0.1, len(penalty)
    lower = np.where(rng.random(k) < 0.7, -rng.random(k).round(1), -np.inf)
    upper = np.where(rng.random(k) < 0.7, rng.random(k).round(1), np.inf)
    start, gradient = np.clip(rng.normal(size=k), lower, upper), rng.normal(size=k) + pull
    dense = columns.T @ (weight[:, None] * columns) + penalty
    expected = minimise_box_quadratic(dense, gradient, lower, upper, start)
    found = minimise_many_in_box(space.weighted(weight), gradient, lower, upper, start)
    assert np.all((found >= lower) & (found <= upper))
    np.testing.assert_allclose(found, expected, atol=1e-8)
