"""Patterns of bins written out as numbers, so that second derivatives are products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]

_AT_A_TIME = 4096


class WrittenPatterns:
    """The numbers that stand for each pattern: a one, and few for each block.

    A block of fewer coefficients than bins is written by what each coefficient is multiplied with; any other by which
    of its bins a pattern has, without the most frequent one, which is what all others leave of the one.

    Parameters
    ----------
    index : per block the bin of each of m patterns.
    bases : per block the (bins, coefficients) value of each bin by coefficient.

    Attributes
    ----------
    size : how many numbers there are.

    Examples
    --------
    >>> written = WrittenPatterns([np.array([0, 1, 1])], [np.eye(2)])
    >>> written.size, written.hessian(np.array([1.0, 2.0, 3.0])).tolist()
    (2, [[6.0, 1.0, 5.0], [1.0, 1.0, 0.0], [5.0, 0.0, 5.0]])
    """

    def __init__(self, index: Sequence[Ints], bases: Sequence[Floats]) -> None:
        self._index = index
        self._values: list[Floats] = []
        first, factors = [np.ones((1, 1))], []
        for bins, basis in zip(index, bases, strict=True):
            values, left, factor = _written(bins, basis)
            self._values.append(values)
            first.append(left[None])
            factors.append(factor)
        self.size = 1 + sum(len(values) for values in self._values)
        below = sparse.block_diag(factors, format="csr") if factors else sparse.csr_array((0, 0))
        empty = sparse.csr_array((below.shape[0], 1))
        self._factor = sparse.csr_array(
            sparse.vstack([sparse.csr_array(np.concatenate(first, axis=1)), sparse.hstack([empty, below])])
        )

    def hessian(self, curvature: Floats) -> Floats:
        """(coefficients, coefficients) second derivatives, from those of the (m,) patterns; the intercept first."""
        matrix, root = np.zeros((self.size, self.size)), np.sqrt(curvature)
        for start in range(0, len(root), _AT_A_TIME):
            some = slice(start, start + _AT_A_TIME)
            written = np.empty((self.size, len(root[some])))
            written[0], at = root[some], 1
            for bins, values in zip(self._index, self._values, strict=True):
                np.multiply(values[:, bins[some]], root[some], out=written[at : at + len(values)])
                at += len(values)
            matrix += written @ written.T
        half = np.asarray(self._factor.T @ matrix)
        return np.asarray(self._factor.T @ half.T)


def _written(bins: Ints, basis: Floats) -> tuple[Floats, Floats, Floats]:
    """(numbers, bins) that a block is written by; (coefficients,) and (numbers, coefficients) the one and they make."""
    n_bins, coefficients = basis.shape
    if coefficients < n_bins:
        return np.ascontiguousarray(basis.T), np.zeros(coefficients), np.eye(coefficients)
    most = int(np.bincount(bins, minlength=n_bins).argmax())
    others = np.delete(np.arange(n_bins), most)
    return np.eye(n_bins)[others], basis[most], basis[others] - basis[most]
