"""Tests of equal approval rates, beside scipy's and beside a simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact

from scrutable.errors import KindError
from scrutable.fairness import Groups
from scrutable_lifecycle.validation.significance import impact_tests


def sexes(labels: list[str]) -> Groups:
    return Groups.from_frame({"sex": labels}, reference={"sex": "m"}, min_group_size=0)


def decided(female: tuple[int, int], male: tuple[int, int]) -> tuple[list[bool], Groups]:
    """Approved and declined of each sex."""
    approved = [*[True] * female[0], *[False] * female[1], *[True] * male[0], *[False] * male[1]]
    return approved, sexes(["f"] * sum(female) + ["m"] * sum(male))


@pytest.mark.parametrize(("female", "male"), [((20, 30), (30, 20)), ((3, 9), (40, 8)), ((5, 0), (7, 9))])
def test_the_test_of_whole_rows_is_pearsons_and_fishers(female: tuple[int, int], male: tuple[int, int]) -> None:
    [found] = impact_tests(*decided(female, male))
    pearson = chi2_contingency([female, male], correction=False)
    assert found.method == "two-proportion z"
    assert found.z**2 == pytest.approx(pearson.statistic)
    assert found.p_value == pytest.approx(pearson.pvalue)
    assert found.fisher_p == pytest.approx(fisher_exact([female, male]).pvalue)
    assert found.adverse_impact_ratio == pytest.approx((female[0] / sum(female)) / (male[0] / sum(male)))


def test_the_weighted_test_by_hand() -> None:
    # Weights 2 and 1 tell as much as 9/5 rows, so they count 6/5 and 3/5; the four men count 1 each.
    approved = [True, False, True, True, True, False]
    [found] = impact_tests(approved, sexes(["f", "f", "m", "m", "m", "m"]), sample_weight=[2.0, 1.0, 1, 1, 1, 1])
    rate = (6 / 5 + 3) / (9 / 5 + 4)
    squares = (36 / 25 + 3) * (1 - rate) ** 2 + (9 / 25 + 1) * rate**2
    variance = squares / (9 / 5 + 4) * (5 / 9 + 1 / 4)
    assert (found.method, found.fisher_p) == ("score z", None)
    assert found.z == pytest.approx((2 / 3 - 3 / 4) / math.sqrt(variance))


@pytest.mark.parametrize(("female", "male"), [((20, 30), (30, 20)), ((12, 0), (465, 35)), ((5, 0), (0, 9))])
def test_weights_of_one_are_no_weights(female: tuple[int, int], male: tuple[int, int]) -> None:
    approved, groups = decided(female, male)
    [plain] = impact_tests(approved, groups)
    [found] = impact_tests(approved, groups, sample_weight=np.ones(len(approved)))
    assert found.z == pytest.approx(plain.z)
    assert found.p_value == pytest.approx(plain.p_value)


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_few_weighted_rows_with_an_extreme_rate_keep_the_level(scale: float) -> None:
    """Twelve rows that are nearly all approved do not look surer than they are, whatever the scale of their weights."""
    generator, rejected = np.random.default_rng(2), 0
    groups = sexes(["f"] * 12 + ["m"] * 500)
    for _ in range(400):
        weight = generator.uniform(0.5, 2, 512) * np.repeat([scale, 1.0], [12, 500])
        [found] = impact_tests(generator.random(512) < 0.93, groups, sample_weight=weight)
        rejected += found.p_value < 0.05
    assert rejected / 400 <= 0.08


def test_scaled_weights_and_certain_probabilities_change_nothing() -> None:
    approved, groups = decided((20, 30), (30, 20))
    [found] = impact_tests(approved, groups, sample_weight=np.ones(100))
    [scaled] = impact_tests(approved, groups, sample_weight=np.full(100, 7.0))
    assert scaled.p_value == pytest.approx(found.p_value)
    certain = Groups.from_probabilities(
        {"sex": {"f": groups["sex"].membership[:, 0], "m": groups["sex"].membership[:, 1]}},
        reference={"sex": "m"},
        min_group_size=0,
    )
    assert impact_tests(approved, certain) == impact_tests(approved, groups)


def test_with_probabilities_the_level_is_kept() -> None:
    """Decisions that have nothing to do with the groups are called different about as often as the level says."""
    generator, rejected = np.random.default_rng(1), 0
    for _ in range(500):
        share = generator.beta(0.5, 0.5, 200)
        groups = Groups.from_probabilities(
            {"sex": {"f": share, "m": 1 - share}}, reference={"sex": "m"}, min_group_size=0
        )
        [found] = impact_tests(generator.random(200) < 0.6, groups, sample_weight=generator.uniform(0.5, 2, 200))
        rejected += found.p_value < 0.1
    assert 0.06 < rejected / 500 < 0.14


@pytest.mark.parametrize("scale", [1.0, 1e-3, 700.0])
def test_all_of_one_and_none_of_the_other_is_significant(scale: float) -> None:
    """No row differs from the others of its side; the rates differ all the same."""
    approved, groups = decided((0, 40), (60, 0))
    weight = np.random.default_rng(0).uniform(0.5, 2, 100) * scale
    [found] = impact_tests(approved, groups, sample_weight=weight)
    n, m = (float(its.sum() ** 2 / (its @ its)) for its in (weight[:40], weight[40:]))
    pooled = m / (n + m)
    assert found.method == "score z"
    assert found.z == pytest.approx(-1 / math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m)))
    assert found.p_value < 1e-6
    assert found.fisher_p is None
    [alike] = impact_tests([True] * 100, groups, sample_weight=weight)
    assert math.isnan(alike.z)


def test_everybody_approved_leaves_it_undefined() -> None:
    [found] = impact_tests(*decided((3, 0), (4, 0)))
    assert found.adverse_impact_ratio == 1
    assert found.to_dict()["p_value"] is None


def test_decisions_are_booleans() -> None:
    with pytest.raises(KindError, match="expected booleans"):
        impact_tests([1, 0], sexes(["f", "m"]))
