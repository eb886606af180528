"""How far two cards are apart: the loss of one by the curvature at the other, with each block's average at 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.dense import DenseFit
from scrutable_additive.smoothing import RIDGE
from scrutable_additive.tallies import Rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """The loss that a card adds to the dense fit, to second order: ½ (v − θ)ᵀ G (v − θ), the intercept being free.

    G is the curvature of the loss without the intercept, A, and for each block what moves its average,
    h hᵀ / total with h = curvature by bin. A does not see a shift of all values of a block, so the least distance has
    each block's average at 0; the blocks of G on its diagonal are then diagonal themselves, which makes the best steps
    of one block, the others being kept, a sum over its bins. A slight ridge parts blocks that tell the same.

    Parameters
    ----------
    matrix : (K, K) G.
    weight : (K,) its diagonal: curvature of each bin, and the ridge.
    dense : (K,) values of the dense fit, each block's average being 0.
    intercept : log-odds where all of them are 0.
    """

    matrix: Floats
    weight: Floats
    dense: Floats
    intercept: float

    @classmethod
    def at(cls, fit: DenseFit, rows: Rows) -> Metric:
        """The metric at a dense fit."""
        by_bin, total = fit.curvature.by_bin, fit.curvature.total
        matrix = fit.curvature.alone.copy()
        dense, intercept = fit.values.copy(), fit.intercept
        for own in rows.slices:
            matrix[own, own] = np.diag(by_bin[own])
            mean = float(by_bin[own] @ dense[own]) / total
            dense[own] -= mean
            intercept += mean
        matrix[np.diag_indices(len(matrix))] += RIDGE
        return cls(matrix, np.diag(matrix).copy(), dense, intercept)

    @property
    def total(self) -> float:
        """The distance of the dense fit from no card: half of the variance of its scores, by curvature."""
        return self.distance(np.zeros_like(self.dense))

    def distance(self, values: Floats) -> float:
        """What (K,) values lose beside the dense fit."""
        away = values - self.dense
        return 0.5 * float(away @ (self.matrix @ away))
