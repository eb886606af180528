"""The steps of a card as attributes of characteristics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import centred
from scrutable_additive.problem import Problem

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """The attributes of all characteristics, and what they add to the score: log-odds, or the like.

    Parameters
    ----------
    tables : a table for each block.
    of_bin : per block, (bins,) the attribute that each bin is.
    values : per block, (attributes,) values, with those that policies say.
    """

    tables: tuple[Any, ...]
    of_bin: tuple[Ints, ...]
    values: tuple[Floats, ...]

    @classmethod
    def of(cls, problem: Problem, values: Floats) -> Self:
        """Attributes by (K,) values of bins, of which those of a block that are alike and neighbours are one.

        The average of each characteristic is 0, and so is what nobody had.
        """
        tables, attributes, own_values = [], [], []
        for feature, layout in zip(problem.features, problem.layouts, strict=True):
            own = values[layout.bins]
            table, attribute = feature.merged(layout.steps(own))
            by_attribute = np.zeros(len(table.conditions))
            by_attribute[attribute] = own
            tables.append(table)
            attributes.append(attribute)
            own_values.append(table.valued(by_attribute))
        _, moved = centred(own_values, tables, 0.0)
        return cls(tuple(tables), tuple(attributes), tuple(moved))

    def in_order(self, names: Sequence[str]) -> Self:
        """With the characteristics in the order of these names, which may be of others, too."""
        places = sorted(range(len(self.tables)), key=lambda place: names.index(self.tables[place].feature.name))
        return replace(
            self,
            tables=tuple(self.tables[place] for place in places),
            of_bin=tuple(self.of_bin[place] for place in places),
            values=tuple(self.values[place] for place in places),
        )

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
        return replace(self, values=tuple(moved))

    def points(self, factor: float) -> list[Floats]:
        """Per block, (attributes,) points, for so many a unit of the score; equal where two count as one."""
        return [factor * table.pools.alike(own) for table, own in zip(self.tables, self.values, strict=True)]

    def by_bin(self) -> Floats:
        """(K,) values of the bins."""
        return np.concatenate([np.empty(0), *(own[bins] for own, bins in zip(self.values, self.of_bin, strict=True))])
