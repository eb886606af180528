"""Tables of all pairs of features in few groups, counted at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import min_cell
from scrutable_additive.cells import Side
from scrutable_additive.dense import DenseFit
from scrutable_additive.tallies import Rows
from scrutable_additive.two_way import TwoWay

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """Sums over the rows of each cell of each pair.

    Parameters
    ----------
    groups : of each feature, by its name.
    count, residual, curvature : (G, G) number of rows that have weight, and as in `Point`, by pair of groups.
    """

    groups: Mapping[str, slice]
    count: Floats
    residual: Floats
    curvature: Floats

    @classmethod
    def of(cls, rows: Rows, dense: DenseFit, sides: Mapping[str, Side]) -> PairTables:
        """The tables at a dense fit."""
        point = rows.at(dense.values, dense.intercept)
        starts = np.cumsum([0, *(side.size for side in sides.values())]).astype(np.intp)
        coarse = Rows([side.index for side in sides.values()], starts, rows.target, rows.weight, rows.family)
        above, below = (coarse.by_pair(np.maximum(sign * point.residual, 0.0)) for sign in (1, -1))
        return cls(
            groups=dict(zip(sides, coarse.slices(), strict=True)),
            count=coarse.by_pair((rows.weight > 0).astype(np.float64)),
            residual=above - below,
            curvature=coarse.by_pair(point.curvature),
        )

    def two_way(self, rows: str, columns: str) -> TwoWay:
        """What the table of two features tells beyond both; cells of few rows tell nothing."""
        own = self.groups[rows], self.groups[columns]
        row, column = np.nonzero(self.count[own] >= min_cell())
        return TwoWay.of(self.residual[own][row, column], self.curvature[own][row, column], row, column)
