"""Sample weights: their scale changes nothing, and what is unequal tells less."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.data.cohort import Cohort
from scrutable.fairness import Groups
from scrutable.measures.comparing import effective_size
from scrutable.measures.population_stability import stability
from scrutable.model import Scorecard
from scrutable_lifecycle.monitoring import monitor
from scrutable_lifecycle.monitoring.outcomes import Measuring
from scrutable_lifecycle.monitoring.tallying import tallied

AGES, HOUSES = [20.0, 30.0, None, -9.0, 17.0], ["own", "rent", None, "boat"]


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,  # a figure half-way between two decimals is told by either, as weights round
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-3, 1e-6, 7.0, 1e6]))
def test_the_scale_of_the_weights_changes_nothing(card: Scorecard, seed: int, scale: float) -> None:
    generator = np.random.default_rng(seed)
    rows = {"age": generator.choice(np.array(AGES, dtype=object), 60).tolist()}
    rows["housing"] = generator.choice(np.array(HOUSES, dtype=object), 60).tolist()
    before = {"age": [30.0, 20.0, None] * 20, "housing": ["own", "rent", "own"] * 20}
    weight = generator.integers(1, 20, 60).astype(float)
    share = generator.random(60)
    groups = Groups.from_probabilities({"sex": {"f": share, "m": 1 - share}}, min_group_size=0)
    more: dict[str, Any] = {"y": generator.choice(["good", "bad"], 60).tolist(), "groups": groups, "n_boot": 20}
    more |= {"y_baseline": ["good", "bad", "good"] * 20, "dates": ["2026-01", "2026-02"] * 30}
    found = [
        monitor(card, before, rows, weight_baseline=weight[::-1] * by, sample_weight=weight * by, **more)
        for by in (1.0, scale)
    ]
    assert _unscaled(found[1].to_dict()) == _unscaled(found[0].to_dict())


def test_weights_that_sum_to_one_are_no_alert(card: Scorecard) -> None:
    """A value that only one side has counts as half a row of it, and not as half of all weight."""
    rows = {"age": [30.0] * 99 + [20.0], "housing": ["own"] * 100}
    base = {"age": [30.0] * 100, "housing": ["own"] * 100}
    small = [0.01] * 100
    found = monitor(card, base, rows, weight_baseline=small, sample_weight=small, n_boot=5)
    [part] = found.parts
    assert part.characteristics[0].index == pytest.approx(
        (0.01 - 0.005) * math.log(2) + (0.99 - 1) * math.log(0.99), rel=1e-9
    )
    assert part.characteristics[0].expected_index == pytest.approx(2 / 100)
    assert found.status == "ok"


def test_p_values_under_unequal_weights_keep_their_level() -> None:
    """Weights of 1 or 19 that have nothing to do with the bands: p is below 5 % in about 5 %."""
    generator, low = np.random.default_rng(3), 0
    for _ in range(1000):
        counts, sizes = [], []
        for rows in (600, 400):
            weight = np.where(generator.random(rows) < 0.3, 19.0, 1.0)
            counts.append(np.bincount(generator.integers(0, 5, rows), weight, minlength=5))
            sizes.append(effective_size(weight))
        low += stability("x", list("abcde"), *counts, sizes=(sizes[0], sizes[1])).p_value < 0.05
    assert 0.03 < low / 1000 < 0.075


def test_calibration_under_unequal_weights_keeps_its_level(card: Scorecard) -> None:
    """Outcomes drawn from the probabilities themselves: 0.5 at a score of 540, 0.35 at 570."""
    generator, low = np.random.default_rng(4), 0
    measuring = Measuring(calibrated=True, confidence=0.95, n_boot=5, seed=0, smallest_group=30)
    rows = {"age": [20.0, 30.0] * 200, "housing": ["own"] * 400}
    inside = 0
    for _ in range(400):
        y = np.where(generator.random(400) < np.array([0.5, 0.35] * 200), "bad", "good")
        weight = np.where(generator.random(400) < 0.2, 19.0, 1.0)
        cohort = Cohort.read(rows, y, outcome=card.outcome, sample_weight=weight)
        sample = tallied(card, cohort).profiles
        found = measuring.calibration(sample, sample.everybody)
        assert found is not None
        low += found.p_value < 0.05
        inside += found.interval[0] <= 1 <= found.interval[1]
    assert 0.025 < low / 400 < 0.085
    assert 0.91 < inside / 400 < 0.98


def test_groups_are_judged_by_their_effective_number(card: Scorecard) -> None:
    """Forty of each weigh 1000 together, but of each one row weighs nearly all."""
    rows = {"age": [30.0, 20.0, 30.0, 30.0] * 20, "housing": ["own", "rent", "own", "own"] * 20}
    groups = Groups.from_frame({"sex": ["f", "f", "m", "m"] * 20}, reference={"sex": "m"})
    weight = [1e6, 1e6, 1e6, 1e6] + [1.0] * 76
    found = monitor(card, rows, rows, groups=groups, sample_weight=weight, n_boot=20)
    female = found.new.groups[0]
    assert (female.small, found.status) == (True, "note")
    assert female.effective_size == pytest.approx(2, rel=1e-3)
    equal = monitor(card, rows, rows, groups=groups, sample_weight=[1e-6] * 80, n_boot=20).new.groups[0]
    assert (equal.small, equal.effective_size) == (False, pytest.approx(40))


@pytest.mark.parametrize("weight", [0.1, 0.7, 1 / 30])
def test_thirty_of_equal_weight_are_thirty(card: Scorecard, weight: float) -> None:
    """Their effective number is 29.999999999999996 with weights of 0.1."""
    rows = {"age": [30.0] * 60, "housing": ["own"] * 60}
    groups = Groups.from_frame({"sex": ["f", "m"] * 30}, reference={"sex": "m"})
    found = monitor(card, rows, rows, groups=groups, sample_weight=[weight] * 60, y=["good"] * 60, n_boot=5)
    assert [(each.small, each.few_outcomes) for each in found.new.groups] == [(False, False)] * 2


def test_of_probable_members_the_expected_number_counts() -> None:
    membership = np.array([0.5, 0.25, 1.0, 0.0])
    assert effective_size(np.full(4, 7.0), membership) == pytest.approx(1.75)
    hard, weight = np.array([1.0, 0.0, 1.0, 1.0]), np.array([1.0, 9.0, 2.0, 3.0])
    assert effective_size(weight, hard) == pytest.approx(effective_size(weight[[0, 2, 3]]))


def _unscaled(value: Any) -> Any:
    """Without what is a sum of weights."""
    if isinstance(value, dict):
        sums = ("weight", "outcomes", "size", "declined")
        return {key: _unscaled(each) for key, each in value.items() if key not in sums}
    if isinstance(value, list | tuple):
        return [_unscaled(each) for each in value]
    return pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value
