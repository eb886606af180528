"""What both scorecard learners do with a binner: make it, and give its attributes values that follow its trends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.isotonic import isotonic_regression

from scrutable import registry
from scrutable.binning import AttributeTable
from scrutable.plugins.bases import Binner


def binner_of(chosen: str | Binner) -> Binner:
    """A binner of a registered name, or a copy of one with options."""
    made: Binner = clone(chosen) if isinstance(chosen, Binner) else registry().create("binner", chosen)
    return made


def following_trend(values: NDArray[np.float64], table: AttributeTable) -> NDArray[np.float64]:
    """(attributes,) values; where cuts given by the user go against the trend, neighbours share their mean.

    Policies for missing values and special codes follow it: what is counted with a bin has the bin's value, and the
    worst is the lowest that is left.
    """
    if not table.direction:
        return values
    ordered, smoothed = table.ordered, values.copy()
    smoothed[ordered] = isotonic_regression(
        values[ordered],
        sample_weight=np.maximum(table.counts_pooled[ordered], 1e-12),
        increasing=table.direction == "ascending",
    )
    return table.valued(smoothed)
