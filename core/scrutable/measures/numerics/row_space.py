"""Curvature of regressions with more columns than rows, by matrices of the rows and never one of the columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import splu

from scrutable.measures.numerics.box_quadratic import Positions, solve_definite

Floats = npt.NDArray[np.float64]

#: Bytes that a matrix of the columns may take for nothing to be saved, however few rows there are.
CHEAP = 2**23
#: Blocks of columns that are written out densely at a time.
_AT_A_TIME = 128


class RowSpace:
    """What all curvatures [L A]'W[L A] + P have in common, whatever the weights W of the rows.

    Woodbury's formula solves them for some of the columns by the matrix A P⁻¹A' of those columns, which is (rows, rows)
    and the same for all weights. It is kept, and mended by the columns that come and go.

    Parameters
    ----------
    levels : (m, u) columns L that cost nothing, such as that of an intercept: few or none. They are the first
        variables, and always free.
    columns : (m, k) sparse columns A.
    penalty : (k, k) sparse P, positive definite, made of blocks along its diagonal.
    block : (k,) number of the block of each column, rising.

    Examples
    --------
    >>> columns, penalty = sparse.csc_array([[1.0, 0.0, 2.0]]), sparse.csc_array(np.diag([1.0, 1.0, 4.0]))
    >>> space = RowSpace(np.empty((1, 0)), columns, penalty, np.arange(3))
    >>> curvature = space.weighted(np.array([2.0]))  # 2 a a' + P
    >>> curvature.solve(np.arange(3), curvature.times(np.array([1.0, 2.0, 3.0]))).round(12).tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, levels: Floats, columns: sparse.csc_array, penalty: sparse.csc_array, block: Positions) -> None:
        self.levels, self.columns, self.penalty, self.block = levels, columns, penalty, block
        self._counted = np.zeros(len(block), dtype=bool)
        self._gram = np.zeros((len(levels), len(levels)))

    def weighted(self, weight: Floats) -> RowCurvature:
        """The curvature with these (m,) weights, each of zero or more."""
        return RowCurvature(self, weight)

    def split(self, variables: Floats) -> tuple[Floats, Floats]:
        """Those of the levels, and those of the columns."""
        return variables[: self.levels.shape[1]], variables[self.levels.shape[1] :]

    def by_row(self, variables: Floats) -> Floats:
        """(m,) what they add up to in each row."""
        first, others = self.split(variables)
        total: Floats = self.levels @ first + self.columns @ others
        return total

    def by_variable(self, rows: Floats) -> Floats:
        """(u + k,) sum of each column, weighted by rows."""
        return np.concatenate([self.levels.T @ rows, self.columns.T @ rows])

    def penalised(self, variables: Floats) -> Floats:
        """(u + k,) product with the penalty; levels have none."""
        first, others = self.split(variables)
        return np.concatenate([np.zeros(len(first)), self.penalty @ others])

    def unpenalised(self, free: Positions, right: Floats) -> Floats:
        """(free,) P⁻¹r among these columns."""
        solution: Floats = splu(self.penalty[free][:, free]).solve(right) if free.size else right
        return solution

    def gram(self, free: Positions) -> Floats:
        """(m, m) A P⁻¹A' of these columns; it is overwritten by the next call."""
        wanted = np.zeros(len(self.block), dtype=bool)
        wanted[free] = True
        changed = np.unique(self.block[wanted != self._counted])
        for blocks in np.array_split(changed, np.arange(_AT_A_TIME, len(changed), _AT_A_TIME)):
            within = np.isin(self.block, blocks)
            for some, sign in ((self._counted, -1.0), (wanted, 1.0)):
                columns = np.flatnonzero(some & within)
                written = self.columns[:, columns].toarray()
                self._gram += sign * (written @ self.unpenalised(columns, written.T))
        self._counted = wanted
        return self._gram


@dataclass(frozen=True, eq=False)
class RowCurvature:
    """One curvature [L A]'W[L A] + P of a `RowSpace`."""

    space: RowSpace
    weight: Floats

    def times(self, vector: Floats) -> Floats:
        """(u + k,) its product with a vector."""
        return self.space.by_variable(self.weight * self.space.by_row(vector)) + self.space.penalised(vector)

    def solve(self, free: Positions, right: Floats) -> Floats:
        """(free,) solution of the equations of these variables alone; all levels are among them."""
        space, root = self.space, np.sqrt(self.weight)
        levels = space.levels.shape[1]
        columns = free[levels:] - levels
        # With y = W(L x₀ + A x) it is x = P⁻¹(r − A'y) and (W⁻¹ + A P⁻¹A')y = A P⁻¹r + L x₀; the roots of the weights
        # keep the matrix well scaled where some vanish.
        inner = root[:, None] * space.gram(columns)
        inner *= root
        inner[np.diag_indices_from(inner)] += 1.0
        own = self._spread(columns, space.unpenalised(columns, right[levels:]))
        sides = root[:, None] * np.column_stack([space.columns @ own, space.levels])
        solved = root[:, None] * solve_definite(inner, sides)
        first = np.linalg.solve(space.levels.T @ solved[:, 1:], right[:levels] - space.levels.T @ solved[:, 0])
        pulled = space.columns.T @ (solved[:, 0] + solved[:, 1:] @ first)
        return np.concatenate([first, space.unpenalised(columns, right[levels:] - pulled[columns])])

    def _spread(self, columns: Positions, values: Floats) -> Floats:
        spread = np.zeros(len(self.space.block))
        spread[columns] = values
        return spread
