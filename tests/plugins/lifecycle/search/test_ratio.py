"""The smallest ratio over the groups, its interval, and which groups are compared."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.fairness import Groups, SmallGroupWarning
from scrutable.fairness.judged_ratio import RatioKind
from scrutable.fairness.report import operating_points
from scrutable_lifecycle.search.ratio import Compared, Ratio


def rows(**shares: tuple[int, int]) -> tuple[NDArray[np.float64], Groups]:
    """Scores 1 for the approved and 0 for the others, from (approved, declined) of each group."""
    score = np.concatenate([np.repeat([1.0, 0.0], counts) for counts in shares.values()])
    label = np.repeat(list(shares), [sum(counts) for counts in shares.values()])
    return score, Groups.from_frame({"area": label}, min_group_size=0)


def ratio_of(score: NDArray[np.float64], groups: Groups, n_boot: int = 50, kind: RatioKind = "adverse-impact") -> Ratio:
    good = np.arange(len(score)) % 2 == 0
    [point] = operating_points(good, score, {"cutoff": 0.5}, groups, n_boot=n_boot, confidence=0.9)
    return Compared.of(groups, kind=kind).ratio(point)


def test_the_four_fifths_ratio_divides_the_lowest_rate_by_the_highest() -> None:
    """Rates of .60 (the reference), .72 and .54: the reference is neither the highest nor the lowest."""
    score, groups = rows(big=(600, 400), high=(360, 140), low=(270, 230))
    found, old = (ratio_of(score, groups, kind=kind) for kind in ("four-fifths", "adverse-impact"))
    assert (found.value, found.group, found.against) == (pytest.approx(0.75), "low", "high")
    assert (old.value, old.group, old.against) == (pytest.approx(0.6 / 0.72), "big", "high")
    assert found.interval[0] < found.value < found.interval[1] < old.interval[1]


def test_a_small_reference_is_left_out_of_the_four_fifths_ratio() -> None:
    score, sizes = rows(few=(10, 10), high=(90, 10), low=(45, 55))
    groups = Groups.from_frame({"area": sizes.labels_of("area")}, reference={"area": "few"}, min_group_size=0)
    with pytest.warns(SmallGroupWarning, match="'few' of 'area' has 20 rows"):
        assert ratio_of(score, groups, kind="four-fifths").value == pytest.approx(0.5)
    with pytest.raises(InputError, match="the reference group has too few validation rows"):
        ratio_of(score, groups)
    score, groups = rows(few=(10, 10), alone=(90, 10))
    with pytest.raises(InputError, match=r"no group is large enough.*at least 30 rows in each of two groups"):
        ratio_of(score, groups, kind="four-fifths")


def test_nobody_approved_counts_as_zero() -> None:
    found = ratio_of(*rows(big=(0, 200), other=(0, 50)), kind="four-fifths")
    assert (found.value, found.interval, found.group, found.against) == (0.0, (0.0, 0.0), "big", "other")


def test_it_is_the_worst_groups_in_either_direction() -> None:
    score, groups = rows(big=(100, 100), low=(40, 60), high=(80, 20))
    found = ratio_of(score, groups)
    assert (found.attribute, found.group, found.against) == ("area", "big", "high")
    assert found.value == pytest.approx(0.5 / 0.8)
    score, groups = rows(big=(100, 100), low=(20, 80), high=(80, 20))
    assert (ratio_of(score, groups).group, ratio_of(score, groups).value) == ("low", pytest.approx(0.4))


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
        compared = Compared.of(groups, kind="adverse-impact")
    assert (compared.groups, compared.small) == ({"sex": ("f",)}, {"sex": ("x",)})
    with pytest.warns(SmallGroupWarning):
        assert Compared.of(groups).groups == {"sex": ("f", "m")}
    weight = np.ones(269)
    weight[100:131] = 0.0  # 29 of the women are left
    with pytest.raises(InputError, match=r"no group is large enough to compare; got .*'f' of 'sex' has 29 rows"):
        Compared.of(groups, weight, "adverse-impact")
    weight[:] = 1.0
    weight[:75] = 0.0
    with pytest.raises(
        InputError, match=r"protected attribute 'sex': the reference group has too few .*got .'m' with 25"
    ):
        Compared.of(groups, weight, "adverse-impact")
