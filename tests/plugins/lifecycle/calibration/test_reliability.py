"""Predicted beside observed default rates: by hand, beside scikit-learn, with weights and by group."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import binomtest, chi2
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from scrutable.data.datasets import make_credit
from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups
from scrutable.measures.calibration_figures import wilson_interval
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.calibration import model_reliability, reliability

# Ten applicants with a PD of 10 %, one of them bad; ten with 40 %, six of them bad.
PD = [0.1] * 10 + [0.4] * 10
GOOD = [False] + [True] * 9 + [False] * 6 + [True] * 4


def test_by_hand() -> None:
    found = reliability(PD, GOOD, bins=2).overall
    assert [(each.size, each.mean_pd, each.bad_rate) for each in found.bins] == [
        (10, pytest.approx(0.1), 0.1),
        (10, pytest.approx(0.4), 0.6),
    ]
    assert found.bins[0].upper == found.bins[1].lower == 0.4
    assert (found.mean_pd, found.bad_rate) == (pytest.approx(0.25), 0.35)
    assert found.expected_over_observed == pytest.approx(5 / 7)
    assert found.hosmer_lemeshow == pytest.approx((6 - 4) ** 2 / (10 * 0.4 * 0.6))
    assert found.degrees_of_freedom == 2
    assert found.hosmer_lemeshow_p == pytest.approx(chi2.sf(5 / 3, 2))
    brier = found.brier
    assert brier.score == pytest.approx((0.81 + 9 * 0.01 + 6 * 0.36 + 4 * 0.16) / 20)
    assert brier.reliability == pytest.approx((0.2**2) / 2)
    assert brier.resolution == pytest.approx(0.25**2)
    assert brier.uncertainty == pytest.approx(0.35 * 0.65)
    assert brier.within == pytest.approx(0, abs=1e-15)  # PDs do not vary within these bins


def test_slope_and_intercept_by_hand() -> None:
    # Two levels, so that the line goes through both bad rates.
    found = reliability(PD, GOOD, bins=2).overall
    assert found.slope == pytest.approx((logit(0.6) - logit(0.1)) / (logit(0.4) - logit(0.1)))
    moved = expit(logit(np.array([0.1, 0.4])) + found.intercept)
    assert moved.mean() == pytest.approx(0.35, abs=1e-12)
    assert all(map(math.isnan, (*found.intercept_interval, *found.slope_interval)))  # twenty rows are too few
    twice = reliability(PD * 2, GOOD * 2, bins=2).overall
    low, high = twice.intercept_interval
    assert low < found.intercept < high
    assert twice.expected_over_observed_interval[0] < twice.expected_over_observed
    assert math.isnan(found.expected_over_observed_interval[0])


def test_fitted_parameters_cost_degrees_of_freedom() -> None:
    found = reliability(PD, GOOD, bins=2, fitted=1).overall
    assert found.hosmer_lemeshow_p == pytest.approx(chi2.sf(5 / 3, 1))
    assert math.isnan(reliability(PD, GOOD, bins=2, fitted=2).overall.hosmer_lemeshow_p)


@pytest.mark.parametrize(("bad", "n"), [(0, 12), (1, 10), (30, 100), (7, 7)])
def test_the_interval_is_wilsons(bad: int, n: int) -> None:
    peer = binomtest(bad, n).proportion_ci(0.95, method="wilson")
    assert wilson_interval(bad / n, n, 1.959963984540054) == pytest.approx((peer.low, peer.high), abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_bins_and_brier_score_are_scikit_learns(seed: int, bins: int) -> None:
    generator = np.random.default_rng(seed)
    pd = generator.permutation(np.linspace(0.01, 0.99, 12 * bins))  # no ties, equal bins
    bad = generator.random(pd.size) < pd
    found = reliability(pd, ~bad, bins=bins).overall
    observed, predicted = calibration_curve(bad, pd, n_bins=bins, strategy="quantile")
    assert [each.bad_rate for each in found.bins] == pytest.approx(observed.tolist())
    assert [each.mean_pd for each in found.bins] == pytest.approx(predicted.tolist())
    assert found.brier.score == pytest.approx(brier_score_loss(bad, pd))
    its = found.brier
    assert its.reliability - its.resolution + its.uncertainty + its.within == pytest.approx(its.score, abs=1e-15)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_a_weight_is_so_many_rows(seed: int) -> None:
    generator = np.random.default_rng(seed)
    pd = generator.choice([0.05, 0.1, 0.2, 0.4], 60)
    good = generator.random(60) > pd
    good[:4] = [True, False, True, False]
    pd[:4] = [0.05, 0.4, 0.4, 0.05]
    times = generator.integers(0, 4, 60)
    times[:4] = 1
    weighted = reliability(pd, good, bins=3, sample_weight=times).overall
    repeated = reliability(pd.repeat(times), good.repeat(times), bins=3).overall
    for name in ("size", "mean_pd", "bad_rate", "expected_over_observed", "slope", "intercept"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-9), name
    assert [each.bad_rate for each in weighted.bins] == pytest.approx([each.bad_rate for each in repeated.bins])
    assert weighted.brier.to_dict() == pytest.approx(repeated.brier.to_dict(), abs=1e-12)


def test_equal_weights_change_no_interval() -> None:
    plain, twice = (reliability(PD * 2, GOOD * 2, bins=2, sample_weight=each) for each in (None, [2.0] * 40))
    assert twice.overall.bad_rate_interval == pytest.approx(plain.overall.bad_rate_interval)
    assert twice.overall.slope_interval == pytest.approx(plain.overall.slope_interval)
    assert twice.overall.hosmer_lemeshow == pytest.approx(plain.overall.hosmer_lemeshow)


def test_groups_have_the_bins_of_all_and_probabilities_are_weights() -> None:
    share = np.linspace(0.1, 0.9, 20)
    groups = Groups.from_probabilities({"sex": {"f": share, "m": 1 - share}}, min_group_size=0)
    found = reliability(PD, GOOD, bins=2, groups=groups)
    [female, male] = found.groups
    alone = reliability(PD, GOOD, bins=2, sample_weight=share).overall
    for name in ("size", "mean_pd", "bad_rate", "bad_rate_interval", "slope", "slope_interval", "intercept"):
        assert getattr(female.curve, name) == getattr(alone, name), name
    assert [each.lower for each in male.curve.bins] == [each.lower for each in found.overall.bins]
    certain = Groups.from_probabilities(
        {"sex": {"f": [1.0] * 10 + [0.0] * 10, "m": [0.0] * 10 + [1.0] * 10}}, min_group_size=0
    )
    known = Groups.from_frame({"sex": ["f"] * 10 + ["m"] * 10}, min_group_size=0)
    assert reliability(PD, GOOD, groups=certain) == reliability(PD, GOOD, groups=known)


@pytest.mark.parametrize("figure", ["slope", "intercept", "expected_over_observed", "bad_rate"])
def test_intervals_cover_as_often_as_they_say(figure: str) -> None:
    generator, inside = np.random.default_rng(2), 0
    truth = {"slope": 1.0, "intercept": 0.0, "expected_over_observed": 1.0, "bad_rate": 0.2}[figure]
    for _ in range(300):
        pd = expit(generator.normal(-1.6, 1, 400))
        pd *= 0.2 / pd.mean()
        curve = reliability(pd, generator.random(400) > pd, confidence=0.9).overall
        low, high = getattr(curve, f"{figure}_interval")
        inside += low <= truth <= high
    assert 0.85 < inside / 300 < 0.96


def test_ties_are_never_put_apart_and_extremes_are_held() -> None:
    found = reliability([0.0] * 30 + [1.0] * 10, [True] * 29 + [False] * 11, bins=5).overall
    assert [each.size for each in found.bins] == [30, 10]
    assert found.hosmer_lemeshow == math.inf
    assert found.hosmer_lemeshow_p == 0
    assert found.to_dict()["hosmer_lemeshow"] is None
    assert math.isfinite(found.intercept)
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_class_leaves_slopes_undefined() -> None:
    found = reliability([0.1, 0.2], [True, True], bins=2).overall
    assert math.isnan(found.slope)
    assert math.isnan(found.expected_over_observed)
    assert found.to_dict()["intercept_interval"] == [None, None]


def test_a_model_on_rows_some_of_which_have_no_outcome(scorecard: Scorecard) -> None:
    rows = {"age": [20.0, 30.0, 40.0, 22.0], "housing": ["own", "own", "rent", None]}
    found = model_reliability(scorecard, rows, ["good", "bad", None, "good"])
    pd = 1 - evaluate(scorecard, rows).probability[[0, 1, 3]]
    assert found == reliability(pd, [True, False, True])
    with pytest.raises(InputError, match="no outcome is known"):
        model_reliability(scorecard, rows, [None] * 4)
    with pytest.raises(InputError, match="none of the model's classes"):
        model_reliability(scorecard, rows, ["good", "bad", "late", "good"])


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match=r"pd, row 1: a probability of default is outside its range; got 640"):
        reliability([0.1, 640], [True, False])
    with pytest.raises(KindError, match="expected booleans"):
        reliability([0.1, 0.2], [1, 0])
    with pytest.raises(InputError, match=r"bins: unusable number; got 1"):
        reliability([0.1, 0.2], [True, False], bins=1)
    with pytest.raises(InputError, match=r"fitted: unusable number; got -1"):
        reliability([0.1, 0.2], [True, False], fitted=-1)


def test_one_pd_for_everybody_is_one_bin() -> None:
    data = make_credit(4000, seed=5)
    rate = data.y.mean()
    found = reliability(np.full(4000, rate), (data.y == 0).to_numpy())
    assert found.overall.expected_over_observed == pytest.approx(1)
    assert len(found.overall.bins) == 1
