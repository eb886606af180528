"""Sums over all rows that come in batches, by class and group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.source import Source
from scrutable.data.streamed.counting import Cells, CellSums
from scrutable.data.streamed.roles import Roles
from scrutable.data.training_rows import AllRows
from scrutable.data.whole_sums import Unit

Floats = NDArray[np.float64]

#: Bits of a double, all of which count.
_EXACT = 53


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellTotals:
    """Rows, weights and squares of weights in each cell.

    Parameters
    ----------
    cells : the combinations of classes and groups.
    sums, squares : of weights, and of their squares.
    everyone : rows, those without weight among them.
    lightest, heaviest : weight of the lightest row that has any, and of the heaviest.
    """

    cells: Cells
    sums: CellSums
    squares: CellSums
    everyone: CellSums
    lightest: float
    heaviest: float

    @classmethod
    def of(cls, source: Source, roles: Roles, cells: Cells) -> Self:
        """Those of all batches, in two passes over what says what the rows are."""
        rows, lightest, heaviest = 0, float("inf"), 0.0
        for table in source.batches(roles.names):
            weight = roles.told(table).weight
            some = weight[weight > 0]
            rows += len(some)
            lightest = min(lightest, float(some.min(initial=np.inf)))
            heaviest = max(heaviest, float(some.max(initial=0.0)))
        weighted = roles.weight is not None and (lightest, heaviest) != (1.0, 1.0) and rows > 0
        unit = Unit.of(rows, heaviest, lightest, _EXACT) if weighted else None
        squared = Unit.of(rows, heaviest**2, lightest**2, _EXACT) if weighted else None
        cells = replace(cells, unit=unit)
        sums, squares, everyone = (CellSums(1, replace(cells, unit=each)) for each in (unit, squared, None))
        for table in source.batches(roles.names):
            told = roles.told(table)
            seen, cell, place = told.weight > 0, cells.of(told), np.zeros(table.n_rows, dtype=np.intp)
            weight = told.weight[seen]
            everyone.add(place, cell, told.weight)
            sums.add(place[seen], cell[seen], weight)
            squares.add(place[seen], cell[seen], weight * weight)
        return cls(cells=cells, sums=sums, squares=squares, everyone=everyone, lightest=lightest, heaviest=heaviest)

    def with_cells(self, cells: Cells) -> Self:
        """The same sums, with more known of the cells."""
        return replace(self, cells=cells)

    @property
    def every(self) -> AllRows:
        """Sums over all rows."""
        axes = range(len(self.cells.shape))
        return AllRows(
            weight=float(self.sums.weights(*axes)[0]),
            target=float(self.by_outcome[1, 1]),
            count=int(self.sums.rows(*axes)[0]),
            lightest=self.lightest,
            heaviest=self.heaviest,
        )

    @property
    def by_class(self) -> Floats:
        """(classes,) weights."""
        weights: Floats = self.sums.weights(*self._attributes())[0]
        return weights

    @property
    def by_outcome(self) -> Floats:
        """(2, 2) number and weight of rows with another, and with the favourable outcome."""
        good = self.cells.favourable
        both = np.stack([self.sums.rows(*self._attributes())[0], self.by_class])
        return both[:, [1 - good, good]].astype(np.float64)

    def effective_sizes(self, attribute: ProtectedAttribute) -> Floats:
        """(groups,) how many rows of equal weight tell as much of each group."""
        axis = 1 + [each.name for each in self.cells.attributes].index(attribute.name)
        others = [each for each in range(len(self.cells.shape)) if each != axis]
        total, squares = self.sums.weights(*others)[0], self.squares.weights(*others)[0]
        sizes: Floats = np.divide(total * total, squares, out=np.zeros_like(total), where=squares > 0)
        return sizes

    def _attributes(self) -> range:
        return range(1, len(self.cells.shape))
