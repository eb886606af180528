"""What may be put together: the bins of one block, of which some are ordered and others stand for themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The bins of one block.

    Parameters
    ----------
    name : of the feature.
    bins : the bins, those of ordinary values first.
    n_ordinary : number of these; the others are special codes, what else there may be, and missing values.
    nominal : whether any of them may be put together, or neighbours alone.
    rising, bend : as in `Line`, of ordered bins.
    asked : whether the user said so; else two steps that are left may be in either order.
    fixed : whether they stay as they are, but those that `apart` leaves together.
    apart : (n_ordinary - 1,) whether neighbours count by themselves; those of few rows count with others.
    kept : whether the block may not leave the card.
    count : (bins,) weight of the rows of each.
    """

    name: str
    bins: slice
    n_ordinary: int
    nominal: bool
    rising: int
    bend: int
    asked: bool
    fixed: bool
    apart: NDArray[np.bool_]
    kept: bool
    count: Floats

    @property
    def ordinary(self) -> slice:
        """The bins of ordinary values."""
        return slice(self.bins.start, self.bins.start + self.n_ordinary)

    def steps(self, values: Floats) -> Ints:
        """(n_ordinary,) number of the step of each, for (bins,) values: equal ones are one step.

        Of ordered bins only neighbours are; those of a block that is fixed stay apart.
        """
        ordinary = values[: self.n_ordinary]
        if self.fixed:
            return np.arange(self.n_ordinary)
        if self.nominal:
            return np.unique(ordinary, return_inverse=True)[1]
        return np.concatenate([[0], np.cumsum(np.diff(ordinary) != 0)])[: self.n_ordinary].astype(np.intp)
