"""The cutoff that approves a given share, where knock-outs decline some whatever it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.fairness import approval_threshold, reachable_threshold


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4)), min_size=1, max_size=30),
    st.floats(0.01, 1.0),
)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_the_threshold_is_the_highest_that_approves_enough(rows: list[tuple[int, int]], rate: float) -> None:
    score, weight = map(np.array, zip(*rows, strict=True))
    threshold = approval_threshold(score, rate, sample_weight=weight)
    assert threshold in score
    assert weight[score >= threshold].sum() / weight.sum() >= rate - 1e-9
    higher = weight[score > threshold].sum() / weight.sum()
    assert higher < rate


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4), st.booleans()), min_size=1, max_size=30),
    st.floats(0.01, 1.0),
)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_knocked_out_rows_count_among_all_and_are_never_approved(
    rows: list[tuple[int, int, bool]], rate: float
) -> None:
    score, weight, out = map(np.array, zip(*rows, strict=True))

    def approved(threshold: float) -> float:
        return float(weight[(score >= threshold) & ~out].sum() / weight.sum())

    threshold = reachable_threshold(score, rate, sample_weight=weight, knocked_out=out)
    if threshold is None:
        assert approved(score.min()) < rate
        with pytest.raises(InputError, match="no cutoff approves so many, because knock-outs or overrides decline"):
            approval_threshold(score, rate, sample_weight=weight, knocked_out=out)
        return
    assert threshold in score[~out]
    assert approved(threshold) >= rate - 1e-9
    assert approved(np.nextafter(threshold, np.inf)) < rate


def test_knock_outs_of_other_rows_are_refused() -> None:
    with pytest.raises(InputError, match="knocked_out: the number of rows differs; got 2; allowed: 3 rows"):
        reachable_threshold([1, 2, 3], 0.5, knocked_out=[True, False])
