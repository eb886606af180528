"""How attributes make bins of the values of a feature."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model import AttributeCondition, Feature
from scrutable.model.conditions import Interval
from scrutable.model.evaluator.assign import assign

Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class AttributeCoding:
    """The bin of each attribute of a feature, as `scrutable.data.Coding` asks for.

    Parameters
    ----------
    conditions : (attributes,) as a characteristic holds them.
    bins : (attributes,) the bin of each, from 0 on.
    size : number of bins.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Missing
    >>> tiles = (Interval(upper=18), Interval(lower=18), Missing())
    >>> coding = AttributeCoding(Feature(name="age", kind="numeric"), tiles, np.array([0, 1, 1]), 2)
    >>> coding.ends, coding.codes(as_table({"age": [17.0, 18.0, None]}).column("age")).tolist()
    ([-inf, 18.0, inf], [0, 1, 1])
    """

    feature: Feature
    conditions: tuple[AttributeCondition, ...]
    bins: Ints
    size: int

    @classmethod
    def of(cls, feature: Feature, conditions: tuple[AttributeCondition, ...]) -> Self:
        """A bin for each attribute."""
        return cls(feature, conditions, np.arange(len(conditions)), len(conditions))

    @cached_property
    def ends(self) -> list[float]:
        """Where intervals open or end, rising."""
        return ends_of(self.conditions)

    def codes(self, column: Column) -> Ints:
        """(k,) the bin of each of k values."""
        bins: Ints = self.bins[assign(self.conditions, self.feature, column)]
        return bins


def ends_of(conditions: Iterable[AttributeCondition]) -> list[float]:
    """Where intervals open or end, rising: the first number within each, and the first beyond it."""
    intervals = [each for each in conditions if isinstance(each, Interval)]
    return sorted({each.first for each in intervals} | {math.nextafter(each.last, math.inf) for each in intervals})
