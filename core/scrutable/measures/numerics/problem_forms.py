"""The two forms of the binned regression's linear algebra: by pairs of bins, or by pairs of rows."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.linalg import block_diag

from scrutable.errors import InputError
from scrutable.measures.numerics.binned_problem import BinnedProblem, Patterns
from scrutable.measures.numerics.blocks import Block
from scrutable.measures.numerics.box_quadratic import minimise_box_quadratic, minimise_many_in_box
from scrutable.measures.numerics.pattern_sums import PatternSums
from scrutable.measures.numerics.row_space import CHEAP, RowSpace

Floats = npt.NDArray[np.float64]

#: Bytes that a table of pairs of bins may take where there are more rows than columns.
_LARGE = 2**29
#: Bytes beyond which nothing is begun.
MOST_BYTES = 2**33


def problem_of(blocks: Sequence[Block], patterns: Patterns, ridge: float) -> BinnedProblem:
    """The problem in the form that its sizes ask for.

    With more patterns than blocks it is the table of all pairs of bins, unless that is large; with fewer patterns, or
    a large table, it is the rows where these are smaller. Without a ridge there is no form by rows.

    Raises
    ------
    InputError : either form is too large to begin.
    """
    sizes = Sizes.of(blocks, patterns)
    limit = CHEAP if len(blocks) > len(patterns.rows) else _LARGE
    by_rows = ridge > 0 and sizes.rows < sizes.table > limit
    if (needed := sizes.rows if by_rows else sizes.table) > MOST_BYTES:
        bins = sum(block.n_bins for block in blocks)
        raise InputError(
            "the regression is too large",
            where=f"{len(blocks):,} columns in {bins:,} bins, {len(patterns.rows):,} rows",
            got=f"{needed / 2**30:.3g} GB of memory",
            allowed=f"at most {MOST_BYTES / 2**30:g} GB",
            fix="leave out columns of low information value, or allow fewer bins"
            + ("" if ridge > 0 else ", or give a ridge above 0"),
        )
    return RowProblem(blocks, patterns, ridge) if by_rows else TableProblem(blocks, patterns, ridge)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes that the forms of a regression take, known before anything of them is made."""

    table: int
    rows: int

    @classmethod
    def of(cls, blocks: Sequence[Block], patterns: Patterns) -> Sizes:
        """Those of a regression of these blocks."""
        bins, columns = (1 + sum(block.basis.shape[axis] for block in blocks) for axis in (0, 1))
        filled = sum(np.count_nonzero(block.basis) / block.n_bins for block in blocks)  # columns of an average row
        rows = len(patterns.rows) + len(patterns.gaps)
        return cls(table=8 * bins * (bins + 2 * columns), rows=int(rows * (24 * rows + 24 * filled)))


class TableProblem(BinnedProblem):
    """By the table of all pairs of bins, which rows are added up to, however many there are."""

    def __init__(self, blocks: Sequence[Block], patterns: Patterns, ridge: float) -> None:
        super().__init__(blocks, patterns, ridge)
        self.sums = PatternSums((block.index for block in patterns.merged(blocks)), self.bases)

    @functools.cached_property
    def penalty(self) -> Floats:
        """(coefficients, coefficients) second derivatives of the ridge."""
        matrix: Floats = self.ridge * block_diag(np.zeros((1, 1)), *(basis.T @ basis for basis in self.bases))
        return matrix

    def log_odds(self, point: Floats) -> Floats:
        total = np.full(len(self.patterns.rows), point[0])
        for index, values in zip(self.sums.index, self.values(point), strict=True):
            total += values[index]
        return total

    def slopes(self, by_pattern: Floats) -> Floats:
        return self.sums.by_coefficient(by_pattern)

    def penalised(self, point: Floats) -> Floats:
        penalised: Floats = self.penalty @ point
        return penalised

    def step(self, point: Floats, gradient: Floats, curvature: Floats) -> Floats:
        return minimise_box_quadratic(self.hessian(curvature), gradient, self.lower, self.upper, point) - point

    def hessian(self, curvature: Floats) -> Floats:
        """(coefficients, coefficients) second derivatives, from those of the patterns."""
        slopes = self.gap_slopes
        matrix = self.sums.by_pair(curvature) + self.penalty
        matrix += slopes.T @ (self.strengths[:, None] * slopes)
        # Keeps it definite where the data leave coefficients undetermined; far too small to slow convergence.
        diagonal = matrix.diagonal()
        matrix[np.diag_indices_from(matrix)] += 1e-12 * np.where(diagonal > 0, diagonal, 1.0)
        return matrix


class RowProblem(BinnedProblem):
    """By pairs of rows, however many columns there are; needs a ridge."""

    def __init__(self, blocks: Sequence[Block], patterns: Patterns, ridge: float) -> None:
        super().__init__(blocks, patterns, ridge)
        self.space = _row_space(patterns.merged(blocks), patterns, ridge)
        self._patterns = len(patterns.rows)

    def log_odds(self, point: Floats) -> Floats:
        return self.space.by_row(point)[: self._patterns]

    def slopes(self, by_pattern: Floats) -> Floats:
        return self.space.by_variable(np.concatenate([by_pattern, np.zeros(len(self.strengths))]))

    def penalised(self, point: Floats) -> Floats:
        return self.space.penalised(point)

    def step(self, point: Floats, gradient: Floats, curvature: Floats) -> Floats:
        # A gap is paid for like the squared log-odds of one more row, which adds up the others by its contrast.
        weighted = self.space.weighted(np.concatenate([curvature, self.strengths]))
        return minimise_many_in_box(weighted, gradient, self.lower, self.upper, point) - point


def _row_space(merged: Iterable[Block], patterns: Patterns, ridge: float) -> RowSpace:
    """The rows of the patterns and of the gaps."""
    columns, penalties = [], []
    for each in merged:
        columns.append(sparse.csc_array(each.basis[each.index]))
        penalties.append(ridge * (each.basis.T @ each.basis))
    by_pattern = sparse.hstack(columns, format="csc")
    block = np.repeat(np.arange(len(penalties)), [len(penalty) for penalty in penalties])
    own = sparse.csc_array(sparse.block_diag(penalties))
    diagonal = own.diagonal()
    # Keeps it definite where the bins leave coefficients undetermined; those that move nothing stay where they are.
    penalty = sparse.csc_array(own + sparse.diags_array(np.where(diagonal > 0, 1e-12 * diagonal, 1.0)))
    levels = np.ones((by_pattern.shape[0], 1))
    contrasts = patterns.contrasts
    if len(contrasts):
        by_pattern = sparse.vstack([by_pattern, sparse.csc_array(contrasts @ by_pattern)], format="csc")
        levels = np.concatenate([levels, contrasts @ levels])
    return RowSpace(levels, by_pattern, penalty, block)
