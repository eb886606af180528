"""How surely two segments differ, while one pair of them after another is put together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Two segments do not differ more surely than that.
_LEAST_VARIANCE = 1e-12
#: Pairs that are put together before the covariance is computed anew.
_TOGETHER = 32


class Covariance:
    """The inverse of a metric of L segments, and the variance of their differences.

    Putting two segments together takes a matrix of rank one away. It is kept as a vector, and many are taken away at
    once: until then only the variances are brought up to date, which takes L steps in place of L².

    Parameters
    ----------
    inverse : (L, L) of the metric, used up.
    left, right : (edges,) segments of which the differences count.

    Examples
    --------
    >>> covariance = Covariance(np.diag([1.0, 2, 3]), np.array([0, 1]), np.array([1, 2]))
    >>> covariance.variance.tolist()
    [3.0, 5.0]
    >>> covariance.without(0).tolist()  # both move to their average by weight
    [0.3333333333333333, -0.6666666666666666, 0.0]
    >>> covariance.variance.round(3).tolist()
    [0.0, 3.667]
    """

    def __init__(self, inverse: Floats, left: Ints, right: Ints) -> None:
        self._inverse, self._left, self._right = inverse, left, right
        self._away = np.empty((_TOGETHER, len(inverse)))
        self._n_away = 0
        self.variance = self._of_differences()

    def without(self, edge: int) -> Floats:
        """Put the segments of an edge together: (L,) what each level moves by, for each unit that they differ."""
        if self._n_away == _TOGETHER:
            self._inverse -= self._away.T @ self._away
            self._n_away = 0
            self.variance = self._of_differences()
        a, b, away = self._left[edge], self._right[edge], self._away[: self._n_away]
        direction = self._inverse[a] - self._inverse[b] - (away[:, a] - away[:, b]) @ away
        variance = self.variance[edge]
        taken = direction / np.sqrt(variance)
        self._away[self._n_away] = taken
        self._n_away += 1
        self.variance = np.maximum(self.variance - (taken[self._left] - taken[self._right]) ** 2, _LEAST_VARIANCE)
        moved: Floats = direction / variance
        return moved

    def matrix(self) -> Floats:
        """(L, L) the covariance as it is."""
        self._inverse -= self._away[: self._n_away].T @ self._away[: self._n_away]
        self._n_away = 0
        return self._inverse

    def _of_differences(self) -> Floats:
        """(edges,) variances from the covariance itself."""
        diagonal, left, right = np.diag(self._inverse), self._left, self._right
        variance = diagonal[left] + diagonal[right] - 2 * self._inverse[left, right]
        variances: Floats = np.maximum(variance, _LEAST_VARIANCE)
        return variances
