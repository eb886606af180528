"""The smallest ratio over the groups, its interval, and which groups are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.fairness import MISSING, Groups, RatioKind, SmallGroupWarning
from scrutable.fairness.report import decision_points
from scrutable_lifecycle.search.ratio import Compared, Ratio
from scrutable_lifecycle.search.ratio_asked import EVERYTHING, RatioAsked


def rows(**shares: tuple[int, int]) -> tuple[NDArray[np.float64], Groups]:
    """Scores 1 for the approved and 0 for the others, from (approved, declined) of each group."""
    score = np.concatenate([np.repeat([1.0, 0.0], counts) for counts in shares.values()])
    label = np.repeat(list(shares), [sum(counts) for counts in shares.values()])
    return score, Groups.from_frame({"area": label}, min_group_size=0)


ONE_SIDED = RatioAsked(kind="adverse-impact")


def ratio_of(score: NDArray[np.float64], groups: Groups, n_boot: int = 50, asked: RatioAsked = ONE_SIDED) -> Ratio:
    good, decisions = np.arange(len(score)) % 2 == 0, {"cutoff": (0.5, score >= 0.5)}
    options = {"n_boot": n_boot, "confidence": 0.9, **asked.of_four_fifths()}
    [point] = decision_points(good, decisions, groups, score=score, **options)
    return Compared.of(groups, asked=asked).ratio(point)


def test_the_four_fifths_ratio_divides_the_lowest_rate_by_the_highest() -> None:
    """Rates of .60 (the reference), .72 and .54: the reference is neither the highest nor the lowest."""
    score, groups = rows(big=(600, 400), high=(360, 140), low=(270, 230))
    found, other = (ratio_of(score, groups, asked=asked) for asked in (EVERYTHING, ONE_SIDED))
    assert (found.value, found.group, found.against) == (pytest.approx(0.75), "low", "high")
    assert (other.value, other.group, other.against) == (pytest.approx(0.9), "low", "big")
    assert found.interval[0] < found.value < found.interval[1] < other.interval[1]


def test_a_small_reference_is_left_out_of_the_four_fifths_ratio() -> None:
    score, sizes = rows(few=(10, 10), high=(90, 10), low=(45, 55))
    groups = Groups.from_frame({"area": sizes.labels_of("area")}, reference={"area": "few"}, min_group_size=0)
    with pytest.warns(SmallGroupWarning, match="'few' of 'area' has 20 rows"):
        assert ratio_of(score, groups, asked=EVERYTHING).value == pytest.approx(0.5)
    with pytest.raises(InputError, match="the reference group has too few validation rows"):
        ratio_of(score, groups)
    score, groups = rows(few=(10, 10), alone=(90, 10))
    with pytest.raises(InputError, match=r"no group is large enough.*at least 30 rows in each of two groups"):
        ratio_of(score, groups, asked=EVERYTHING)


def test_nobody_approved_counts_as_zero() -> None:
    found = ratio_of(*rows(big=(0, 200), other=(0, 50)), asked=EVERYTHING)
    assert (found.value, found.interval, found.group, found.against) == (0.0, (0.0, 0.0), "big", "other")


def test_a_group_that_is_approved_more_than_the_reference_is_no_fault() -> None:
    """With a reference the ratio is one-sided: a group above it counts as 1, whatever lies below it is judged."""
    score, groups = rows(big=(100, 100), low=(40, 60), high=(80, 20))
    assert (ratio_of(score, groups).group, ratio_of(score, groups).value) == ("low", pytest.approx(0.8))
    score, groups = rows(big=(100, 100), high=(80, 20))
    found = ratio_of(score, groups)
    assert (found.value, found.interval, found.group, found.against) == (1.0, (1.0, 1.0), "high", "big")
    assert ratio_of(score, groups, asked=EVERYTHING).value == pytest.approx(0.625)


def test_a_reference_that_is_named_is_what_an_attribute_is_compared_with() -> None:
    """Without a word on the kind: the named reference's rate where there is one, the highest where there is none."""
    area = np.repeat(["big", "low", "high"], [200, 100, 100])
    sex = np.tile(["f", "m"], 200)
    score = np.concatenate([np.repeat([1.0, 0.0], counts) for counts in ((100, 100), (50, 50), (100, 0))])
    asked = RatioAsked(references={"area": "low"})
    groups = asked.with_references(Groups.from_frame({"area": area, "sex": sex}))
    assert (groups["area"].reference, groups["sex"].reference) == ("low", "f")
    assert ratio_of(score, groups, asked=asked).value == pytest.approx(1)
    assert ratio_of(score, groups, asked=EVERYTHING).value == pytest.approx(0.5)
    told = Compared.of(groups, asked=asked).to_json(groups)
    assert [each["ratio"] for each in told["groups"]] == ["adverse-impact", "four-fifths"]
    assert "area: a group's approval rate divided by that of 'low', and 1 for a group" in told["ratio_in_words"]
    assert "sex: the lowest approval rate among groups divided by the highest" in told["ratio_in_words"]


