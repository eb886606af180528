"""The steps of a card as attributes of characteristics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import centred
from scrutable.model import Scorecard
from scrutable_additive.cells import Cells
from scrutable_additive.problem import Problem

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """The attributes of all characteristics and the cells of pairs, and what they add to the score.

    Parameters
    ----------
    tables : a table for each feature's block.
    of_bin : per block, (bins,) the attribute that each bin is.
    values : per block, (attributes,) log-odds or the like, with those that policies say.
    pairs, cells : the pairs, and of each (bins,) values.
    """

    tables: tuple[Any, ...]
    of_bin: tuple[Ints, ...]
    values: tuple[Floats, ...]
    pairs: tuple[Cells, ...] = ()
    cells: tuple[Floats, ...] = ()

    @classmethod
    def of(cls, problem: Problem, values: Floats) -> Self:
        """Attributes by (K,) values of bins, of which those of a block that are alike and neighbours are one.

        The average of each characteristic is 0, and so is what nobody had. Of a pair the usual value is 0.
        """
        tables, attributes, own_values = [], [], []
        for feature, layout in zip(problem.features, problem.layouts, strict=False):
            own = values[layout.bins]
            table, attribute = feature.merged(layout.steps(own))
            by_attribute = np.zeros(len(table.conditions))
            by_attribute[attribute] = own
            tables.append(table)
            attributes.append(attribute)
            own_values.append(table.valued(by_attribute))
        _, moved = centred(own_values, tables, 0.0)
        of_pairs = problem.layouts[len(problem.features) :]
        of_cells = [values[layout.bins] for layout in of_pairs]
        cells = tuple(own - pair.usual(own) for pair, own in zip(problem.pairs, of_cells, strict=True))
        return cls(tuple(tables), tuple(attributes), tuple(moved), problem.pairs, cells)

    def in_order(self, names: Sequence[str]) -> Self:
        """With the characteristics in the order of these names, which may be of others, too."""
        places = sorted(range(len(self.tables)), key=lambda place: names.index(self.tables[place].feature.name))
        return replace(
            self,
            tables=tuple(self.tables[place] for place in places),
            of_bin=tuple(self.of_bin[place] for place in places),
            values=tuple(self.values[place] for place in places),
        )

    @property
    def on_card(self) -> set[str]:
        """Features of which attributes differ."""
        return {table.feature.name for table, own in zip(self.tables, self.values, strict=True) if np.ptp(own)}

    def in_multiples(self, of: float, *, from_zero: bool) -> Self:
        """With values that are multiples of a point's.

        They were multiples but for what all of a characteristic have in common, and but for neutral attributes, which
        move to the nearest.

        Parameters
        ----------
        from_zero : whether the lowest of each characteristic are 0; else the average is about 0.
        """
        moved = []
        for table, own in zip(self.tables, self.values, strict=True):
            count = table.counts_seen.copy()
            count[[policy.position for policy in table.policies]] = 0.0
            own = table.pools.alike(own)
            usual = own[np.argmax(count)]
            points = np.rint((own - usual) / of)
            points -= points.min() if from_zero else -np.rint(usual / of)
            moved.append(of * points)
        cells = []
        for own in self.cells:
            points = np.rint(own / of)
            cells.append(of * (points - points.min() if from_zero else points))
        return replace(self, values=tuple(moved), cells=tuple(cells))

    def with_pairs(self, model: Scorecard, points: Callable[[float], float]) -> Scorecard:
        """A scorecard of the features with the tables of the pairs in which cells differ, and all that these read."""
        pairs = list(zip(self.pairs, self.cells, strict=True))
        tables = [table for pair, own in pairs if not (table := pair.interaction(own, points)).is_constant]
        there = {feature.name for feature in model.features}
        sides = {
            side.feature.feature.name: side.feature.feature for pair in self.pairs for side in (pair.rows, pair.columns)
        }
        read = [sides[name] for name in dict.fromkeys(name for table in tables for name in table.features)]
        further = [feature for feature in read if feature.name not in there]
        return replace(model, features=(*model.features, *further), interactions=tuple(tables))

    def points(self, factor: float) -> list[Floats]:
        """Per block, (attributes,) points, for so many a unit of the score; equal where two count as one."""
        return [factor * table.pools.alike(own) for table, own in zip(self.tables, self.values, strict=True)]

    def by_bin(self) -> Floats:
        """(K,) values of the bins."""
        of_features = (own[bins] for own, bins in zip(self.values, self.of_bin, strict=True))
        return np.concatenate([np.empty(0), *of_features, *self.cells])
