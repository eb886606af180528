"""The two forms of the binned regression's linear algebra: by pairs of bins, or by pairs of rows."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.linalg import block_diag

from scrutable.data.coded_rows import Chunk, CodedArrays, CodedRows
from scrutable.data.exact import exact_bincount
from scrutable.errors import InputError
from scrutable.measures.numerics.binned_problem import BinnedProblem, Evaluated, log_loss
from scrutable.measures.numerics.blocks import Block
from scrutable.measures.numerics.box_quadratic import minimise_box_quadratic, minimise_many_in_box
from scrutable.measures.numerics.row_space import CHEAP, RowSpace
from scrutable.measures.numerics.score_gap import ScoreGap
from scrutable.measures.numerics.sums_of_columns import ProductSums, SumsOfColumns

Floats = npt.NDArray[np.float64]

#: Bytes that a table of pairs of bins may take where there are more rows than columns.
_LARGE = 2**29
#: Bytes beyond which nothing is begun.
MOST_BYTES = 2**33


def problem_of(
    blocks: Sequence[Block], rows: CodedRows, ridge: float, gaps: Sequence[ScoreGap] = ()
) -> TableProblem | RowProblem:
    """The problem in the form that its sizes ask for.

    With more rows than blocks it is the table of all pairs of bins, unless that is large; with fewer rows, or a large
    table, it is the rows where these are smaller and in memory. Without a ridge there is no form by rows.

    Raises
    ------
    InputError : either form is too large to begin.
    """
    sizes = Sizes.of(blocks, rows.rows + len(gaps))
    limit = CHEAP if len(blocks) > rows.rows else _LARGE
    if ridge > 0 and sizes.rows < sizes.table > limit and isinstance(rows, CodedArrays):
        _refuse_large(sizes.rows, blocks, rows, ridge)
        return RowProblem(blocks, rows, ridge, gaps)
    _refuse_large(sizes.table, blocks, rows, ridge)
    return TableProblem(blocks, rows, ridge, gaps)


def _refuse_large(needed: int, blocks: Sequence[Block], rows: CodedRows, ridge: float) -> None:
    if needed <= MOST_BYTES:
        return
    by_rows = ", or give a ridge above 0" if not ridge > 0 else ""
    if not isinstance(rows, CodedArrays):
        by_rows = ", or fit few rows in memory"
    raise InputError(
        "the regression is too large",
        where=f"{len(blocks):,} columns in {rows.size:,} bins, {rows.rows:,} rows",
        got=f"{needed / 2**30:.3g} GB of memory",
        allowed=f"at most {MOST_BYTES / 2**30:g} GB",
        fix="leave out columns of low information value, or allow fewer bins" + by_rows,
    )


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes that the forms of a regression take, known before anything of them is made."""

    table: int
    rows: int

    @classmethod
    def of(cls, blocks: Sequence[Block], rows: int) -> Sizes:
        """Those of a regression of these blocks on so many rows."""
        bins, columns = (1 + sum(block.basis.shape[axis] for block in blocks) for axis in (0, 1))
        filled = sum(np.count_nonzero(block.basis) / block.n_bins for block in blocks)  # columns of an average row
        return cls(table=16 * bins * (bins + columns), rows=int(rows * (24 * rows + 24 * filled)))


