"""Rows that have the same attribute in every characteristic are one pattern: all that the search looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """The different rows of attributes, and the share of good and bad rows of each.

    Parameters
    ----------
    attribute : (patterns, characteristics) position of the attribute.
    sizes : number of attributes of each characteristic.
    good, bad : (patterns,) shares of the total weight; together they add up to 1.
    """

    attribute: Integers
    sizes: tuple[int, ...]
    good: Floats
    bad: Floats

    @classmethod
    def of(cls, columns: Sequence[Integers], sizes: Sequence[int], good: NDArray[np.bool_], weight: Floats) -> Self:
        """The patterns of n rows, given the attribute of each row by characteristic.

        >>> both = Patterns.of([np.array([0, 1, 0])], [2], np.array([True, True, False]), np.ones(3))
        >>> both.attribute.tolist(), both.good.round(2).tolist(), both.bad.round(2).tolist()
        ([[0], [1]], [0.33, 0.33], [0.33, 0.0])
        """
        attribute, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        counts = [_sums(which.ravel(), weight * of, len(attribute)) for of in (good, ~good)]
        total = float(weight.sum())
        return cls(attribute, tuple(sizes), counts[0] / total, counts[1] / total)

    def counts(self, key: Integers, size: int) -> tuple[Floats, Floats]:
        """Shares of good and of bad rows by an integer key of each pattern, below `size`."""
        return _sums(key, self.good, size), _sums(key, self.bad, size)


def _sums(key: Integers, values: Floats, size: int) -> Floats:
    return np.bincount(key, values, minlength=size).astype(np.float64)
