"""Values in buckets: fine enough for every cut, few however many rows, and the same for any order of the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import levels as module
from scrutable.data.frames.levels import Floats, Levels, bucketed_numbers

_EDGES = [0.0, -0.0, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308, np.inf, -np.inf, 2.0**900, 2.0**899.5]
NUMBERS = st.one_of(st.floats(), st.integers(-5, 5).map(float), st.sampled_from(_EDGES))
CODES = st.lists(st.sampled_from([0.0, 1.0, -9.0, np.inf]), max_size=2, unique=True)


def check(values: Floats, apart: list[float], levels: Levels) -> None:
    """Every row lies in its bucket, buckets do not overlap, and codes are alone."""
    missing = np.isnan(values)
    low, high = levels.low[levels.place], levels.high[levels.place]
    assert (np.isnan(low) == missing).all()
    assert (low[~missing] <= values[~missing]).all()
    assert (values[~missing] <= high[~missing]).all()
    codes = np.isin(values, apart)
    assert (low[codes] == high[codes]).all()
    ordinary = ~(np.isin(levels.low, apart) | np.isnan(levels.low))
    assert (levels.high[ordinary][:-1] < levels.low[ordinary][1:]).all()
    there = levels.low[~np.isnan(levels.low)]
    assert there.tolist() == sorted(there)
    assert np.bincount(levels.place).all()


@settings(max_examples=300, deadline=None, derandomize=True)
@given(values=st.lists(NUMBERS, min_size=1, max_size=50), apart=CODES, buckets=st.sampled_from([1, 5, 4_096]))
def test_buckets_hold_what_they_say_in_any_order(values: list[float], apart: list[float], buckets: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUCKETS", buckets)
        patch.setattr(module, "FEW_ROWS", 0)
        column = np.array(values)
        levels = bucketed_numbers(column, apart)
        check(column, apart, levels)
        order = np.random.default_rng(0).permutation(len(column))
        again = bucketed_numbers(column[order], apart)
    assert np.array_equal(again.low, levels.low, equal_nan=True)
    assert np.array_equal(again.place, levels.place[order])
    if buckets == 4_096:
        assert len(levels.low) == len(np.unique(column))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    values=st.lists(NUMBERS, min_size=1, max_size=30),
    apart=CODES,
    cuts=st.lists(NUMBERS.filter(lambda cut: cut == cut), max_size=5, unique=True).map(sorted),
)
def test_cuts_within_a_bucket_are_found(values: list[float], apart: list[float], cuts: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUCKETS", 1)
        patch.setattr(module, "HEAVY", 2)
        patch.setattr(module, "FEW_ROWS", 0)
        levels = bucketed_numbers(np.array(values), apart)
    ends = list(zip(levels.low.tolist(), levels.high.tolist(), strict=True))
    assert levels.parts_at(cuts) == (not any(low < cut <= high for cut in cuts for low, high in ends))


def drawn(kind: str) -> Floats:
    draw = np.random.default_rng(3)
    amounts = draw.lognormal(10, 1, 60_000).round(2)
    return {
        "amounts": amounts,
        "amounts, many of them 50,000": np.where(draw.random(60_000) < 0.02, 50_000.0, amounts),
        "nearly alike": 1e6 + draw.random(60_000),
        "half of them nearly alike": np.where(draw.random(60_000) < 0.5, 1e6 + draw.random(60_000), amounts),
        "both signs, with codes": np.where(draw.random(60_000) < 0.1, -999.0, draw.standard_cauchy(60_000)),
        "years": draw.integers(1950, 2025, 60_000).astype(float),
    }[kind]


@pytest.mark.parametrize(
    ("kind", "buckets"),
    [
        ("amounts", (4_096, 10_000)),
        ("amounts, many of them 50,000", (4_096, 10_000)),
        ("nearly alike", (4_096, 17_000)),
        ("half of them nearly alike", (4_096, 17_000)),
        ("both signs, with codes", (4_096, 17_000)),
        ("years", (75, 75)),
    ],
)
def test_buckets_are_some_thousands_and_none_is_heavy(kind: str, buckets: tuple[int, int]) -> None:
    values = drawn(kind)
    levels = bucketed_numbers(values, [-999.0])
    check(values, [-999.0], levels)
    assert buckets[0] <= len(levels.low) <= buckets[1]
    mixed = levels.low < levels.high
    assert np.bincount(levels.place)[mixed].max(initial=0) <= len(values) / 256


def test_up_to_32768_rows_every_value_is_by_itself() -> None:
    values = drawn("amounts")[: 2**15]
    assert len(bucketed_numbers(values).low) == len(np.unique(values))
    assert len(bucketed_numbers(drawn("amounts")[: 2**15 + 1]).low) < 10_000


def test_a_frequent_number_is_alone() -> None:
    values = drawn("amounts, many of them 50,000")
    levels = bucketed_numbers(values)
    at = int(np.flatnonzero(levels.low == 50_000.0)[0])
    assert levels.high[at] == 50_000.0
    assert np.bincount(levels.place)[at] == (values == 50_000.0).sum()
