"""A front holds every merge that no other beats: against all merges there are, and against the search for one bound."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.measures.numerics.counts import information_value
from scrutable_lda_xgb1.fronts import Front, front
from scrutable_lda_xgb1.joined_prebins import PreBinned
from scrutable_lda_xgb1.merging import merge
from scrutable_lda_xgb1.options import MergeOptions

TRENDS = [None, "ascending", "descending"]


def merged(pre: PreBinned, borders: list[int]) -> np.ndarray:
    """Counts of the merged bins and those after them: good, bad, protected, reference."""
    ends = np.array([0, *borders, *range(pre.n, len(pre.good))])
    columns = np.column_stack([pre.good, pre.bad, pre.protected[:, 0], pre.reference[:, 0]])
    return np.add.reduceat(columns, ends, axis=0)


def figures(pre: PreBinned, borders: list[int]) -> tuple[float, float]:
    """IV of the merged bins and FIV of all, by definition."""
    counts = merged(pre, borders)
    good, bad = counts[: len(borders) + 1, :2].T
    half = pre.lightest / 2 * ((good > 0) != (bad > 0))
    some, all_good, all_bad = good + bad > 0, pre.good.sum(), pre.bad.sum()
    woe = np.log((good + half)[some] / all_good / ((bad + half)[some] / all_bad))
    iv = np.maximum(0.0, (good / all_good - bad / all_bad)[some] * woe).sum()
    return float(iv), information_value(counts[:, 2], counts[:, 3], zero="inf")


def allowed(pre: PreBinned, borders: list[int], options: MergeOptions, trend: str | None) -> bool:
    if not borders:
        return True
    counts = merged(pre, borders)[: len(borders) + 1]
    rows = counts[:, 0] + counts[:, 1]
    if (rows <= 0).any() or (counts[:, 2:] <= 0).any() or (counts[:, :2] < options.min_events - 1e-9).any():
        return False
    if (rows / (pre.good.sum() + pre.bad.sum()) < options.min_share - 1e-12).any():
        return False
    if options.max_bins is not None and len(counts) > options.max_bins:
        return False
    steps = counts[1:, 0] * rows[:-1] - counts[:-1, 0] * rows[1:]
    return trend is None or bool((steps >= 0).all() if trend == "ascending" else (steps <= 0).all())


def check_against_all_merges(pre: PreBinned, found: Front, options: MergeOptions, trend: str | None) -> None:
    every = [list(b) for size in range(pre.n) for b in itertools.combinations(range(1, pre.n), size)]
    points = np.array([figures(pre, borders) for borders in every if allowed(pre, borders, options, trend)])
    points = points[np.isfinite(points[:, 1])]
    assert (len(points) == 0) == (len(found.iv) == 0)
    assert (np.diff(found.iv) > 0).all()
    assert (np.diff(found.fiv) > 0).all()
    for position in range(len(found.iv)):
        borders = found.borders(position)
        assert allowed(pre, borders, options, trend)
        assert figures(pre, borders) == pytest.approx((found.iv[position], found.fiv[position]), abs=1e-12)
    for iv, fiv in points:
        # Sums in another order differ in the last digits.
        position = found.within(fiv + 1e-14 * max(1.0, fiv))
        assert position is not None
        assert found.iv[position] >= iv - 1e-9


@settings(deadline=None, max_examples=200)
@example(counts=[(1, 1, 1, 1), (1, 2, 1, 1)], fixed=0, trend=None, options=MergeOptions(), pure=[None] * 9)
@given(
    counts=st.lists(st.tuples(*[st.integers(0, 20)] * 4), min_size=1, max_size=9),
    fixed=st.integers(0, 2),
    trend=st.sampled_from(TRENDS),
    options=st.builds(
        MergeOptions,
        min_share=st.sampled_from([0.0, 0.1]),
        min_events=st.sampled_from([0, 8]),
        max_bins=st.sampled_from([None, 1, 2, 3, 5]),
    ),
    pure=st.lists(st.sampled_from([None, 0, 1]), min_size=9, max_size=9),
)
def test_front_equals_brute_force_on_any_counts(
    counts: list[tuple[int, ...]], fixed: int, trend: str | None, options: MergeOptions, pure: list[int | None]
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
        protected=table[:, 2:3],
        reference=table[:, 3:4],
        limits=np.array([0.0]),
    )
    found = front(pre, options, trend=trend)
    check_against_all_merges(pre, found, options, trend)


@pytest.mark.parametrize("trend", TRENDS)
@pytest.mark.parametrize(
    "options",
    [MergeOptions(), MergeOptions(max_bins=4), MergeOptions(min_share=0.12, min_events=25)],
    ids=["free", "few", "large"],
)
def test_front_equals_brute_force(make_counts, options: MergeOptions, trend: str | None) -> None:
    sizes = []
    for seed in range(3):
        pre = make_counts(seed, 11, fixed=seed % 2, wild=seed == 2)
        found = front(pre, options, trend=trend)
        check_against_all_merges(pre, found, options, trend)
        sizes.append(len(found.iv))
    assert max(sizes) > (1 if trend == "descending" else 5)


@pytest.mark.parametrize("trend", TRENDS)
@pytest.mark.parametrize(
    "options", [MergeOptions(), MergeOptions(min_share=0.02), MergeOptions(max_bins=5)], ids=["free", "large", "few"]
)
def test_front_agrees_with_the_search_for_one_bound(make_counts, options: MergeOptions, trend: str | None) -> None:
    rng = np.random.default_rng(1)
    for seed, n, wild in ((0, 34, False), (1, 45, True), (2, 55, False)):
        pre = make_counts(seed, n, fixed=1, wild=wild)
        found = front(pre, options, trend=trend)
        for limit in found.fiv[0] + (found.fiv[-1] - found.fiv[0] + 1e-6) * rng.uniform(0.01, 1.1, 3) ** 2:
            best = merge(replace(pre, limits=np.array([limit])), options, trend)
            position = found.within(limit)
            assert best is not None
            assert position is not None
            assert found.fiv[position] <= limit
            assert figures(pre, best)[0] == pytest.approx(found.iv[position], abs=1e-9)


def rising(n: int, seed: int) -> PreBinned:
    """A favourable rate that rises, with noise: a trend then makes it matter which bins may follow."""
    rng = np.random.default_rng(seed)
    rows, along = rng.integers(40, 120, n), np.linspace(-1.5, 1.5, n)
    good = 1 + rng.binomial(rows, 1 / (1 + np.exp(-along - rng.normal(0, 0.3, n))))
    protected = 1 + rng.binomial(rows, 1 / (1 + np.exp(0.8 * along + rng.normal(0, 0.3, n))))
    sides = {"protected": protected[:, None] * 1.0, "reference": (rows - protected + 2)[:, None] * 1.0}
    return PreBinned(n=n, good=good * 1.0, bad=rows - good + 2.0, limits=np.array([np.inf]), **sides)


@pytest.mark.parametrize("seed", [5, 41])
def test_what_may_follow_counts_under_a_trend(seed: int) -> None:
    pre = rising(12, seed)
    check_against_all_merges(pre, front(pre, MergeOptions(), trend="ascending"), MergeOptions(), "ascending")


@pytest.mark.parametrize("seed", [0, 3])
def test_what_may_follow_counts_under_a_trend_with_many_pre_bins(seed: int) -> None:
    pre = rising(80, seed)
    found = front(pre, MergeOptions(), trend="ascending")
    for limit in np.quantile(found.fiv, [0.2, 0.5, 0.8]):
        best = merge(replace(pre, limits=np.array([limit])), MergeOptions(), "ascending")
        position = found.within(limit)
        assert best is not None
        assert position is not None
        assert figures(pre, best)[0] == pytest.approx(found.iv[position], abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), trend=st.sampled_from(TRENDS))
@example(seed=38935, trend=None)  # sums of about 34, of which two orders differ by 1.4e-14
def test_counts_of_many_magnitudes_keep_their_digits(seed: int, trend: str | None) -> None:
    table = np.exp(np.random.default_rng(seed).normal(0, 8, (7, 4)))
    pre = PreBinned(
        n=7, good=table[:, 0], bad=table[:, 1], protected=table[:, 2:3], reference=table[:, 3:4], limits=np.array([0.0])
    )
    found = front(pre, MergeOptions(), trend=trend)
    check_against_all_merges(pre, found, MergeOptions(), trend)


def test_merges_that_differ_by_little_are_told_apart() -> None:
    """A pre-bin that adds 1e-8 of IV has a place on the front."""
    good, bad = np.array([5e3, 5e3, 1e4]), np.array([9e3, 9e3 * (1 + 3e-4), 2e3])
    protected, reference = np.array([[4e3], [4.2e3], [6e3]]), np.array([[7e3], [7e3], [5e3]])
    pre = PreBinned(n=3, good=good, bad=bad, protected=protected, reference=reference, limits=np.array([np.inf]))
    found = front(pre, MergeOptions())
    assert found.borders(-1) == [1, 2]
    assert 1e-9 < found.iv[-1] - found.iv[-2] < 1e-7


def test_ratios_beyond_doubles_make_no_bin() -> None:
    rng, reference = np.random.default_rng(0), np.full((30, 1), 1e-310)
    reference[-1] = 1.0
    counts = {"good": rng.uniform(1, 9, 30), "bad": rng.uniform(1, 9, 30), "protected": np.ones((30, 1))}
    found = front(PreBinned(n=30, reference=reference, limits=np.array([np.inf]), **counts), MergeOptions())
    assert np.isfinite(found.fiv).all()
    assert np.isfinite(found.iv).all()


def test_a_front_too_large_is_refused(make_counts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_lda_xgb1.fronts._LARGEST", 200)
    assert len(front(make_counts(0, 5), MergeOptions()).iv) > 1
    with pytest.raises(InputError, match=r"30 pre-bins.*min_share"):
        front(make_counts(0, 30), MergeOptions())


def test_within_is_exact() -> None:
    found = Front(iv=np.array([0.0, 0.5]), fiv=np.array([0.1, 0.3]), marks=np.array([[False, False], [False, True]]))
    assert found.within(np.nextafter(0.1, 0)) is None
    assert found.within(0.1) == 0
    assert found.within(np.nextafter(0.3, 0)) == 0
    assert found.within(0.3) == 1
    assert found.borders(1) == [1]


def test_weighted_counts_whose_groups_are_alike(make_counts) -> None:
    """FIVs of nothing but rounding errors: the front is the merge of highest IV, to rounding."""
    pre = make_counts(3, 10)
    share = np.random.default_rng(0).uniform(0.1, 1, (10, 1))
    pre = replace(pre, protected=share, reference=share * 0.3)
    found = front(pre, MergeOptions())
    assert found.fiv[-1] < 1e-12
    assert found.iv[-1] == pytest.approx(figures(pre, list(range(1, 10)))[0], abs=1e-9)


def test_missing_values_that_one_group_lacks_leave_no_point(make_counts) -> None:
    pre = make_counts(0, 6, fixed=1)
    protected = pre.protected.copy()
    protected[-1] = 0
    found = front(replace(pre, protected=protected), MergeOptions())
    assert len(found.iv) == 0
    assert found.within(np.inf) is None


@pytest.mark.parametrize("bounds", [0, 2])
def test_a_front_needs_one_contrast(make_counts, bounds: int) -> None:
    with pytest.raises(InputError, match=f"{bounds} contrasts"):
        front(make_counts(0, 5, bounds=bounds), MergeOptions())
