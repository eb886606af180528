"""Merging finds the optimum: against every merge there is, and for more pre-bins against a plain recursion."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable_lda_xgb1 import merging
from scrutable_lda_xgb1.joined_prebins import PreBinned, Segments
from scrutable_lda_xgb1.merging import merge, undominated
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.relaxation import Follow, Priced

PARTS = ("good", "bad", "protected", "reference")


def divergence(p: float, q: float) -> float:
    return (p - q) * np.log(p / q) if p > 0 and q > 0 else 0.0


def told(good: float, bad: float, pre: PreBinned) -> float:
    """What a bin adds to the IV: half of the lightest row is added to both counts of a pure one."""
    half = pre.lightest / 2 if (good > 0) != (bad > 0) else 0.0
    if good + bad == 0:
        return 0.0
    all_good, all_bad = pre.good.sum(), pre.bad.sum()
    odds = (good + half) / all_good / ((bad + half) / all_bad)
    return max(0.0, (good / all_good - bad / all_bad) * np.log(odds))


def merges(n: int) -> Iterator[list[int]]:
    for size in range(n):
        yield from map(list, itertools.combinations(range(1, n), size))


def value(pre: PreBinned, borders: list[int], trend: str | None, options: MergeOptions) -> float | None:
    """IV of a merge by definition; None where it is not allowed."""
    pieces = [slice(low, high) for low, high in itertools.pairwise([0, *borders, pre.n])]
    shares = {name: getattr(pre, name) / getattr(pre, name).sum(axis=0) for name in PARTS}
    every = (pre.good + pre.bad) / (pre.good + pre.bad).sum()
    if len(pieces) > 1:
        held = [every[piece].sum() for piece in pieces]
        held += [shares[name][piece].sum(axis=0) for piece in pieces for name in ("protected", "reference")]
        if any((np.asarray(part) <= 0).any() for part in held):
            return None
        if any(every[piece].sum() < options.min_share - 1e-12 for piece in pieces):
            return None
        if any(min(pre.good[piece].sum(), pre.bad[piece].sum()) < options.min_events for piece in pieces):
            return None
    if options.max_bins is not None and len(pieces) > options.max_bins:
        return None
    fixed = [slice(position, position + 1) for position in range(pre.n, len(pre.good))]
    for k, limit in enumerate(pre.limits):
        sides = [(shares["protected"][p, k].sum(), shares["reference"][p, k].sum()) for p in [*pieces, *fixed]]
        one_sided = any((p > 0) != (q > 0) for p, q in sides)
        if one_sided or sum(divergence(p, q) for p, q in sides) > limit + 1e-12:
            return None
    counted = [(float(pre.good[piece].sum()), float(pre.bad[piece].sum())) for piece in pieces]
    odds = [g / b if b else np.inf if g else np.nan for g, b in counted]
    if trend and odds != sorted(odds, reverse=trend == "descending"):
        return None
    return sum(told(g, b, pre) for g, b in counted)


@settings(deadline=None, max_examples=150)
@given(
    counts=st.lists(st.tuples(*[st.integers(0, 20)] * 6), min_size=1, max_size=8),
    fixed=st.integers(0, 2),
    limits=st.tuples(st.floats(0, 1.5), st.floats(0, 1.5)),
    trend=st.sampled_from([None, "ascending", "descending"]),
    options=st.builds(
        MergeOptions,
        min_share=st.sampled_from([0.0, 0.1, 0.3]),
        min_events=st.sampled_from([0, 8, 20.5]),
        max_bins=st.sampled_from([None, 1, 2, 3, 5]),
    ),
    lightest=st.sampled_from([1.0, 0.25]),
    pure=st.lists(st.sampled_from([None, 0, 1]), min_size=8, max_size=8),
)
def test_merge_equals_brute_force(
    counts: list[tuple[int, ...]],
    fixed: int,
    limits: tuple[float, float],
    trend: str | None,
    options: MergeOptions,
    lightest: float,
    pure: list[int | None],
) -> None:
    table = np.array(counts, dtype=float)
    for row, side in zip(table, pure, strict=False):
        if side is not None:
            row[side] = 0.0
    assume((table.sum(axis=0) > 0).all())
    pre = PreBinned(
        n=max(1, len(counts) - fixed),
        good=table[:, 0],
        bad=table[:, 1],
        protected=table[:, [2, 3]],
        reference=table[:, [4, 5]],
        limits=np.array(limits),
        lightest=lightest,
    )
    values = [value(pre, borders, trend, options) for borders in merges(pre.n)]
    best = max((v for v in values if v is not None), default=None)
    found = merge(pre, options, trend)
    if best is None:
        assert found is None
        return
    assert found is not None
    ours = value(pre, found, trend, options)
    assert ours == pytest.approx(best, abs=1e-9)


def test_no_room_at_all() -> None:
    pre = PreBinned(
        n=1,
        good=np.array([5.0, 5.0]),
        bad=np.array([2.0, 8.0]),
        protected=np.array([[5.0], [5.0]]),
        reference=np.array([[1.0], [9.0]]),
        limits=np.array([0.01]),
    )
    assert merge(pre, MergeOptions()) is None


def random_counts(seed: int, n: int, bounds: int) -> PreBinned:
    """Rates that wander, and groups whose shares wander with them."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(20, 80, n)
    good = rng.binomial(rows, 1 / (1 + np.exp(-np.cumsum(rng.normal(0, 0.4, n)))))
    share = 1 / (1 + np.exp(-np.cumsum(rng.normal(0, 0.4, (n, bounds)), axis=0)))
    protected = rng.binomial(rows[:, None], share)
    return PreBinned(
        n=n,
        good=good.astype(float),
        bad=(rows - good).astype(float),
        protected=protected.astype(float),
        reference=(rows[:, None] - protected).astype(float),
        limits=rng.uniform(0.05, 0.6, bounds),
    )


