"""What a table of two features tells beyond what each of them tells alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

#: Strengths that are tried: four to each doubling.
_STRENGTHS = 2.0 ** (np.arange(-8, 69) / 4)
#: Directions of less curvature, as a share of the largest, are those of one feature alone.
_NOTHING = 1e-9
#: How often any of the tables that are looked at may pay where none tells anything.
_BY_CHANCE = 0.001


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the cells of a table tell.

    Parameters
    ----------
    gain : twice the logarithm of how much likelier values of the cells are than none, at the likeliest variance of
        theirs; 0 where that is 0.
    strength : the inverse of that variance.
    parameters : how many the data determine at this strength.
    values : (cells,) log-odds after one Newton step with this strength.
    """

    gain: float
    strength: float
    parameters: float
    values: Floats


@dataclass(frozen=True, eq=False)
class TwoWay:
    """The cells of two features, once both alone have told what they do.

    Parameters
    ----------
    residual : (cells,) gradient of the log-likelihood in their values.
    matrix : (cells, cells) its curvature.
    row, column : (cells,) where each stands.
    """

    residual: Floats
    matrix: Floats
    row: Ints
    column: Ints

    @classmethod
    def of(cls, residual: Floats, curvature: Floats, row: Ints, column: Ints) -> TwoWay:
        """From (cells,) sums over the rows of each, the curvatures above 0.

        With residual u and curvature H, a diagonal, and B which says what row and column each cell has, what one
        feature alone could tell is taken away: u − H B (BᵀHB)⁺ Bᵀu and H − H B (BᵀHB)⁺ BᵀH.

        Examples
        --------
        >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
        >>> TwoWay.of(np.array([50.0, 50, -50, -50]), np.full(4, 100.0), row, column).told.gain  # rows alone
        0.0
        >>> crossed = TwoWay.of(np.array([50.0, -50, -50, 50]), np.full(4, 100.0), row, column).told
        >>> round(crossed.gain), crossed.values.round(2).tolist()
        (94, [0.5, -0.5, -0.5, 0.5])
        """
        if not len(residual):
            return cls(residual, np.diag(curvature), row, column)
        scale = np.sqrt(curvature)
        alone = np.concatenate([_marks(row), _marks(column)], axis=1) * scale[:, None]
        left, size, _ = np.linalg.svd(alone, full_matrices=False)
        left = left[:, size > _NOTHING * size.max()]
        beyond = residual - scale * (left @ (left.T @ (residual / scale)))
        matrix = np.diag(curvature) - (scale[:, None] * left) @ (scale[:, None] * left).T
        return cls(beyond, matrix, row, column)

    def together(self, rows: Ints, columns: Ints) -> TwoWay:
        """The table with some rows and columns put together.

        Parameters
        ----------
        rows, columns : the new place of each.
        """
        row, column = rows[self.row], columns[self.column]
        code, place = np.unique(row * (columns.max(initial=0) + 1) + column, return_inverse=True)
        members = (place == np.arange(len(code))[:, None]).astype(np.float64)
        first = members.argmax(axis=1)
        return TwoWay(members @ self.residual, members @ self.matrix @ members.T, row[first], column[first])

    def smooth(self, rows: Marks, columns: Marks) -> Told:
        """What the cells tell if values of neighbours are alike: a random walk along each side that has an order.

        The values are L ε, where L sums what stands before or at a place in ordered rows, and in ordered columns, and ε
        has the same variance everywhere; `parameters` and `strength` are those of ε.

        Parameters
        ----------
        rows, columns : (places,) whether they have an order.
        """
        walks = _walk(rows)[self.row][:, :, None] * _walk(columns)[self.column][:, None, :]
        sums = walks.reshape(len(self.row), len(rows) * len(columns))
        told = TwoWay(sums.T @ self.residual, sums.T @ self.matrix @ sums, self.row, self.column).told
        return replace(told, values=sums @ told.values)

    @cached_property
    def told(self) -> Told:
        """What the cells tell if their values are independent of one another.

        Under values with variance 1/τ each the residual has variance V + V²/τ, V being the matrix, and under none V. In
        a direction of V with eigenvalue λ and residual z, twice the log-likelihood gains z² / (λ + τ) − ln(1 + λ/τ).
        """
        bend, direction = np.linalg.eigh(self.matrix)
        known = bend > _NOTHING * np.diag(self.matrix).max(initial=0.0)
        bend, direction = bend[known], direction[:, known]
        along, strengths = direction.T @ self.residual, _STRENGTHS[:, None]
        gains = (along**2 / (bend + strengths) - np.log1p(bend / strengths)).sum(axis=1)
        best = int(np.argmax(gains))
        strength = float(_STRENGTHS[best])
        return Told(
            gain=max(float(gains[best]), 0.0),
            strength=strength,
            parameters=float((bend / (bend + strength)).sum()),
            values=direction @ (along / (bend + strength)),
        )


def price_of(n_pairs: int) -> float:
    """What a pair has to gain so that of so many one does so by chance in a thousandth of cases.

    Where the variance of the values is 0, the gain is 0 half of the time, and else it has a chi-squared distribution of
    one degree of freedom (Self and Liang 1987, Journal of the American Statistical Association 82(398), case 5); the
    chance is divided by the number of pairs (Bonferroni).

    >>> [round(price_of(n), 1) for n in (1, 20, 200)]
    [9.5, 15.1, 19.5]
    """
    return float(chi2.isf(2 * _BY_CHANCE / max(n_pairs, 1), 1))


def _marks(place: Ints) -> Floats:
    """(cells, places) 1 where a cell stands there."""
    marks: Floats = (place[:, None] == np.unique(place)).astype(np.float64)
    return marks


def _walk(ordered: Marks) -> Floats:
    """(places, places) what sums over the ordered places up to each, and leaves others alone."""
    walk: Floats = np.where(
        np.outer(ordered, ordered), np.tril(np.ones((len(ordered), len(ordered)))), np.eye(len(ordered))
    )
    return walk
