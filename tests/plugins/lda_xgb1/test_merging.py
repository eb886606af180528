"""The merging programme finds the optimum: against every merge there is, on random counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrutable_lda_xgb1.merging import PreBinned, coarsen, merge

PARTS = ("good", "bad", "protected", "reference")


def divergence(p: float, q: float) -> float:
    return (p - q) * np.log(p / q) if p > 0 and q > 0 else 0.0


def merges(n: int) -> Iterator[list[int]]:
    for size in range(n):
        yield from map(list, itertools.combinations(range(1, n), size))


def value(pre: PreBinned, borders: list[int], trend: str | None, min_share: float) -> float | None:
    """IV of a merge by definition; None where it is not allowed."""
    pieces = [slice(low, high) for low, high in itertools.pairwise([0, *borders, pre.n])]
    shares = {name: getattr(pre, name) / getattr(pre, name).sum(axis=0) for name in PARTS}
    every = (pre.good + pre.bad) / (pre.good + pre.bad).sum()
    good, bad = ([float(shares[name][piece].sum()) for piece in pieces] for name in ("good", "bad"))
    if len(pieces) > 1:
        held = [shares[name][piece].sum(axis=0) for piece in pieces for name in PARTS]
        if any((np.asarray(part) <= 0).any() for part in held):
            return None
        if any(every[piece].sum() < min_share - 1e-12 for piece in pieces):
            return None
    fixed = [slice(position, position + 1) for position in range(pre.n, len(pre.good))]
    for k, limit in enumerate(pre.limits):
        sides = [(shares["protected"][p, k].sum(), shares["reference"][p, k].sum()) for p in [*pieces, *fixed]]
        one_sided = any((p > 0) != (q > 0) for p, q in sides[len(pieces) :])
        if one_sided or sum(divergence(p, q) for p, q in sides) > limit + 1e-12:
            return None
    odds = [g / b if b else np.inf for g, b in zip(good, bad, strict=True)]
    if trend and odds != sorted(odds, reverse=trend == "descending"):
        return None
    return sum(divergence(g, b) for g, b in zip(good, bad, strict=True))


@settings(deadline=None, max_examples=150)
@given(
    counts=st.lists(st.tuples(*[st.integers(0, 20)] * 6), min_size=1, max_size=8),
    fixed=st.integers(0, 2),
    limits=st.tuples(st.floats(0, 1.5), st.floats(0, 1.5)),
    trend=st.sampled_from([None, "ascending", "descending"]),
    min_share=st.sampled_from([0.0, 0.1, 0.3]),
)
def test_merge_equals_brute_force(
    counts: list[tuple[int, ...]], fixed: int, limits: tuple[float, float], trend: str | None, min_share: float
) -> None:
    table = np.array(counts, dtype=float)
    assume((table.sum(axis=0) > 0).all())
    pre = PreBinned(
        n=max(1, len(counts) - fixed),
        good=table[:, 0],
        bad=table[:, 1],
        protected=table[:, [2, 3]],
        reference=table[:, [4, 5]],
        limits=np.array(limits),
    )
    values = [value(pre, borders, trend, min_share) for borders in merges(pre.n)]
    best = max((v for v in values if v is not None), default=None)
    found = merge(pre, min_share=min_share, trend=trend)  # type: ignore[arg-type]
    if best is None:
        assert found is None
        return
    assert found is not None
    ours = value(pre, found, trend, min_share)
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
    assert merge(pre) is None


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=30), st.floats(0, 0.6))
def test_coarsened_pieces_are_large_enough(shares: list[float], least: float) -> None:
    borders = coarsen(shares, least)
    pieces = [sum(shares[low:high]) for low, high in itertools.pairwise([0, *borders, len(shares)])]
    assert len(pieces) == 1 or all(piece >= least - 1e-9 for piece in pieces)