def best_by_recursion(pre: PreBinned, trend: str | None, min_share: float) -> float:
    """Highest IV of two bins or more, from all pairs (IV, FIVs) that each start and last rate can lead to."""
    sides = [*zip(pre.protected.T, pre.reference.T, strict=True)]
    total = (pre.good + pre.bad).sum()

    def piece(low: int, high: int) -> tuple[float, ...] | None:
        good, bad = pre.good[low:high].sum(), pre.bad[low:high].sum()
        pairs = [(p[low:high].sum(), q[low:high].sum()) for p, q in sides]
        if any(min(pair) <= 0 for pair in pairs) or (good + bad) / total < min_share:
            return None
        fivs = [divergence(a / p.sum(), b / q.sum()) for (a, b), (p, q) in zip(pairs, sides, strict=True)]
        return told(good, bad, pre), *fivs

    @functools.cache
    def ends(start: int, rate: float) -> frozenset[tuple[float, ...]]:
        if start == pre.n:
            return frozenset({(0.0,) * (1 + len(sides))})
        found: set[tuple[float, ...]] = set()
        for stop in range(start + 1, pre.n + 1):
            own = piece(start, stop)
            next_rate = float(pre.good[start:stop].sum() / (pre.good[start:stop] + pre.bad[start:stop]).sum())
            wrong = next_rate < rate if trend == "ascending" else next_rate > rate
            if own is None or (trend and rate >= 0 and wrong):
                continue
            for rest in ends(stop, next_rate if trend else -1.0):
                both = tuple(map(sum, zip(own, rest, strict=True)))
                if all(fiv <= limit for fiv, limit in zip(both[1:], pre.limits, strict=True)):
                    found.add(both)
        return frozenset(found)

    return max((values[0] for values in ends(0, -1.0)), default=0.0)


@pytest.mark.parametrize("trend", [None, "ascending", "descending"])
@pytest.mark.parametrize(
    ("n", "bounds", "min_share"), [(13, 0, 0.0), (13, 1, 0.0), (13, 2, 0.05), (24, 1, 0.12), (24, 3, 0.09)]
)
def test_merge_equals_a_recursion_over_more_pre_bins(n: int, bounds: int, min_share: float, trend: str | None) -> None:
    merged = 0
    for seed in range(6):
        pre = random_counts(seed, n, bounds)
        options = MergeOptions(min_share=min_share)
        found = merge(pre, options, trend)
        assert found is not None
        merged += len(found) > 0
        assert value(pre, found, trend, options) == pytest.approx(best_by_recursion(pre, trend, min_share), abs=1e-9)
    assert merged > 0


def test_a_pure_bin_is_a_bin_like_others() -> None:
    """A value of 500 in 5,000 rows that is all bad keeps a bin; where good rows are asked for, it has none."""
    none = np.empty((3, 0))
    pre = PreBinned(
        n=3,
        good=np.array([0.0, 1_800.0, 1_900.0]),
        bad=np.array([500.0, 450.0, 350.0]),
        protected=none,
        reference=none,
        limits=np.empty(0),
    )
    assert merge(pre, MergeOptions(), "ascending") == [1, 2]
    assert merge(pre, MergeOptions(min_events=1)) == [2]


def test_min_share_is_part_of_the_optimum() -> None:
    pre = PreBinned(
        n=4,
        good=np.array([1.0, 40.0, 15.0, 10.0]),
        bad=np.array([3.0, 6.0, 15.0, 40.0]),
        protected=np.empty((4, 0)),
        reference=np.empty((4, 0)),
        limits=np.empty(0),
    )
    assert merge(pre, MergeOptions()) == [1, 2, 3]
    assert merge(pre, MergeOptions(min_share=0.1)) == [2, 3]
    assert merge(pre, MergeOptions(min_share=0.3)) == [2]
    assert merge(pre, MergeOptions(min_share=0.6)) == []


