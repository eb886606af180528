"""The search is exact: beside all partitions of a few pre-bins, for every shape, limit and kind of target."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable_optimal.partition import SHAPES, Partition, Partitions, Shape
from scrutable_optimal.tallies import OutcomeTally, QuantityTally, Sizes, Tally

Sums = list[tuple[int, int]]

COUNTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any), min_size=1, max_size=7)
SIZES = st.builds(
    Sizes, max_bins=st.integers(1, 7), weight=st.integers(0, 9).map(float), events=st.integers(0, 2).map(float)
)


def follows(shape: Shape, rates: list[Fraction]) -> bool:
    """Whether rates have a shape, in exact arithmetic."""
    steps = [after - before for before, after in itertools.pairwise(rates)]
    turns = [after - before for before, after in itertools.pairwise(steps)]
    rising = [step > 0 for step in steps if step]
    return {
        "free": True,
        "ascending": all(rising),
        "descending": not any(rising),
        "peak": rising == sorted(rising, reverse=True),
        "valley": rising == sorted(rising),
        "convex": all(turn >= 0 for turn in turns),
        "concave": all(turn <= 0 for turn in turns),
    }[shape]


def partitions_by_hand(sums: Sums, sizes: Sizes, shape: Shape) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """All partitions within the sizes, by their borders; one attribute is always among them."""
    found = {}
    for size in range(min(sizes.max_bins, len(sums))):
        for borders in itertools.combinations(range(1, len(sums)), size):
            ends = [0, *borders, len(sums)]
            bins = [(sum(b for b, _ in sums[i:j]), sum(g for _, g in sums[i:j])) for i, j in itertools.pairwise(ends)]
            allowed = all(b + g >= sizes.weight and min(b, g) >= sizes.events for b, g in bins)
            if not borders or (allowed and follows(shape, [Fraction(g, b + g) for b, g in bins])):
                found[borders] = bins
    return found


def iv_by_hand(bins: list[tuple[int, int]], bad: int, good: int) -> float:
    found = 0.0
    for b, g in bins:
        half = 0.5 if not b or not g else 0.0
        woe = math.log((g + half) / good) - math.log((b + half) / bad)
        found += max(0.0, (g / good - b / bad) * woe)
    return found


def check(found: list[Partition], values: dict[tuple[int, ...], float]) -> None:
    """Require the best value for each number of attributes, and that the borders have it."""
    best: dict[int, float] = {}
    for borders, value in values.items():
        best[len(borders)] = max(best.get(len(borders), -math.inf), value)
    assert [len(each.borders) for each in found] == sorted(best)
    for each in found:
        assert each.value == pytest.approx(best[len(each.borders)], abs=1e-9)
        assert values[tuple(each.borders.tolist())] == pytest.approx(each.value, abs=1e-9)


@settings(max_examples=400, deadline=None)
@given(sums=COUNTS, sizes=SIZES, shape=st.sampled_from(SHAPES), extra=st.tuples(st.integers(1, 5), st.integers(1, 5)))
def test_information_values_are_the_largest_of_all_partitions(
    sums: Sums, sizes: Sizes, shape: Shape, extra: tuple[int, int]
) -> None:
    bad, good = (sum(side) + more for side, more in zip(zip(*sums, strict=True), extra, strict=True))
    tally = OutcomeTally(sums=np.array(sums, dtype=float), totals=(bad, good))
    by_hand = partitions_by_hand(sums, sizes, shape)
    values = {borders: iv_by_hand(bins, bad, good) for borders, bins in by_hand.items()}
    partitions = Partitions(tally, sizes)
    check(partitions.each(shape), values)
    most = max(values.values())
    fewest = min(len(borders) for borders, value in values.items() if value >= most * (1 - 1e-12))
    assert len(partitions.best(shape).borders) == fewest


@settings(max_examples=150, deadline=None)
@given(data=st.data(), sizes=SIZES, shape=st.sampled_from(SHAPES))
def test_explained_variance_is_the_largest_of_all_partitions(data: st.DataObject, sizes: Sizes, shape: Shape) -> None:
    sums = data.draw(st.lists(st.tuples(st.integers(1, 6), st.integers(-9, 9)), min_size=1, max_size=7))
    tally = QuantityTally(sums=np.array(sums, dtype=float), squares=1e3)
    values = {}
    for size in range(min(sizes.max_bins, len(sums))):
        for borders in itertools.combinations(range(1, len(sums)), size):
            ends = [0, *borders, len(sums)]
            bins = [(sum(w for w, _ in sums[i:j]), sum(t for _, t in sums[i:j])) for i, j in itertools.pairwise(ends)]
            shaped = follows(shape, [Fraction(t, w) for w, t in bins])
            if not borders or (shaped and all(w >= sizes.weight for w, _ in bins)):
                values[borders] = sum(t * t / w for w, t in bins)
    check(Partitions(tally, sizes).each(shape), values)


@settings(max_examples=100, deadline=None)
@given(sums=COUNTS, shape=st.sampled_from(SHAPES), weights=st.data())
def test_pure_pre_bins_stay_pure_under_any_weights(sums: Sums, shape: Shape, weights: st.DataObject) -> None:
    factors = weights.draw(st.lists(st.floats(0.01, 3), min_size=len(sums), max_size=len(sums)))
    weighed = np.array(sums) * np.array(factors)[:, None]
    bad, good = (weighed.sum(axis=0) + 0.1).tolist()
    tally = OutcomeTally(sums=weighed, totals=(bad, good), pseudo=0.005)
    found = Partitions(tally, Sizes(max_bins=7)).best(shape)
    merged = tally.merged(found.borders)
    assert found.value == pytest.approx(merged.value(), abs=1e-9)
    ends = [0, *found.borders.tolist(), len(sums)]
    for side in (0, 1):
        none = [not any(each[side] for each in sums[i:j]) for i, j in itertools.pairwise(ends)]
        assert (merged.sums[:, side] == 0).tolist() == none


def test_equal_values_are_resolved_for_fewer_attributes_then_further_left() -> None:
    same = OutcomeTally(sums=np.array([[8.0, 2], [4, 1], [4, 16]]), totals=(16, 19))
    assert Partitions(same, Sizes(max_bins=3)).best("free").borders.tolist() == [2]
    mirrored = OutcomeTally(sums=np.array([[9.0, 1], [5, 5], [1, 9]]), totals=(15, 15))
    assert Partitions(mirrored, Sizes(max_bins=2)).best("ascending").borders.tolist() == [1]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_limit_can_forbid_one_attribute(shape: Shape) -> None:
    tally: Tally = OutcomeTally(sums=np.array([[1.0, 2], [2, 1]]), totals=(3, 3))
    assert Partitions(tally, Sizes(max_bins=5, weight=100)).best(shape).borders.tolist() == []
    assert Partitions(tally, Sizes(max_bins=1)).best(shape).borders.tolist() == []


def test_rates_of_large_counts_are_compared_exactly() -> None:
    n = 2**25
    rising = OutcomeTally(sums=np.array([[n, n - 1.0], [n - 1, n - 2.0]]), totals=(2 * n, 2 * n))
    first, second = Fraction(n - 1, 2 * n - 1), Fraction(n - 2, 2 * n - 3)
    assert first > second  # by 2^-53 or so
    assert len(Partitions(rising, Sizes(max_bins=2)).each("ascending")) == 1
    assert len(Partitions(rising, Sizes(max_bins=2)).each("descending")) == 2
