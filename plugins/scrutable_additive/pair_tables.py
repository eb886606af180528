"""Tables of all pairs of features in few groups, counted at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import PairSums, Unit, min_cell
from scrutable_additive.cells import Side
from scrutable_additive.dense import DenseFit
from scrutable_additive.recoded import recoded
from scrutable_additive.tallies import Rows
from scrutable_additive.two_way import TwoWay

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """Sums over the rows of each cell of each pair.

    Parameters
    ----------
    groups : of each feature, by its name.
    count, residual, curvature : (G, G) number of rows that have weight, and as in `Losses`, by pair of groups.
    """

    groups: Mapping[str, slice]
    count: Floats
    residual: Floats
    curvature: Floats

    @classmethod
    def of(cls, rows: Rows, dense: DenseFit, sides: Mapping[str, Side]) -> PairTables:
        """The tables at a dense fit."""
        coarse = rows.within(side.block for side in sides.values())
        values, intercept = dense.values, dense.intercept
        bounds = rows.family.bounds(rows.farthest(values, intercept))
        count = PairSums(Unit.of(rows.rows, 1.0, 1.0), (coarse.size, coarse.size))
        residual, curvature = coarse.pair_sums(bounds.residual), coarse.pair_sums(bounds.curvature)
        for part in rows.chunks():
            own, codes = rows.losses(part, values, intercept), recoded(coarse.blocks, part.every)
            count.add(codes, coarse.starts, (part.weight > 0).astype(np.float64))
            for sums, amounts in ((residual, own.residual), (curvature, own.curvature)):
                sums.add_layers(codes, coarse.starts, sums.unit.weighed(amounts, part.weight))
        return cls(
            groups=dict(zip(sides, coarse.slices, strict=True)),
            count=count.values,
            residual=residual.values,
            curvature=curvature.values,
        )

    def count_of(self, rows: str, columns: str) -> Floats:
        """(groups, groups) number of rows that have weight in each cell of two features."""
        return self.count[self.groups[rows], self.groups[columns]]

    def two_way(self, rows: str, columns: str) -> TwoWay:
        """What the table of two features tells beyond both; cells of few rows tell nothing."""
        own = self.groups[rows], self.groups[columns]
        row, column = np.nonzero(self.count[own] >= min_cell())
        return TwoWay.of(self.residual[own][row, column], self.curvature[own][row, column], row, column)
