"""The library's bins, and what it drops put back."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from optbinning import OptimalBinning

from scrutable import create
from scrutable_optbinning.pure import pure_runs, trimmed


def statistics(x: Any, y: Any, **options: Any) -> list[Any]:
    table = create("binner", "optbinning", **options).fit({"x": x}, y).binning_["x"]
    return [s for s in table.statistics if s.count]


def drawn(rate: Any) -> Any:
    return (np.random.default_rng(1).random(len(rate)) < rate).astype(int)


def test_a_pure_range_inside_has_an_attribute_and_the_limits_hold() -> None:
    x = np.arange(3000.0)
    y = drawn(np.where((x >= 1000) & (x < 1400), 0.0, 0.6 + 0.3 * (x > 2000)))
    found = statistics(x, y, shape="free")
    worst = max(found, key=lambda s: s.bad_rate)
    assert worst.bad_rate > 0.99
    assert worst.count >= 380
    few = statistics(x, y, max_bins=3, min_share=0.1)
    assert len(few) == 3
    assert min(s.share for s in few) >= 0.1
    assert max(s.bad_rate for s in few) > 0.99


def test_pure_categories_of_one_outcome_are_one_attribute() -> None:
    code = np.arange(4000) % 5
    y = np.select([code == 0, code == 1, code == 2], [0, 0, 1], drawn(np.where(code == 3, 0.3, 0.7)))
    groups = create("binner", "optbinning").fit({"x": np.array(list("abcde"))[code]}, y).binning_["x"].conditions
    found = {frozenset(group.values) for group in groups if hasattr(group, "values")}
    assert found == {frozenset("ab"), frozenset("c"), frozenset("d"), frozenset("e")}


def test_a_least_share_is_one_of_all_rows() -> None:
    half_missing = np.tile([1.0, 2.0, np.nan, np.nan], 60)
    y = drawn(np.tile([0.1, 0.9, 0.5, 0.5], 60))
    assert [s.share for s in statistics(half_missing, y, min_share=0.25)] == [0.25, 0.25, 0.5]
    assert [s.share for s in statistics(half_missing, y, min_share=0.26)] == [0.5, 0.5]


def test_what_pure_categories_leave_keeps_the_least_share() -> None:
    place = np.arange(1200) % 100
    text = np.select([place < 49, place < 98], ["a", "b"], "c").astype(object)
    y = ((place < 49) | (place == 98)).astype(int)
    assert sorted(s.share for s in statistics(text, y, min_share=0.02)) == [0.02, 0.49, 0.49]
    assert sorted(s.share for s in statistics(text, y, min_share=0.1)) == [0.49, 0.51]


def test_without_pure_pre_bins_the_library_is_left_alone() -> None:
    x = np.random.default_rng(0).normal(size=2000)
    y = drawn(1 / (1 + np.exp(-x)))
    share = 0.05
    library = OptimalBinning(max_n_bins=8, min_prebin_size=share, min_bin_size=share, monotonic_trend="ascending")
    library.fit(x, y)
    found = create("binner", "optbinning", trends={"x": "ascending"}).fit({"x": x}, y).binning_["x"]
    assert len(found.ordered) == len(library.splits) + 1
    counts = np.histogram(x, [-np.inf, *library.splits, np.inf])[0]
    assert [found.statistics[i].count for i in found.ordered] == counts.tolist()


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=2, max_size=9),
    most=st.integers(1, 6),
    least=st.integers(0, 20),
)
def test_trimming_keeps_both_limits_and_drops_no_more(counts: list[tuple[int, int]], most: int, least: int) -> None:
    table = np.array([*counts, (1, 2)], dtype=float)
    every = list(range(1, len(table)))
    kept = trimmed(every, table, most, least)
    bins = np.add.reduceat(table, [0, *kept], axis=0)
    assert len(bins) <= most
    assert len(bins) == 1 or bins.sum(axis=1).min() >= least
    assert trimmed(kept, table, most, least) == kept


def test_pure_runs_join_neighbours_of_one_outcome_only() -> None:
    counts = np.array([[1.0, 0], [2, 0], [0, 3], [0, 1], [2, 2], [4, 0]])
    assert pure_runs(counts, np.array([1, 2, 3, 4, 5])) == [(0, 2), (2, 4), (5, 6)]
    assert pure_runs(counts, np.array([2, 5])) == [(0, 2), (5, 6)]
