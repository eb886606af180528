"""Second derivatives by products of written patterns, beside sums over pairs of bins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag

from scrutable.measures.numerics.written_patterns import WrittenPatterns


@pytest.mark.parametrize("seed", range(8))
def test_products_are_the_sums_over_pairs_of_bins(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, sizes = 9_000, rng.integers(1, 7, 5)
    index = [rng.integers(0, n_bins, size) for n_bins in sizes]
    widths = [n_bins if rng.random() < 0.4 else rng.integers(1, n_bins + 1) for n_bins in sizes]
    bases = [rng.normal(size=shape) for shape in zip(sizes, widths, strict=True)]
    curvature = rng.random(size)
    rows = np.concatenate(
        [np.ones((size, 1)), *(np.eye(n)[bins] for n, bins in zip(sizes, index, strict=True))], axis=1
    )
    basis = block_diag(np.ones((1, 1)), *bases)
    expected = basis.T @ (rows.T @ (rows * curvature[:, None])) @ basis
    written = WrittenPatterns(index, bases)
    np.testing.assert_allclose(written.hessian(curvature), expected, rtol=1e-9, atol=1e-9 * size)
    assert written.size == 1 + sum(min(width, n_bins - 1) for n_bins, width in zip(sizes, widths, strict=True))


def test_without_blocks_there_is_the_one_alone() -> None:
    assert WrittenPatterns([], []).hessian(np.array([1.0, 4.0])).tolist() == [[5.0]]
