"""A table of few rows and columns: neighbours are put together as long as what it tells becomes likelier."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.two_way import TwoWay

Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]


def narrowed(table: TwoWay, rows: Marks, columns: Marks) -> tuple[Ints, Ints]:
    """The new place of each row and column.

    Two rows or two columns become one, those with which the gain of the table is then largest, until it falls. The gain
    is a marginal likelihood, which many values of which few are needed make smaller.

    Parameters
    ----------
    rows, columns : (places,) whether they have an order, so that only neighbours may become one. Those that have none
        may be put together with any.
    """
    sides = [np.arange(len(rows)), np.arange(len(columns))]
    gain = table.told.gain
    while True:
        tried = list(_tried(sides, (rows, columns)))
        gains = [table.together(*each).told.gain for each in tried]
        if not gains or max(gains) < gain:
            return sides[0], sides[1]
        best = int(np.argmax(gains))
        sides, gain = tried[best], gains[best]


def _tried(sides: list[Ints], ordered: tuple[Marks, Marks]) -> Iterator[list[Ints]]:
    """The sides with two places put together, of one of them."""
    for side, in_order in enumerate(ordered):
        places = sides[side]
        for one, other in itertools.combinations(range(int(places.max(initial=-1)) + 1), 2):
            if _beside(np.flatnonzero((places == one) & in_order), np.flatnonzero((places == other) & in_order)):
                merged = np.where(places == other, one, places)
                merged -= merged > other
                yield [merged, sides[1]] if side == 0 else [sides[0], merged]


def _beside(one: Ints, other: Ints) -> bool:
    """Whether no ordered place lies between these runs of them; nothing lies between a run and none."""
    return not len(one) or not len(other) or one.max() + 1 == other.min() or other.max() + 1 == one.min()
