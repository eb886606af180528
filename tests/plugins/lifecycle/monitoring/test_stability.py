"""The index of a distribution, its mean without drift, and the shift of the mean score."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.measures.population_stability import shifts_of, stability
from scrutable_lifecycle.validation.stability import population_stability_index

Counts = st.lists(st.integers(0, 50), min_size=2, max_size=6)


def test_by_hand() -> None:
    found = stability("age", ["young", "old"], np.array([25.0, 75.0]), np.array([20.0, 20.0]), points=[10.0, 40.0])
    young, old = 0.25 * math.log(2), -0.25 * math.log(2 / 3)
    assert [band.contribution for band in found.bands] == pytest.approx([young, old], rel=1e-14)
    assert found.index == pytest.approx(young + old, rel=1e-14)
    assert [(band.baseline, band.new) for band in found.bands] == [(0.25, 0.5), (0.75, 0.5)]
    assert found.expected_index == pytest.approx(1 / 100 + 1 / 40)
    assert [band.shift for band in found.bands] == [2.5, -10.0]
    assert found.shift == -7.5


def test_a_band_that_one_side_lacks_counts_as_half_a_row() -> None:
    found = stability("job", ["cook", "boat"], np.array([100.0, 0.0]), np.array([49.0, 1.0]))
    assert found.bands[1].contribution == pytest.approx((0.02 - 0.005) * math.log(0.02 / 0.005))
    assert found.bands[0].contribution == pytest.approx(-0.02 * math.log(0.98))
    assert found.index < 0.1  # one applicant in fifty is no alert


def test_bands_that_neither_side_has_do_not_count() -> None:
    with_empty = stability("x", ["a", "b", "c"], np.array([3.0, 0.0, 5.0]), np.array([4.0, 0.0, 9.0]))
    without = stability("x", ["a", "c"], np.array([3.0, 5.0]), np.array([4.0, 9.0]))
    assert (with_empty.index, with_empty.expected_index, with_empty.p_value) == (
        without.index,
        without.expected_index,
        without.p_value,
    )
    alone = stability("x", ["a"], np.array([3.0]), np.array([4.0]))
    assert (alone.index, alone.expected_index, alone.p_value) == (0.0, 0.0, 1.0)


def test_mean_and_p_value_without_drift() -> None:
    """Over many pairs of samples of one population, the index has the mean stated, and p is below 5 % in 5 %."""
    generator = np.random.default_rng(1)
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    pairs = [(generator.multinomial(800, shares), generator.multinomial(500, shares)) for _ in range(2000)]
    found = [stability("x", list("abcd"), first.astype(float), second.astype(float)) for first, second in pairs]
    assert np.mean([each.index for each in found]) == pytest.approx(found[0].expected_index, rel=0.05)
    assert np.mean([each.p_value < 0.05 for each in found]) == pytest.approx(0.05, abs=0.015)


@given(Counts, st.data())
def test_never_negative_and_nil_only_for_equal_shares(counts: list[int], data: st.DataObject) -> None:
    baseline = np.array(counts, dtype=float)
    new = np.array(data.draw(st.lists(st.integers(0, 50), min_size=len(counts), max_size=len(counts))), dtype=float)
    if not baseline.any() or not new.any():
        with pytest.raises(InputError, match="every bin is empty"):
            stability("x", [str(i) for i in range(len(counts))], baseline, new)
        return
    found = stability("x", [str(i) for i in range(len(counts))], baseline, new)
    assert all(band.contribution >= 0 for band in found.bands)
    assert 0 <= found.p_value <= 1
    if ((baseline > 0) == (new > 0)).all():
        assert found.index == pytest.approx(population_stability_index(baseline, new), abs=1e-12)
    if (baseline * new.sum() == new * baseline.sum()).all():
        assert found.index == pytest.approx(0.0, abs=1e-12)


@given(st.lists(st.tuples(st.integers(-(2**40), 2**40), st.integers(0, 9), st.integers(0, 9)), min_size=1))
def test_shifts_are_those_of_the_mean_exactly(rows: list[tuple[int, int, int]]) -> None:
    points = [each[0] * 2.0**-30 for each in rows]
    before, now = (np.array([each[side] for each in rows], dtype=float) for side in (1, 2))
    if not before.any() or not now.any():
        return
    means = [
        sum(Fraction(its) * int(count) for its, count in zip(points, counts, strict=True)) / int(counts.sum())
        for counts in (before, now)
    ]
    assert sum(shifts_of(points, before, now)) == means[1] - means[0]
