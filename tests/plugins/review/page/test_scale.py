"""Marks of the axis of a numeric feature."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from scrutable_review import Review
from scrutable_review.page import Scale, scales_of


@given(st.lists(st.tuples(st.integers(-400, 400), st.integers(0, 3)), min_size=1, max_size=600))
def test_the_share_below_each_mark_is_that_of_the_rows(rows: list[tuple[int, int]]) -> None:
    values, weight = (np.array(each, float) for each in zip(*rows, strict=True))
    scale = Scale.of(values, weight, special_codes=[7])
    kept = (weight > 0) & (values != 7)
    if not kept.any():
        assert scale is None
        return
    assert scale is not None
    assert (scale.values[0], scale.values[-1]) == (values[kept].min(), values[kept].max())
    expected = [weight[kept & (values < value)].sum() / weight[kept].sum() for value in scale.values]
    np.testing.assert_allclose(scale.below, expected, rtol=0, atol=1e-12)
    assert list(scale.below) == sorted(set(scale.below))


def test_marks_are_few_and_spread_by_shares() -> None:
    scale = Scale.of(np.arange(100_000) ** 2.0, np.ones(100_000))
    assert scale is not None
    assert len(scale.values) <= 203
    assert max(np.diff([*scale.below, 1.0])) < 0.0051


def test_integers_are_told_from_other_numbers() -> None:
    found = [Scale.of(values, np.ones(2)) for values in ([1, 2], [1, 2.5])]
    assert [scale and scale.integer for scale in found] == [True, False]


def test_missing_values_infinities_and_special_codes_have_no_mark(review: Review, frame: pd.DataFrame) -> None:
    scales = scales_of(review, frame)
    assert list(scales) == ["age"]
    ordinary = frame["age"][(frame["age"] != -9) & frame["age"].notna()]
    assert scales["age"] is not None
    assert scales["age"].values == tuple(sorted(set(ordinary)))
    assert Scale.of([np.nan, np.inf, -np.inf], np.ones(3)) is None