def test_max_bins_is_part_of_the_optimum() -> None:
    """Against every merge into so many bins; fewer bins never tell more."""
    for seed in range(4):
        pre = random_counts(seed, 14, 2)
        found = []
        for most in (1, 2, 3, 4, 14):
            options = MergeOptions(max_bins=most)
            tried = (list(b) for size in range(most) for b in itertools.combinations(range(1, 14), size))
            best = merge(pre, options)
            assert best is not None
            found.append(value(pre, best, None, options))
            if most < 5:
                values = [v for v in (value(pre, borders, None, options) for borders in tried) if v is not None]
                assert found[-1] == pytest.approx(max(values), abs=1e-9)
        assert found == sorted(found)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"min_share": 1.5}, "min_share: unusable number"),
        ({"min_share": float("nan")}, "min_share: unusable number"),
        ({"min_events": -1}, "min_events: unusable number"),
        ({"min_events": float("inf")}, "min_events: unusable number"),
        ({"max_bins": 0}, "whole number from 1"),
        ({"max_bins": 2.5}, "whole number from 1"),
    ],
)
def test_options_out_of_range(options: dict[str, float], text: str) -> None:
    with pytest.raises(InputError, match=text):
        MergeOptions(**options)


def test_one_bin_that_lacks_a_group_that_others_have_breaks_its_bound() -> None:
    pre = PreBinned(
        n=1,
        good=np.array([5.0, 5.0]),
        bad=np.array([2.0, 8.0]),
        protected=np.array([[0.0], [5.0]]),
        reference=np.array([[1.0], [9.0]]),
        limits=np.array([9.0]),
    )
    assert merge(pre, MergeOptions()) is None


@pytest.mark.parametrize("seed", [6, 7, 10])
def test_the_search_goes_on_where_its_narrow_rounds_miss_the_best(seed: int) -> None:
    """With 40 pre-bins, against plain fronts (IV, FIV) of the merges of the first pre-bins."""
    pre = random_counts(seed, 40, 1)
    protected, reference = pre.protected[:, 0] / pre.protected.sum(), pre.reference[:, 0] / pre.reference.sum()
    fronts: list[list[tuple[float, float]]] = [[(0.0, 0.0)]]
    for stop in range(1, 41):
        reached = []
        for start, front in enumerate(fronts):
            p, q = protected[start:stop].sum(), reference[start:stop].sum()
            iv, fiv = told(pre.good[start:stop].sum(), pre.bad[start:stop].sum(), pre), divergence(p, q)
            if min(p, q) > 0:
                reached += [(a + iv, b + fiv) for a, b in front if b + fiv <= pre.limits[0]]
        fronts.append([])
        for a, b in sorted(reached, reverse=True):
            if not fronts[-1] or b < fronts[-1][-1][1]:
                fronts[-1].append((a, b))
    found = merge(pre, MergeOptions())
    assert found is not None
    assert value(pre, found, None, MergeOptions()) == pytest.approx(fronts[-1][0][0], abs=1e-9)


@pytest.mark.parametrize(("n", "seed"), [(12, 128), (14, 24)])
def test_a_label_with_a_lower_last_rate_is_not_dropped(monkeypatch: pytest.MonkeyPatch, n: int, seed: int) -> None:
    """Without proofs, which would find the best merge even if such labels were lost; seeds where they matter."""

    def nothing_proved(segments: Segments, follow: Follow, room: np.ndarray) -> Iterator[tuple[Priced, float]]:
        priced = Priced(segments, follow, np.zeros(len(room)))
        priced.value = np.where(np.isfinite(priced.value), 100.0, -np.inf)
        priced.rest_iv = np.full(priced.value.shape, -np.inf)
        yield priced, np.inf

    monkeypatch.setattr(merging, "falling_bounds", nothing_proved)
    rng = np.random.default_rng(seed)
    rows = rng.integers(20, 80, n)
    good = rng.binomial(rows, np.linspace(0.25, 0.75, n) + rng.normal(0, 0.06, n).clip(-0.2, 0.2))
    protected = rng.binomial(rows[:, None], rng.uniform(0.2, 0.8, (n, 1)))
    pre = PreBinned(
        n=n,
        good=good.astype(float),
        bad=(rows - good).astype(float),
        protected=protected.astype(float),
        reference=(rows[:, None] - protected).astype(float),
        limits=rng.uniform(0.02, 0.2, 1),
    )
    found = merge(pre, MergeOptions(), "ascending")
    assert found is not None
    assert value(pre, found, "ascending", MergeOptions()) == pytest.approx(
        best_by_recursion(pre, "ascending", 0.0), abs=1e-9
    )


@pytest.mark.parametrize("columns", [0, 1, 2, 3])
def test_undominated_rows_by_definition(columns: int) -> None:
    cost = np.random.default_rng(columns).integers(0, 12, (400, columns)).astype(float)
    expected = [not any((cost[other] <= row).all() for other in range(at)) for at, row in enumerate(cost)]
    assert undominated(cost, block=64).tolist() == expected
