"""Rows of a feature by its attributes: outcomes and groups, which is all that merging asks of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import ends_of, summed
from scrutable.data import GroupCounts, LabelledRows
from scrutable.model import AttributeCondition, Feature
from scrutable.model.evaluator import assign

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """Rows of one feature by m attributes.

    Parameters
    ----------
    outcomes : (m, 2) weight of bad and of good rows.
    rows : (m,) number of rows that have a weight.
    groups : weights by protected attribute.
    """

    outcomes: Floats
    rows: NDArray[np.intp]
    groups: tuple[GroupCounts, ...]

    @classmethod
    def of(cls, feature: Feature, conditions: tuple[AttributeCondition, ...], data: LabelledRows) -> Counted:
        """Those of attributes with these conditions."""
        values = data.counts_between(feature, ends_of(conditions))
        counted = cls(outcomes=values.outcomes, rows=values.rows.sum(axis=1), groups=values.groups)
        return counted.summed(assign(conditions, feature, values.column), len(conditions))

    def summed(self, index: NDArray[np.intp], size: int) -> Counted:
        """Those of (size,) attributes that these are merged to, for the place of each of these among them."""
        return Counted(
            outcomes=summed(index, self.outcomes, size),
            rows=np.bincount(index, self.rows, size).astype(np.intp),
            groups=tuple(each.summed(index, size) for each in self.groups),
        )
