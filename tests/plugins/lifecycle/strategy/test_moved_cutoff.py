"""Cutoffs that are moved by so many points, against every score around them."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.values import LIMIT, UNIT
from scrutable_lifecycle.strategy.moved_cutoff import moved_cutoff

CUTOFFS = st.one_of(
    st.integers(-9000, 9000).map(lambda tenths: tenths / 10),
    st.floats(-1000, 1000),
    st.sampled_from([0.0, LIMIT, -LIMIT, 1e300, 1e-300]),
)
SCORES = st.one_of(st.integers(-2000, 2000).map(float), st.integers(-(2**53), 2**53).map(lambda place: place * UNIT))


@settings(deadline=None, derandomize=True, database=None, max_examples=400)
@given(CUTOFFS, CUTOFFS, SCORES, SCORES)
def test_the_moved_cutoff_decides_as_the_distance_does(cutoff: float, other: float, level: float, score: float) -> None:
    for by in (level - cutoff, level - other):
        moved = moved_cutoff(cutoff, by)
        near = [level, level - UNIT, level + UNIT, math.floor(moved) if math.isfinite(moved) else 0.0]
        for each in (*near, score):
            if abs(each) <= LIMIT:
                assert (each >= moved) == (each - cutoff >= by)


def test_a_level_that_the_sum_misses_is_hit() -> None:
    assert -19.9 + (50 - -19.9) > 50
    assert moved_cutoff(-19.9, 50 - -19.9) == 50
    assert moved_cutoff(500.3, 2.5) == 502.8
    assert moved_cutoff(520, -1e9) <= -LIMIT
    assert moved_cutoff(520, 1e9) > LIMIT
