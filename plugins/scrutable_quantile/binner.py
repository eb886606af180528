"""Cuts at quantiles, rare categories pooled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Sample
from scrutable.model import Value
from scrutable.plugins import Count, Share
from scrutable.plugins.bases import Binner, Needs, estimator


@estimator
class QuantileBinner(Binner):
    """Attributes with about the same share of applicants each.

    Every cut is a value of the data. Up to `max_bins` distinct numbers are values, not quantiles: each has an attribute
    of its own. A number that is as frequent as an attribute should be does not take other numbers into its attribute,
    while there are less than `max_bins`. Categories stay apart, but those seen less often than `min_share` share one
    attribute. Other parameters as in `Binner`.

    Parameters
    ----------
    max_bins : most attributes of a numeric feature, missing and special ones not counted.
    min_share : smallest share of applicants for which a category keeps an attribute of its own, or for which numbers
        are parted from a frequent one.

    Examples
    --------
    >>> binner = QuantileBinner(max_bins=4).fit({"age": range(20, 60)}, [0, 1] * 20)
    >>> binner.binning_["age"].words
    ['< 30', '[30, 40)', '[40, 50)', '>= 50', 'missing']
    >>> flagged = QuantileBinner().fit({"flag": [0] * 95 + [1] * 5}, [0, 1] * 50)
    >>> flagged.binning_["flag"].words
    ['< 1', '>= 1', 'missing']
    """

    needs: ClassVar[Needs] = "values"

    max_bins: Count = 10
    min_share: Share = 0.02

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        if not len(sample.values):
            return []
        values = sample.values
        opening = list(range(1, len(values)))
        if len(values) > self.max_bins:
            opening = self._quantiles(sample.weight, sample.total)
        cuts: list[float] = values[opening].tolist()
        return cuts

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        values, share = sample.values, sample.weight / sample.total
        rare = tuple(values[share < self.min_share].tolist())
        common = [(value,) for value in values[share >= self.min_share].tolist()]
        return [*common, rare] if rare else common

    def _quantiles(self, weight: NDArray[np.float64], total: float) -> list[int]:
        """Positions of the values that open the second and the later attributes, by the weight of each value."""
        reached = np.append(0.0, np.cumsum(weight))
        wanted = reached[-1] * np.arange(1, self.max_bins) / self.max_bins
        at = np.minimum(np.searchsorted(reached[1:], wanted, side="right"), len(weight) - 1)
        opening = set(at.tolist()) - {0}
        ends = [*sorted(opening), len(weight)]
        parted = []
        for start in np.flatnonzero(weight[:-1] >= reached[-1] / self.max_bins) + 1:
            share = reached[next(end for end in ends if end >= start)] - reached[start]
            if share and share >= self.min_share * total:  # what a frequent value has taken into its attribute
                parted.append((-share, int(start)))
        room = self.max_bins - 1 - len(opening)
        return sorted(opening | {start for _, start in sorted(parted)[:room]})
