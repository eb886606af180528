"""The four-fifths ratio against dividing by hand, and its interval against draws of another kind."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.sizes import MIN_GROUP_SIZE
from scrutable.fairness import FourFifths, Groups, fairness_report, four_fifths_ratios
from scrutable.fairness.four_fifths_rule import four_fifths
from scrutable.fairness.replicates import Replicates
from scrutable.measures.comparing import effective_sizes


def rows(counts: dict[str, tuple[int, int]]) -> tuple[np.ndarray, Groups]:
    """Decisions and one attribute, from approved and declined by group."""
    label = [name for name, (yes, no) in counts.items() for _ in range(yes + no)]
    approved = [i < yes for yes, no in counts.values() for i in range(yes + no)]
    return np.array(approved), Groups.from_frame({"race": label}, min_group_size=0)


#: Rates of .60, .72 and .54; the reference is the largest group.
RATES = {"a": (600, 400), "b": (360, 140), "c": (270, 230)}


def test_it_divides_by_the_highest_rate_and_the_adverse_impact_ratio_by_the_references() -> None:
    approved, groups = rows(RATES)
    point = fairness_report(approved, approved.astype(float), 0.5, groups, n_boot=200).at_cutoff
    assert groups["race"].reference == "a"
    assert [group.adverse_impact_ratio for group in point.groups] == pytest.approx([1, 1.2, 0.9])
    [found] = point.four_fifths
    assert found.ratio == pytest.approx(0.75)
    assert (found.title, found.groups, found.too_small, found.min_group_size) == (
        "race: c / b",
        ("a", "b", "c"),
        (),
        30,
    )
    said = point.to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["four_fifths"][0]["four_fifths_ratio"] == pytest.approx(0.75)
    assert [each["adverse_impact_ratio"] for each in said["groups"]] == pytest.approx([1, 1.2, 0.9])


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).filter(any), min_size=2, max_size=5),
    st.sampled_from([1.0, 2.5]),
)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_it_is_the_lowest_by_the_highest_of_groups_large_enough(counts: list[tuple[int, int]], weight: float) -> None:
    approved, groups = rows({f"g{i}": pair for i, pair in enumerate(counts)})
    [found] = four_fifths_ratios(approved, groups, sample_weight=np.full(approved.size, weight))
    large = {f"g{i}": yes / (yes + no) for i, (yes, no) in enumerate(counts) if yes + no >= MIN_GROUP_SIZE}
    assert set(found.groups) == set(large)
    assert set(found.too_small) == {f"g{i}" for i in range(len(counts))} - set(large)
    if len(large) < 2 or not max(large.values()):
        assert math.isnan(found.ratio)
        assert (found.lowest, found.highest, found.title) == ("", "", "race")
    else:
        assert found.ratio == pytest.approx(min(large.values()) / max(large.values()))
        assert large[found.lowest] == min(large.values())
        assert large[found.highest] == max(large.values())
        assert found.lowest != found.highest


def test_whose_membership_is_unknown_is_no_group() -> None:
    approved = np.array([True] * 50 + [False] * 50 + [False] * 60)
    groups = Groups.from_frame({"sex": ["f"] * 40 + ["m"] * 60 + [None] * 60}, min_group_size=0)
    [found] = four_fifths_ratios(approved, groups)
    assert found.groups == ("f", "m")
    assert found.ratio == pytest.approx((10 / 60) / 1)


def test_weights_do_not_make_a_group_large() -> None:
    approved, groups = rows({"a": (60, 40), "b": (2, 0)})
    weight = np.where(groups.labels_of("race") == "b", 1000.0, 1.0)
    [found] = four_fifths_ratios(approved, groups, sample_weight=weight)
    assert found.too_small == ("b",)
    assert math.isnan(found.ratio)


def test_attributes_and_intersections_have_ratios_of_their_own() -> None:
    draw = np.random.default_rng(0)
    frame = {"sex": draw.choice(["f", "m"], 900), "race": draw.choice(["a", "b", "c"], 900)}
    approved = draw.random(900) < 0.5 + 0.2 * (frame["sex"] == "m") + 0.1 * (frame["race"] == "c")
    groups = Groups.from_frame(frame, intersections=[("sex", "race")])
    found = four_fifths_ratios(approved, groups)
    assert [each.attribute for each in found] == ["sex", "race", "sex & race"]
    crossed = np.char.add(np.char.add(frame["sex"], " & "), frame["race"])
    rates = [approved[crossed == label].mean() for label in np.unique(crossed)]
    assert found[2].ratio == pytest.approx(min(rates) / max(rates))
    assert found[2].ratio <= min(found[0].ratio, found[1].ratio)


def test_probabilities_count_as_weights() -> None:
    draw = np.random.default_rng(1)
    share, weight = draw.random(500), draw.random(500)
    approved = draw.random(500) < 0.4 + 0.3 * share
    groups = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}})
    [found] = four_fifths_ratios(approved, groups, sample_weight=weight)
    rates = [np.average(approved, weights=weight * each) for each in (share, 1 - share)]
    assert found.ratio == pytest.approx(min(rates) / max(rates))
    point = fairness_report(approved, approved.astype(float), 0.5, groups, sample_weight=weight).at_cutoff
    low, high = point.four_fifths[0].interval
    assert point.four_fifths[0].ratio == found.ratio
    assert 0 < low < found.ratio < high <= 1


def test_each_draw_chooses_the_lowest_and_the_highest_anew() -> None:
    """Five groups of one rate: the ratio of the two extreme ones is far below 1, and so is each draw's."""
    rng = np.random.default_rng(2)
    counts = {f"g{i}": (30 + i, 30 - i) for i in range(5)}
    approved, groups = rows(counts)
    found = _drawn(approved, groups)
    betas = np.stack([rng.beta(yes + 0.5, no + 0.5, 200_000) for yes, no in counts.values()], axis=1)
    low = np.quantile(betas.min(axis=1) / betas.max(axis=1), 0.025)
    high = np.quantile(betas[:, 0] / betas[:, 4], 0.975)
    assert found.ratio == pytest.approx(30 / 34)
    assert found.interval[0] == pytest.approx(low, abs=0.01)
    assert found.interval[1] == pytest.approx(min(high, 1.0), abs=0.01)