def test_only_the_groups_that_are_named_are_compared() -> None:
    score, groups = rows(big=(100, 100), low=(20, 80), high=(80, 20), mid=(45, 55))
    asked = RatioAsked(kind="adverse-impact", groups={"area": ["mid", "high"]})
    assert ratio_of(score, groups, asked=asked).value == pytest.approx(0.9)
    asked = RatioAsked(groups={"area": ["mid", "low"]})
    found = ratio_of(score, groups, asked=asked)
    assert (found.value, found.group, found.against) == (pytest.approx(0.2 / 0.45), "low", "mid")
    assert "of 'mid', 'low'" in asked.in_words(groups)


@pytest.mark.parametrize("kind", ["four-fifths", "adverse-impact"])
def test_groups_that_are_not_compared_are_unknown_to_learners(kind: RatioKind) -> None:
    share = np.random.default_rng(0).dirichlet(np.ones(4), 500)
    race = {name: share[:, place] for place, name in enumerate(["a", "b", "c", MISSING])}
    sex = Groups.from_frame({"sex": np.repeat(["f", "m"], 250)})
    groups = Groups(Groups.from_probabilities({"race": race}, reference={"race": "c"}).attributes + sex.attributes)
    kept = RatioAsked(kind=kind, groups={"race": ["b", "a"]}).compared(groups)
    assert kept["sex"] is sex["sex"]
    known = ["a", "b"] if kind == "four-fifths" else ["a", "b", "c"]
    assert kept["race"].known == tuple(known)
    largest = max(known, key=lambda name: kept["race"].sizes[name])
    assert kept["race"].reference == (largest if kind == "four-fifths" else "c")
    for place, name in enumerate(known):
        np.testing.assert_array_equal(kept["race"].membership[:, place], race[name])
    assert RatioAsked(kind=kind, groups={"race": ["a", "b", "c"]}).compared(groups)["race"] is groups["race"]


def test_the_smallest_size_can_be_raised() -> None:
    score, groups = rows(big=(100, 100), low=(20, 80), mid=(60, 60), few=(0, 3))
    asked = RatioAsked(min_group_size=101)
    with pytest.warns(SmallGroupWarning, match=r"fewer than 101 validation rows .*'low' of 'area' has 100 rows"):
        assert ratio_of(score, groups, asked=asked).value == pytest.approx(1)
    with pytest.warns(SmallGroupWarning, match=r"fewer than 30 .*a group of 'area' has fewer than 5 rows"):
        assert ratio_of(score, groups, asked=EVERYTHING).value == pytest.approx(0.4)
    with pytest.raises(InputError, match=r"min_group_size.*got 3.*30 or more"):
        RatioAsked(min_group_size=3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"references": {"race": "a"}}, "reference: there is no such protected attribute.*'race'"),
        ({"references": {"area": "bug"}}, "'area': there is no such group; got 'bug'; .*big"),
        ({"groups": {"area": ["lwo"]}}, "'area': there is no such group; got 'lwo'; .*low"),
        ({"groups": {"area": ["low"]}}, "nothing to compare.*two groups or more"),
        ({"groups": {"area": ["big"]}, "kind": "adverse-impact"}, "nothing to compare.*beside the reference 'big'"),
    ],
)
def test_names_that_there_are_not_are_refused(asked: Any, message: str) -> None:
    _, groups = rows(big=(100, 100), low=(20, 80))
    with pytest.raises(InputError, match=message):
        RatioAsked(**asked).with_references(groups)


