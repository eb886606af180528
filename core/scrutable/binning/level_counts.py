"""The rows of one feature, counted once by value or bucket of values, from which any table of it follows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable.data.exact import exact_bincount
from scrutable.data.frames import Column
from scrutable.data.frames.levels import Levels
from scrutable.data.training import TrainingRows
from scrutable.fairness import ProtectedAttribute
from scrutable.model import AttributeCondition
from scrutable.model.conditions import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """How the rows of each group of a protected attribute spread over the levels of a feature, or its attributes.

    Parameters
    ----------
    rows, bad : (levels, groups) weight of all rows, and of those with the unfavourable outcome; memberships count as
        weights.
    """

    attribute: ProtectedAttribute
    rows: Floats
    bad: Floats

    def summed(self, index: NDArray[np.intp], size: int) -> GroupCounts:
        """Those of (size,) attributes, for the attribute of each level."""
        return GroupCounts(
            attribute=self.attribute, rows=summed(index, self.rows, size), bad=summed(index, self.bad, size)
        )


class LevelCounts:
    """The rows of one feature, counted by level.

    Parameters
    ----------
    column : the feature's.
    levels : its values, or buckets of them.
    """

    def __init__(self, column: Column, levels: Levels, data: TrainingRows) -> None:
        self.levels, self.data = levels, data
        self.column = column.holding(levels)

    @property
    def size(self) -> int:
        """Number of levels."""
        return len(self.levels.low)

    def tells(self, conditions: Iterable[AttributeCondition]) -> bool:
        """Whether no attribute has a part of a level only."""
        if self.levels.low is self.levels.high:
            return True
        intervals = [each for each in conditions if isinstance(each, Interval)]
        cuts = {each.first for each in intervals} | {math.nextafter(each.last, math.inf) for each in intervals}
        return bool(intervals) and self.levels.parts_at(sorted(cuts))

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """(levels,) number of rows of some weight."""
        return np.bincount(self.levels.place[self.data.weight > 0], minlength=self.size)

    @cached_property
    def outcomes(self) -> Floats:
        """(levels, 2) weight of the rows whose target is not 1, and of those where it is."""
        cells = 2 * self.levels.place.astype(np.intp) + (self.data.target == 1.0)
        return exact_bincount(cells, self.data.weight, 2 * self.size).reshape(-1, 2)

    @cached_property
    def groups(self) -> tuple[GroupCounts, ...]:
        """Counts by protected attribute; none where no groups are known."""
        bad = (self.data.target != 1.0) * self.data.weight
        attributes = self.data.groups.attributes if self.data.groups else ()
        return tuple(
            GroupCounts(
                attribute=each,
                rows=summed(self.levels.place, self.data.weight[:, None] * each.membership, self.size),
                bad=summed(self.levels.place, bad[:, None] * each.membership, self.size),
            )
            for each in attributes
        )


def summed(index: NDArray[np.integer], weights: Floats, size: int) -> Floats:
    """(size, k) sums of (m, k) weights by the place that each of the m has; the same in every order of them."""
    place = index.astype(np.intp)
    return np.stack([exact_bincount(place, weights[:, k], size) for k in range(weights.shape[1])], axis=1)