class TableProblem(BinnedProblem[Floats]):
    """By sums over bins and over pairs of bins, from passes over the rows, however many there are."""

    @functools.cached_property
    def columns(self) -> SumsOfColumns:
        """Sums by coefficient, of those by bin."""
        return SumsOfColumns(self.bases)

    @functools.cached_property
    def penalty(self) -> Floats:
        """(coefficients, coefficients) second derivatives of the ridge."""
        matrix: Floats = self.ridge * block_diag(np.zeros((1, 1)), *(basis.T @ basis for basis in self.bases))
        return matrix

    def penalised(self, point: Floats) -> Floats:
        penalised: Floats = self.penalty @ point
        return penalised

    def farthest(self, step: Floats) -> float:
        values, level, most = self.by_bin(step), float(step[0]), 0.0
        for chunk in self.rows.chunks():
            change = np.abs(self.rows.score(chunk, values, level))
            most = max(most, float(change[chunk.weight > 0].max(initial=0.0)))
        return most

    def loss(self, point: Floats, *, curved: bool) -> Evaluated[Floats]:
        rows, values, intercept = self.rows, self.by_bin(point), float(point[0])
        largest = np.log(2.0) + rows.farthest(values, intercept)
        loss, slope, slopes = rows.total(largest, fine=True), rows.total(), rows.bin_sums()
        bends = ProductSums.of(rows, 0.25) if curved else None

        def amounts(chunk: Chunk) -> list[Floats]:
            sign = 1.0 - 2.0 * chunk.target
            each, against, bent = log_loss(sign * rows.score(chunk, values, intercept))
            pull = sign * against
            return [each, pull, pull, *([bent, bent] if curved else [])]

        rows.weigh_up([loss, slope, slopes, *(bends or ())], amounts)
        gradient = self.columns.by_column(slope.values, slopes.values) / self.weight
        curvature = None if bends is None else self.columns.by_pair(bends) / self.weight
        return Evaluated(float(loss.values) / self.weight, gradient, curvature)

    def step(self, point: Floats, gradient: Floats, curvature: Floats) -> Floats:
        return minimise_box_quadratic(self.hessian(curvature), gradient, self.lower, self.upper, point) - point

    def hessian(self, curvature: Floats) -> Floats:
        """(coefficients, coefficients) second derivatives, from those of the log-loss."""
        slopes = self.gap_slopes
        matrix = curvature + self.penalty
        matrix += slopes.T @ (self.strengths[:, None] * slopes)
        # Keeps it definite where the data leave coefficients undetermined; far too small to slow convergence.
        diagonal = matrix.diagonal()
        matrix[np.diag_indices_from(matrix)] += 1e-12 * np.where(diagonal > 0, diagonal, 1.0)
        return matrix


class RowProblem(BinnedProblem[Floats]):
    """By pairs of rows in memory, however many columns there are; needs a ridge.

    Rows of the same bins are merged in the order of their bins, with exact sums, so that their order does not matter.
    """

    def __init__(self, blocks: Sequence[Block], rows: CodedArrays, ridge: float, gaps: Sequence[ScoreGap] = ()) -> None:
        super().__init__(blocks, rows, ridge, gaps)
        seen = rows.weight > 0
        codes, of_row = np.unique(rows.codes[:, seen].T, axis=0, return_inverse=True)
        cells = 2 * of_row.ravel() + rows.target[seen].astype(np.intp)
        sums = exact_bincount(cells, rows.weight[seen], 2 * len(codes)).reshape(-1, 2)
        self.adverse, self.favourable = (sums / self.weight).T
        self.space = self._row_space(codes)

    def farthest(self, step: Floats) -> float:
        return float(np.abs(self.space.by_row(step)[: len(self.adverse)]).max())

    def penalised(self, point: Floats) -> Floats:
        return self.space.penalised(point)

    def loss(self, point: Floats, *, curved: bool) -> Evaluated[Floats]:
        score = self.space.by_row(point)[: len(self.adverse)]
        (bad, against_bad, curvature), (good, against_good, _) = log_loss(score), log_loss(-score)
        pull = self.adverse * against_bad - self.favourable * against_good
        gradient = self.space.by_variable(np.concatenate([pull, np.zeros(len(self.gaps))]))
        loss = float(self.adverse @ bad + self.favourable @ good)
        return Evaluated(loss, gradient, (self.adverse + self.favourable) * curvature)

    def step(self, point: Floats, gradient: Floats, curvature: Floats) -> Floats:
        # A gap is paid for like the squared log-odds of one more row.
        weighted = self.space.weighted(np.concatenate([curvature, self.strengths]))
        return minimise_many_in_box(weighted, gradient, self.lower, self.upper, point) - point

    def _row_space(self, codes: npt.NDArray[np.unsignedinteger]) -> RowSpace:
        """The merged rows, with (rows, blocks) bins, and the gaps."""
        columns = [sparse.csc_array(basis[own]) for basis, own in zip(self.bases, codes.T, strict=True)]
        penalties = [self.ridge * (basis.T @ basis) for basis in self.bases]
        block = np.repeat(np.arange(len(penalties)), [len(penalty) for penalty in penalties])
        own = sparse.csc_array(sparse.block_diag(penalties))
        diagonal = own.diagonal()
        # Keeps it definite where the bins leave coefficients undetermined; those that move nothing stay where they are.
        penalty = sparse.csc_array(own + sparse.diags_array(np.where(diagonal > 0, 1e-12 * diagonal, 1.0)))
        by_row, gaps = sparse.hstack(columns, format="csc"), self.gap_slopes
        if len(gaps):
            by_row = sparse.vstack([by_row, sparse.csc_array(gaps[:, 1:])], format="csc")
        return RowSpace(np.concatenate([np.ones((len(codes), 1)), gaps[:, :1]]), by_row, penalty, block)