def test_of_two_groups_far_apart_it_is_the_interval_of_their_ratio() -> None:
    approved, groups = rows({"a": (800, 200), "b": (300, 200)})
    point = fairness_report(approved, approved.astype(float), 0.5, groups, n_boot=4000).at_cutoff
    assert point.four_fifths[0].ratio == point.groups[1].adverse_impact_ratio
    assert point.four_fifths[0].interval == pytest.approx(point.groups[1].intervals["adverse_impact_ratio"])


@pytest.mark.parametrize("rates", [(0.6, 0.72, 0.54), (0.8, 0.64, 0.7), (0.6, 0.6)])
def test_intervals_cover_the_ratio_that_the_rates_have(rates: tuple[float, ...]) -> None:
    """The 90% that they claim, and below the low end, which is judged, at most 5%; less three standard errors."""
    rng, sizes = np.random.default_rng(3), (600, 200, 300)
    truth, below, inside = min(rates) / max(rates), 0, 0
    for _ in range(300):
        yes = [int(rng.binomial(n, p)) for n, p in zip(sizes, rates, strict=False)]
        counts = {f"g{i}": (count, n - count) for i, (count, n) in enumerate(zip(yes, sizes, strict=False))}
        low, high = _drawn(*rows(counts), n_boot=300, confidence=0.9).interval
        below, inside = below + (low <= truth), inside + (low <= truth <= high)
    assert inside >= 270 - 3 * math.sqrt(27)
    assert below >= 285 - 3 * math.sqrt(14.25)


def test_nobody_approved_and_one_group_left_have_no_ratio() -> None:
    for counts in ({"a": (0, 50), "b": (0, 50)}, {"a": (20, 50), "b": (1, 5)}):
        found = _drawn(*rows(counts))
        assert math.isnan(found.ratio)
        assert all(map(math.isnan, found.interval))
        assert found.to_dict()["four_fifths_ratio"] is None
        assert found.to_dict()["interval"] == [None, None]


def test_groups_below_the_stated_count_that_are_asked_for_have_no_interval() -> None:
    approved, groups = rows({"a": (60, 40), "b": (5, 5)})
    [found] = four_fifths_ratios(approved, groups, min_group_size=5)
    assert found.ratio == pytest.approx(5 / 6)
    assert math.isnan(_drawn(approved, groups, min_group_size=5).interval[0])


def _drawn(approved: np.ndarray, groups: Groups, *, n_boot: int = 20_000, **options: float) -> FourFifths:
    attribute = groups["race"]
    drawn = Replicates.draw(approved, approved, attribute, None, n_boot, np.random.default_rng(4)).rates
    rates = np.array([approved[member > 0].mean() for member in attribute.membership.T])
    sizes = effective_sizes(attribute, np.ones(approved.size))
    return four_fifths(attribute, rates, sizes, drawn=drawn["approval_rate"], **options)
