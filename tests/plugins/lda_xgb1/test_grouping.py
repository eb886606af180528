"""Grouping by value loses least of all merges that the options allow."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scrutable_lda_xgb1.grouping import group_values
from scrutable_lda_xgb1.joined_prebins import PreBinned
from scrutable_lda_xgb1.options import MergeOptions

PRICE = 2.0


def lost(values: np.ndarray, pre: PreBinned, borders: list[int], options: MergeOptions) -> float:
    """Loss and price of a merge by definition; inf where it is not allowed."""
    ends, total = [0, *borders, pre.n], 0.0
    for low, high in itertools.pairwise(ends):
        good, bad, its = pre.good[low:high], pre.bad[low:high], values[low:high]
        small = (good + bad).sum() < options.min_share * (pre.good + pre.bad).sum()
        if borders and (small or min(good.sum(), bad.sum()) < options.min_events):
            return np.inf
        half = 0.5 * ((good > 0) != (bad > 0))
        weight = (good + half) * (bad + half) / (good + bad + 2 * half)
        mean = np.average(its, weights=weight) if weight.any() else 0.0
        total += (weight * (its - mean) ** 2).sum() + PRICE
    return np.inf if options.max_bins is not None and len(ends) - 1 > options.max_bins else total


@pytest.mark.parametrize(
    "options", [MergeOptions(), MergeOptions(max_bins=3), MergeOptions(min_share=0.15, min_events=20)]
)
@pytest.mark.parametrize("seed", range(8))
def test_no_merge_loses_less(seed: int, options: MergeOptions) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    good, bad = rng.integers(0, 60, n) + 0.0, rng.integers(1, 60, n) + 0.0
    none = np.empty((n, 0))
    pre = PreBinned(n=n, good=good, bad=bad, protected=none, reference=none, limits=np.empty(0))
    values = rng.normal(0, 0.5, n).round(1)
    found = group_values(values, pre, options, PRICE)
    every = [list(each) for size in range(n) for each in itertools.combinations(range(1, n), size)]
    least = min(lost(values, pre, borders, options) for borders in every)
    assert lost(values, pre, found, options) == pytest.approx(least, abs=1e-9)


def test_a_pure_pre_bin_does_not_go_unpriced_into_a_neighbour() -> None:
    """500 bad rows of a value of their own stay alone; one bad row, however low its value, does not."""
    none = np.empty((2, 0))
    values = np.array([-12.0, 0.0])
    for rows, expected in ((500.0, [1]), (1.0, [])):
        good, bad = np.array([0.0, 3_000.0]), np.array([rows, 1_000.0])
        pre = PreBinned(n=2, good=good, bad=bad, protected=none, reference=none, limits=np.empty(0))
        assert group_values(values, pre, MergeOptions(), PRICE) == expected


def test_without_a_price_only_equal_values_stand_together() -> None:
    none, rows = np.empty((5, 0)), np.full(5, 40.0)
    pre = PreBinned(n=5, good=rows, bad=rows, protected=none, reference=none, limits=np.empty(0))
    assert group_values(np.array([0.1, 0.1, 0.3, 0.3, 0.2]), pre, MergeOptions(), 1e-9) == [2, 4]
