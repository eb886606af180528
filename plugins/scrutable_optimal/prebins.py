"""Pre-bins of a numeric feature, from its value counts: the values themselves, or fine buckets and the best splits."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from scrutable_optimal.tallies import Floats

Positions = NDArray[np.intp]


def prebins(weight: Floats, total: Floats, least: float, *, buckets: int, splits: int) -> Positions:
    """Positions of the values that open the second and the later pre-bins.

    Few distinct values are pre-bins of their own. More than `buckets` + `splits` are cut into `buckets` at quantiles,
    around heavy values, and where a tree with `splits` splits would cut them, so that no cut is missed that it finds.

    Parameters
    ----------
    weight, total : (v,) weight of the rows of each distinct value, in the order of the values, and sum of their weights
        times targets.
    least : weight that the tree leaves on either side of a split.

    Examples
    --------
    >>> prebins(np.ones(4), np.array([0.0, 0, 1, 1]), 1, buckets=8, splits=8).tolist()
    [1, 2, 3]
    >>> total = np.arange(1000) >= 617
    >>> prebins(np.ones(1000), total.astype(float), 1, buckets=4, splits=8).tolist()
    [250, 500, 617, 750]
    """
    if len(weight) <= buckets + splits:
        return np.arange(1, len(weight))
    reached = np.cumsum(weight)
    quantiles = np.searchsorted(reached, reached[-1] * np.arange(1, buckets) / buckets, side="right")
    heavy = np.flatnonzero(weight >= reached[-1] / buckets)
    openings = np.unique(np.concatenate([quantiles, heavy, heavy + 1, _splits(weight, total, least, splits)]))
    return openings[(openings > 0) & (openings < len(weight))].astype(np.intp)


def _splits(weight: Floats, total: Floats, least: float, most: int) -> Positions:
    """Splits of a tree that always splits where the squared error falls most (for classes: the Gini impurity)."""
    reached, summed = np.concatenate([np.zeros((2, 1)), np.cumsum(np.stack([weight, total]), axis=1)], axis=1)
    heap: list[tuple[float, int, int, int]] = []

    def offer(start: int, stop: int) -> None:
        """Put the best split of a node aside, where it has one."""
        weights, totals = reached[start : stop + 1] - reached[start], summed[start : stop + 1] - summed[start]
        first = max(1, int(weights.searchsorted(least)))
        last = min(stop - start - 1, int(weights.searchsorted(weights[-1] - least, side="right")) - 1)
        if first <= last:
            left, sums = weights[first : last + 1], totals[first : last + 1]
            explained = sums**2 / left + (totals[-1] - sums) ** 2 / (weights[-1] - left)
            best = int(np.argmax(explained))
            gain = float(explained[best] - totals[-1] ** 2 / weights[-1])
            if gain > 0:
                heapq.heappush(heap, (-gain, start, stop, start + first + best))

    offer(0, len(weight))
    chosen: list[int] = []
    while heap and len(chosen) < most:
        _, start, stop, split = heapq.heappop(heap)
        chosen.append(split)
        offer(start, split)
        offer(split, stop)
    return np.array(chosen, dtype=np.intp)
