"""Target models as arrays: what counterfactuals are searched of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
#: Whole numbers or doubles.
Numbers = TypeVar("Numbers", Indices, Doubles)

#: `column` of a leaf.
LEAF = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trees:
    """An ensemble of T trees with N nodes in all; class 1 is predicted where the score is above 0.

    The score is the base plus the value of one leaf of each tree. For boosting it is the log-odds of class 1, for a
    forest the mean share of class 1 less that of class 0.

    Parameters
    ----------
    n_columns : m, number of columns of the points.
    roots : (T,) node of each tree at which to start.
    column : (N,) column that a node asks about, `LEAF` at a leaf.
    threshold : (N,) a point whose value is at most this goes left. Compared in double precision.
    left, right : (N,) nodes that follow.
    value : (N,) what a leaf adds to the score; 0 at other nodes.
    base : score without trees.
    """

    n_columns: int
    roots: Indices
    column: Indices
    threshold: Doubles
    left: Indices
    right: Indices
    value: Doubles
    base: float

    def score(self, points: Doubles) -> Doubles:
        """(n,) scores of (n, m) points."""
        score = np.full(len(points), self.base)
        rows = np.arange(len(points))
        for root in self.roots.tolist():
            node = np.full(len(points), root)
            while (inner := self.column[node] != LEAF).any():
                at, row = node[inner], rows[inner]
                goes_left = points[row, self.column[at]] <= self.threshold[at]
                node[inner] = np.where(goes_left, self.left[at], self.right[at])
            score += self.value[node]
        return score

    def thresholds(self) -> tuple[Doubles, ...]:
        """For each column its distinct thresholds, rising."""
        asked = self.column != LEAF
        column, threshold = self.column[asked], self.threshold[asked]
        order = np.lexsort((threshold, column))
        column, threshold = column[order], threshold[order]
        first = np.ones(len(column), np.bool_)
        first[1:] = (np.diff(column) > 0) | (np.diff(threshold) > 0)
        starts = np.searchsorted(column[first], np.arange(1, self.n_columns))
        return tuple(np.split(threshold[first], starts))

    @property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        level, deepest = self.roots, 0
        while len(level := level[self.column[level] != LEAF]):
            level, deepest = np.concatenate([self.left[level], self.right[level]]), deepest + 1
        return deepest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linear:
    """A linear classifier; class 1 is predicted where the score is above 0.

    Parameters
    ----------
    weights : (m,) by column.
    intercept : score of the point 0.
    """

    weights: Doubles
    intercept: float

    def score(self, points: Doubles) -> Doubles:
        """(n,) scores of (n, m) points."""
        score: Doubles = points @ self.weights + self.intercept
        return score


Target = Trees | Linear
