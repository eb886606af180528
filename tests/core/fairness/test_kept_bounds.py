"""Measured bounds against fairlearn, at their edges, and where a rate is undefined."""

from __future__ import annotations

import json
import math
from typing import Any

import fairlearn.metrics
import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, Groups, RateBound
from scrutable.fairness.kept_bounds import MeasuredBound, measure_bounds

PAIR: dict[str, Any] = {"attribute": "g", "group": "a", "reference": "b"}


def draw(seed: int) -> tuple[Any, Any, Any]:
    generator = np.random.default_rng(seed)
    return (*generator.random((2, 200)).round().astype(bool), generator.choice(["a", "b"], 200, p=[0.3, 0.7]))


@pytest.mark.parametrize(
    ("rate", "given", "metric"),
    [
        ("approval", None, "demographic_parity_difference"),
        ("approval", True, "equal_opportunity_difference"),
        ("approval", False, "false_positive_rate_difference"),
        ("error", True, "false_negative_rate_difference"),
        ("error", False, "false_positive_rate_difference"),
        ("error", None, "zero_one_loss_difference"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_gaps_are_those_of_fairlearn(rate: Any, given: Any, metric: str, seed: int) -> None:
    y, predicted, group = draw(seed)
    bound = RateBound(rate=rate, given=given, slack=0.1, **PAIR)
    [found] = measure_bounds([bound], y, predicted, Groups.from_frame({"g": group}))
    expected = getattr(fairlearn.metrics, metric)(y, predicted, sensitive_features=group)
    assert abs(found.gap) == pytest.approx(expected, abs=1e-12)
    assert found.kept is bool(expected <= 0.1)


@pytest.mark.parametrize("seed", range(3))
def test_the_ratio_is_that_of_fairlearn(seed: int) -> None:
    y, predicted, group = draw(seed)
    [found] = measure_bounds(
        [RateBound(rate="approval", ratio=0.8, **PAIR)], y, predicted, Groups.from_frame({"g": group})
    )
    expected = fairlearn.metrics.demographic_parity_ratio(y, predicted, sensitive_features=group)
    assert min(found.ratio, 1 / found.ratio) == pytest.approx(expected, abs=1e-12)
    assert found.kept is (found.ratio >= 0.8)


def measured(own: float, other: float, **limit: float) -> MeasuredBound:
    return MeasuredBound(bound=RateBound(rate="approval", **PAIR, **limit), group_rate=own, reference_rate=other)


def test_a_bound_is_kept_at_its_limit_despite_rounding() -> None:
    assert 0.8 - 0.7 > 0.1
    assert measured(0.8, 0.7, slack=0.1).kept is True
    assert measured(0.7, 0.8, slack=0.1).kept is True
    assert measured(0.8, 0.7, slack=0.0999).kept is False
    assert 0.7 * 0.7 < 0.49
    assert measured(0.7 * 0.7, 0.7, ratio=0.7).kept is True
    assert measured(0.48, 0.7, ratio=0.7).kept is False
    assert measured(0.9, 0.7, ratio=1).kept is True


def test_a_ratio_to_nobody_is_undefined_and_its_bound_is_kept() -> None:
    found = measured(0.5, 0.0, ratio=0.8)
    assert math.isnan(found.ratio)
    assert found.kept is True


def test_a_rate_without_rows_is_undefined() -> None:
    groups = Groups.from_frame({"g": ["a", "b", "c"]}, min_group_size=0)
    bounds = [
        RateBound(rate="error", given="late", slack=0.1, **PAIR),
        RateBound(rate="error", attribute="g", group="gone", reference=None, slack=0.1),
    ]
    late, gone = measure_bounds(bounds, ["paid", "late", "late"], ["paid", "paid", "late"], groups)
    assert math.isnan(late.group_rate)
    assert late.reference_rate == 1
    assert (late.kept, gone.kept, gone.reference_rate) == (None, None, 1 / 3)
    row = json.loads(json.dumps(late.to_dict(), allow_nan=False))
    assert row == {
        "attribute": "g",
        "group": "a",
        "reference": "b",
        "rate": "error",
        "given": "late",
        "slack": 0.1,
        "smallest_ratio": None,
        "group_rate": None,
        "reference_rate": 1.0,
        "gap": None,
        "ratio": None,
        "kept": None,
    }


def test_other_kinds_of_bound_are_refused() -> None:
    bound = DivergenceBound(rows="all", bound=0.1, **PAIR)
    with pytest.raises(InputError, match=r"bounds: only bounds on rates can be measured .*allowed: RateBound"):
        measure_bounds([bound], [True, True], [True, True], Groups.from_frame({"g": ["a", "b"]}, min_group_size=0))
