"""AUC, Gini and KS of few rows: no interval below a stated count, and none above it that looks exact."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from scrutable.data.sizes import MIN_GROUP_SIZE, MIN_OUTCOMES
from scrutable.measures.separating_power import Performance, performance


def separated(good: int, bad: int, **options: Any) -> Performance:
    """Rows of which every good payer scores above every bad one."""
    y = np.repeat([True, False], [good, bad])
    return performance(y, y + np.arange(y.size) / y.size, n_boot=300, **options)


def has_none(found: Performance) -> bool:
    ends = (*found.auc_interval, *found.gini_interval, *found.ks_interval)
    assert len(set(map(math.isnan, ends))) == 1
    assert found.small is math.isnan(ends[0])
    return found.small


@pytest.mark.parametrize("counts", [(1, 1), (39, 1), (1, 39), (9, 9), (200, MIN_OUTCOMES - 1), (19, 10)])
def test_few_rows_have_no_interval_and_are_flagged(counts: tuple[int, int]) -> None:
    found = separated(*counts)
    assert has_none(found)
    assert (found.auc, found.ks) == (1.0, 1.0)
    assert found.to_dict()["auc_interval"] == [None, None]
    assert found.to_dict()["small"] is True


def test_the_stated_counts_are_where_intervals_begin() -> None:
    assert not has_none(separated(MIN_GROUP_SIZE - MIN_OUTCOMES, MIN_OUTCOMES))
    assert not has_none(separated(MIN_OUTCOMES, 500))


@pytest.mark.parametrize("weight", [None, "equal", "uneven"])
def test_an_interval_is_never_a_point_and_never_leaves_out_its_figure(weight: str | None) -> None:
    given = {"equal": np.full(112, 0.5), "uneven": np.linspace(0.5, 1.5, 112)}.get(weight or "")
    found = separated(100, 12, sample_weight=given)
    for name in ("auc", "gini", "ks"):
        low, high = getattr(found, f"{name}_interval")
        assert 0.05 < high - low < 0.5, name
        assert high == pytest.approx(getattr(found, name)) == pytest.approx(1), name
    y = np.tile([True, False], 50)
    turned = performance(y, -y.astype(float), n_boot=300)
    assert turned.auc == turned.auc_interval[0] == 0.0
    assert turned.auc_interval[1] > 0.01


def test_weights_and_memberships_make_no_rows() -> None:
    heavy = np.where(np.arange(110) < 102, 1.0, 1000.0)
    assert has_none(separated(102, 8, sample_weight=heavy))
    assert not has_none(separated(200, 30, membership=np.full(230, 0.4)))
    assert has_none(separated(200, 30, membership=np.full(230, 0.3)))
    assert has_none(separated(50, 50, membership=np.full(100, 0.2)))


def test_memberships_count_as_weights() -> None:
    generator = np.random.default_rng(2)
    y, score, member = generator.random(300) < 0.7, generator.normal(size=300), generator.random(300)
    by_member = performance(y, score, n_boot=50, membership=member)
    by_weight = performance(y, score, n_boot=50, sample_weight=member)
    assert (by_member.auc, by_member.auc_interval) == (by_weight.auc, by_weight.auc_interval)


@pytest.mark.parametrize(("area", "least"), [(0.65, 0.9), (0.8, 0.9), (0.95, 0.92)])
def test_ninety_five_percent_intervals_of_ten_bad_payers_hold_the_truth_that_often(area: float, least: float) -> None:
    """Drawing rows with replacement holds it in 88 % of the samples at an AUC of 0.8, and in 80 % at 0.95."""
    generator = np.random.default_rng(1)
    apart, held, samples = NormalDist().inv_cdf(area) * math.sqrt(2), 0, 300
    y = np.repeat([True, False], [90, MIN_OUTCOMES])
    for _ in range(samples):
        low, high = performance(y, generator.normal(size=100) + apart * y, n_boot=200).auc_interval
        held += low <= area <= high
    assert least <= held / samples <= 0.99