@pytest.mark.parametrize("groups", [{"area": "low"}, {"area": []}, ["low"]])
def test_groups_are_lists_by_attribute(groups: Any) -> None:
    with pytest.raises(InputError, match="groups to compare"):
        RatioAsked(groups=groups)


def test_the_interval_holds_the_ratio_and_its_low_end_is_the_lowest_of_all_groups() -> None:
    score, groups = rows(big=(500, 500), small=(19, 21), large=(440, 560))
    found = ratio_of(score, groups, n_boot=2000)
    assert found.group == "large"
    alone = ratio_of(*rows(big=(500, 500), large=(440, 560)), n_boot=2000)
    assert found.interval[0] < alone.interval[0] - 0.05  # the small group might be far below parity
    assert found.interval[1] == pytest.approx(alone.interval[1], abs=0.01)
    assert found.interval[0] <= found.value <= found.interval[1] <= 1


def test_the_interval_of_a_group_around_parity_ends_there() -> None:
    found = ratio_of(*rows(big=(500, 500), small=(50, 50)), n_boot=500)
    assert found.value == 1.0
    assert found.interval[1] == 1.0
    assert 0.7 < found.interval[0] < 0.95


def test_every_attribute_counts() -> None:
    n = 400
    sex, area = np.repeat(["f", "m"], [150, 250]), np.tile(["n", "n", "s", "s", "s"], 80)
    score = np.where((area == "s") | (np.arange(n) % 4 == 0), 1.0, 0.0)
    groups = Groups.from_frame({"sex": sex, "area": area})
    found = ratio_of(score, groups)
    assert (found.attribute, found.group) == ("area", "n")
    assert found.value == pytest.approx(score[area == "n"].mean())


def test_a_reference_that_is_never_approved_counts_as_zero() -> None:
    found = ratio_of(*rows(big=(0, 200), other=(50, 50)))
    assert (found.value, found.interval) == (0.0, (0.0, 0.0))


def test_small_groups_and_unknown_membership_are_not_compared() -> None:
    label = np.array(["m"] * 100 + ["f"] * 60 + ["x"] * 29 + [None] * 80, dtype=object)
    groups = Groups.from_frame({"sex": label}, min_group_size=0)
    with pytest.warns(SmallGroupWarning, match=r"fewer than 30 validation rows are not compared: 'x' of 'sex' has 29"):
        compared = Compared.of(groups, asked=ONE_SIDED)
    assert (compared.groups, compared.small) == ({"sex": ("f",)}, {"sex": ("x",)})
    with pytest.warns(SmallGroupWarning):
        assert Compared.of(groups).groups == {"sex": ("f", "m")}
    weight = np.ones(269)
    weight[100:131] = 0.0  # 29 of the women are left
    with pytest.raises(InputError, match=r"no group is large enough to compare; got .*'f' of 'sex' has 29 rows"):
        Compared.of(groups, weight, ONE_SIDED)
    weight[:] = 1.0
    weight[:75] = 0.0
    with pytest.raises(
        InputError, match=r"protected attribute 'sex': the reference group has too few .*got .'m' with 25"
    ):
        Compared.of(groups, weight, ONE_SIDED)
