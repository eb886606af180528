"""The standardised mean difference, by hand and by definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.measures.comparing import effective_size, normal_quantile
from scrutable_lifecycle.validation.smd import mean_differences


def sexes(labels: list[str]) -> Groups:
    return Groups.from_frame({"sex": labels}, reference={"sex": "m"}, min_group_size=0)


def test_by_hand() -> None:
    # f: 500, 520, mean 510, variance 100; m: 520, 540, 560, mean 540, variance 800/3; pooled (2*100 + 800) / 5 = 200
    [found] = mean_differences([500, 520, 520, 540, 560], sexes(["f", "f", "m", "m", "m"]))
    assert (found.attribute, found.group, found.reference) == ("sex", "f", "m")
    assert (found.mean, found.reference_mean) == (510, 540)
    assert found.deviation == pytest.approx(math.sqrt(200))
    assert found.smd == pytest.approx(-30 / math.sqrt(200))
    assert all(map(math.isnan, found.interval))  # two women are too few for one
    [many] = mean_differences([500, 520, 520, 540, 560] * 20, sexes(["f", "f", "m", "m", "m"] * 20))
    half = 1.959964 * math.sqrt(1 / 40 + 1 / 60 + found.smd**2 / 200)
    assert many.smd == pytest.approx(found.smd)
    assert many.interval == pytest.approx((found.smd - half, found.smd + half))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from("fm"), st.integers(300, 800), st.integers(0, 3)), min_size=4, max_size=30))
def test_a_weight_is_so_many_rows(rows: list[tuple[str, int, int]]) -> None:
    rows += [("f", 400, 1), ("f", 500, 2), ("m", 600, 1), ("m", 650, 1)]
    labels, points, weights = ([*column] for column in zip(*rows, strict=True))
    [weighted] = mean_differences(points, sexes(labels), sample_weight=weights)
    repeated = [row for row in rows for _ in range(row[2])]
    [found] = mean_differences([row[1] for row in repeated], sexes([row[0] for row in repeated]))
    assert weighted.smd == pytest.approx(found.smd, abs=1e-12)
    assert weighted.deviation == pytest.approx(found.deviation)


def test_certain_probabilities_are_known_groups_and_others_are_weights() -> None:
    points = [500.0, 520.0, 520.0, 560.0]
    certain = Groups.from_probabilities(
        {"sex": {"f": [1.0, 1.0, 0.0, 0.0], "m": [0.0, 0.0, 1.0, 1.0]}}, reference={"sex": "m"}, min_group_size=0
    )
    assert mean_differences(points, certain) == mean_differences(points, sexes(["f", "f", "m", "m"]))
    half = Groups.from_probabilities(
        {"sex": {"f": [0.75, 0.5, 0.25, 0.25], "m": [0.25, 0.5, 0.75, 0.75]}}, reference={"sex": "m"}, min_group_size=0
    )
    [found] = mean_differences(points, half)
    assert found.mean == pytest.approx(np.average(points, weights=[0.75, 0.5, 0.25, 0.25]))


def test_the_interval_covers_as_often_as_it_says() -> None:
    generator, inside = np.random.default_rng(0), 0
    for _ in range(400):
        scores = np.concatenate([generator.normal(-0.5, 1, 80), generator.normal(0, 1, 120)])
        [found] = mean_differences(scores, sexes(["f"] * 80 + ["m"] * 120), confidence=0.9)
        inside += found.interval[0] <= -0.5 <= found.interval[1]
    assert 0.86 < inside / 400 < 0.94


@pytest.mark.parametrize("score", [0.1, 612.3, 1e-9, 0.0, -7.7])
def test_constant_scores_have_no_difference(score: float) -> None:
    """Means of equal scores under unequal weights differ by rounding, which is no deviation."""
    generator = np.random.default_rng(0)
    labels = generator.choice(["f", "m"], 1000).tolist()
    weight = generator.random(1000)
    for points in (np.full(1000, score), np.full(1000, score) * (1 + 2e-16 * generator.integers(0, 2, 1000))):
        [found] = mean_differences(points, sexes(labels), sample_weight=weight)
        assert (found.deviation, math.isnan(found.smd), found.to_dict()["interval"]) == (0.0, True, [None, None])
        assert found.mean == pytest.approx(score)


def test_small_differences_on_a_large_level_count() -> None:
    [found] = mean_differences(1e6 + np.array([0.0, 0.2, 0.2, 0.4]), sexes(["f", "f", "m", "m"]))
    assert found.smd == pytest.approx(-2.0, rel=1e-6)


def test_with_weights_and_probabilities_the_interval_covers_as_often_as_it_says() -> None:
    """Scores that have nothing to do with the groups; the probabilities are far from certain."""
    generator, inside = np.random.default_rng(2), 0
    for _ in range(600):
        share = generator.beta(2, 2, 150)
        groups = Groups.from_probabilities(
            {"sex": {"f": share, "m": 1 - share}}, reference={"sex": "m"}, min_group_size=0
        )
        weight = generator.uniform(0.5, 2, 150)
        [found] = mean_differences(generator.normal(0, 1, 150), groups, sample_weight=weight, confidence=0.9)
        inside += found.interval[0] <= 0 <= found.interval[1]
    assert 0.86 < inside / 600 < 0.94


def test_weights_of_one_and_their_scale_change_nothing() -> None:
    generator = np.random.default_rng(3)
    labels, points = generator.choice(["f", "m"], 100).tolist(), generator.normal(0, 1, 100)
    [plain] = mean_differences(points, sexes(labels))
    [weighted] = mean_differences(points, sexes(labels), sample_weight=np.full(100, 1e-3))
    assert weighted.interval == pytest.approx(plain.interval, rel=1e-9)


def test_what_is_undefined_is_none_in_json() -> None:
    [found] = mean_differences([500, 500, 500], sexes(["f", "m", "m"]))
    assert math.isnan(found.smd)
    assert found.to_dict()["smd"] is None
    assert found.to_dict()["interval"] == [None, None]


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="the number of rows differs"):
        mean_differences([500], sexes(["f", "m"]))
    with pytest.raises(InputError, match="expected a share"):
        mean_differences([500, 510], sexes(["f", "m"]), confidence=95)


def test_the_effective_size_and_the_quantile() -> None:
    assert effective_size(np.array([3.0, 1.0])) == pytest.approx(16 / 10)
    assert effective_size(np.zeros(3)) == 0
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054)
