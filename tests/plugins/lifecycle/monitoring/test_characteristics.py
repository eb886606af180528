"""What is distributed in models without attributes, and the bands of many cells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.data.cohort import Cohort
from scrutable.model import Calibration, Clause, Feature, Interval, Leaf, Outcome, Scorecard, Split, TreeEnsemble
from scrutable_lifecycle.monitoring import monitor
from scrutable_lifecycle.monitoring.model_drift import score_bands
from scrutable_lifecycle.monitoring.profiles import Profiles
from scrutable_lifecycle.monitoring.tallying import tallied


def _trees(cuts: list[float], special: tuple[float, ...] = ()) -> TreeEnsemble:
    """A stump at each cut."""
    stumps = (Split(Clause("x", (Interval(upper=cut, closed="right"),)), Leaf(-1.0), Leaf(1.0)) for cut in cuts)
    return TreeEnsemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=(Feature(name="x", kind="numeric", special_codes=special),),
        trees=tuple(stumps),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )


def test_cells_of_a_few_cuts() -> None:
    found = monitor(_trees([1.0, 2.0]), {"x": [0.0, 1.0, 1.5, 3.0]}, {"x": [1.5, 2.0, math.nan, 3.0]}, n_boot=5)
    [item] = found.parts[0].characteristics
    assert [(band.name, band.baseline, band.new) for band in item.bands] == [
        ("missing", 0.0, 0.25),
        ("<= 1", 0.5, 0.0),
        ("(1, 2]", 0.25, 0.5),
        ("> 2", 0.25, 0.25),
    ]
    assert item.shift is None


def test_many_cells_are_watched_in_bands() -> None:
    values = np.arange(100.0)
    found = monitor(
        _trees([i + 0.5 for i in range(99)], (40.0,)), {"x": values}, {"x": values[::-1]}, bands=5, n_boot=5
    )
    [item] = found.parts[0].characteristics
    shares = {band.name: band.baseline for band in item.bands}
    assert shares["missing"] == 0
    assert shares["40"] == 0.01  # a special code stays by itself
    assert len(shares) == 8  # it parts the band that it lies in
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares.values()) <= 0.2 + 1e-9
    assert item.index == 0


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(2, 12), st.integers(1, 3))
def test_bands_of_the_score(levels: list[int], bands: int, weight: int) -> None:
    """Each cut begins a band at the first score with the share asked for below it; a weight is so many rows."""
    model = _trees([0.5, 1.5, 2.5, 3.5])
    once = _profiles(model, list(map(float, levels)), [weight] * len(levels))
    often = _profiles(model, list(map(float, levels * weight)))
    found = score_bands(model, once, bands)
    assert found == score_bands(model, often, bands)
    scores = sorted(2.0 * level - 4 for level in levels)
    expected = set()
    for number in range(1, bands):
        reached = [score for score in scores if sum(each < score for each in scores) * bands >= number * len(scores)]
        expected |= {reached[0]} if reached else set()
    assert list(found.cuts) == sorted(expected)


def test_knock_outs_are_a_band_only_where_there_can_be_some(card: Scorecard) -> None:
    rows = {"age": [30.0, 20.0], "housing": ["own", "rent"]}
    assert score_bands(card, tallied(card, Cohort.read(rows)).profiles, 10).names[-1] == "declined anyway"
    assert "declined anyway" not in score_bands(_trees([1.0]), _profiles(_trees([1.0]), [0.0]), 4).names


def _profiles(model: TreeEnsemble, values: list[float], weight: list[int] | None = None) -> Profiles:
    return tallied(model, Cohort.read({"x": values}, sample_weight=weight)).profiles
