"""The mean of a quantity and how far from it rows are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable.data.coded_rows import CodedRows


@dataclass(frozen=True, slots=True)
class QuantitySpread:
    """The quantity of rows of some weight.

    Parameters
    ----------
    least, most : smallest and largest.
    mean : weighted.
    squares : weighted sum of the squares of what it differs from the mean by.
    """

    least: float
    most: float
    mean: float
    squares: float

    @property
    def farthest(self) -> float:
        """What no value is beyond, whatever its sign."""
        return max(abs(self.least), abs(self.most))

    @property
    def reach(self) -> float:
        """What no value differs from the mean by more than."""
        return max(self.most - self.mean, self.mean - self.least)

    @property
    def constant(self) -> bool:
        """Whether it is the same everywhere."""
        return self.least == self.most


def spread_of(rows: CodedRows) -> QuantitySpread:
    """The spread of the quantity of rows, the same in any order.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> spread_of(CodedArrays([], [], np.array([1.0, 2.0, 6.0]), np.array([1.0, 1.0, 2.0])))
    QuantitySpread(least=1.0, most=6.0, mean=3.75, squares=20.75)
    """
    least, most = np.inf, -np.inf
    for chunk in rows.chunks():
        seen = chunk.target[chunk.weight > 0]
        least, most = min(least, float(seen.min(initial=np.inf))), max(most, float(seen.max(initial=-np.inf)))
    total = rows.total(max(abs(least), abs(most)), fine=True)
    rows.weigh_up([total], lambda chunk: [chunk.target])
    mean = float(total.values) / rows.total_weight
    squares = rows.total(max(most - mean, mean - least) ** 2, fine=True)
    rows.weigh_up([squares], lambda chunk: [(chunk.target - mean) ** 2])
    return QuantitySpread(least, most, mean, float(squares.values))
