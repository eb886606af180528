"""Sums over patterns of bins that regressions are made of: by coefficient, and by pair of coefficients."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag

from scrutable.measures.numerics.binned_problem import slices
from scrutable.measures.numerics.written_patterns import WrittenPatterns

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]

#: Numbers a characteristic up to which products of the patterns take less time than the table of pairs of bins.
_FEW_NUMBERS = 6


class PatternSums:
    """Sums of whatever is known by pattern, the patterns being those of bins with a value by coefficient.

    Parameters
    ----------
    index : per block the bin of each of m patterns.
    bases : per block the (bins, coefficients) value of each bin by coefficient.

    Examples
    --------
    >>> sums = PatternSums([np.array([0, 1, 1])], [np.array([[0.0], [2.0]])])
    >>> sums.by_pair(np.array([1.0, 2.0, 3.0])).tolist()
    [[6.0, 10.0], [10.0, 20.0]]
    """

    def __init__(self, index: Iterable[Ints], bases: Sequence[Floats]) -> None:
        self.index = [_small(bins, len(basis)) for bins, basis in zip(index, bases, strict=True)]
        self._bases = bases
        self.bins = slices([len(basis) for basis in bases])

    @functools.cached_property
    def basis(self) -> Floats:
        """(bins, coefficients) value of each bin by coefficient; the intercept first."""
        matrix: Floats = block_diag(np.ones((1, 1)), *self._bases)
        return matrix

    @functools.cached_property
    def _written(self) -> WrittenPatterns:
        """What products of the patterns are made of."""
        return WrittenPatterns(self.index, self._bases)

    def by_coefficient(self, by_pattern: Floats) -> Floats:
        """(coefficients,) sums of the values."""
        sums: Floats = self.basis.T @ self._totals(by_pattern)
        return sums

    def by_pair(self, by_pattern: Floats) -> Floats:
        """(coefficients, coefficients) sums of the products of the values."""
        if self._written.size <= 1 + _FEW_NUMBERS * len(self.bins):
            return self._written.hessian(by_pattern)
        sums: Floats = self.basis.T @ self._table(by_pattern) @ self.basis
        return sums

    def _table(self, by_pattern: Floats) -> Floats:
        """(bins, bins) sums over the patterns that have both bins of a pair."""
        size = len(self.basis)
        table = np.zeros((size, size))
        totals = self._totals(by_pattern)
        table[0, :] = table[:, 0] = totals
        np.fill_diagonal(table, totals)
        placed = zip(self.index, self.bins, strict=True)
        for (one, rows), (other, columns) in combinations(placed, 2):
            wide = columns.stop - columns.start
            pairs = np.bincount(one.astype(np.intp) * wide + other, by_pattern, (rows.stop - rows.start) * wide)
            table[rows, columns] = pairs.reshape(-1, wide)
            table[columns, rows] = table[rows, columns].T
        return table

    def _totals(self, by_pattern: Floats) -> Floats:
        pairs = zip(self.index, self._bases, strict=True)
        tables = (np.bincount(index, by_pattern, len(basis)) for index, basis in pairs)
        return np.concatenate([[by_pattern.sum()], *tables])


def _small(index: Ints, size: int) -> Ints:
    """Whole numbers below a size in the least bytes: those of all patterns are read again and again."""
    return index.astype(np.min_scalar_type(max(size - 1, 0)))
