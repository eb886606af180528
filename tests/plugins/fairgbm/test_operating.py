"""Operating points, beside all thresholds tried one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from scrutable.errors import InputError
from scrutable_fairgbm.calibration import calibrate
from scrutable_fairgbm.operating import Operating, RunningThreshold
from scrutable_fairgbm.stopping import Stopping


def operating(name: str, share: float) -> Operating:
    given: dict[str, Any] = {name: share}
    return Operating(**given)


def rates(score: np.ndarray, cutoff: float, good: np.ndarray, weight: np.ndarray) -> tuple[float, float, float]:
    """Shares declined of the good, approved of the bad, and approved of all."""
    approved = score >= cutoff
    return (
        float(np.average(~approved[good], weights=weight[good])),
        float(np.average(approved[~good], weights=weight[~good])),
        float(np.average(approved, weights=weight)),
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("share", [0.05, 0.3, 0.9])
def test_the_cutoff_is_the_best_that_keeps_the_ceiling(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    score, good = np.round(rng.normal(size=200), 1), rng.random(200) < 0.6
    weight = rng.random(200) if seed % 2 else np.ones(200)
    levels = np.unique(score)
    tried = np.r_[levels, levels[-1] + 1]
    every = np.array([rates(score, cutoff, good, weight) for cutoff in tried])
    for make in ("cutoff", "cutoff_between"):
        at = [
            rates(score, getattr(operating(name, share), make)(score, good, weight), good, weight)
            for name in ("declined_good", "approved_bad", "approval")
        ]
        assert at[0][0] <= share + 1e-9
        assert at[0][1] == pytest.approx(every[every[:, 0] <= share + 1e-9, 1].min())
        assert at[1][1] <= share + 1e-9
        assert at[1][0] == pytest.approx(every[every[:, 1] <= share + 1e-9, 0].min())
        assert at[2][2] == pytest.approx(every[every[:, 2] >= share - 1e-9, 2].min())


@pytest.mark.parametrize(
    ("name", "positive", "kind"),
    [
        ("fpr", "unfavourable", "declined_good"),
        ("fpr", "favourable", "approved_bad"),
        ("fnr", "unfavourable", "approved_bad"),
        ("fnr", "favourable", "declined_good"),
    ],
)
def test_rates_by_their_papers_names(name: str, positive: Any, kind: str) -> None:
    assert Operating(**{name: 0.05}, positive=positive).ceiling == (kind, 0.05)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({}, "give one of them"),
        ({"approval": 0.5, "declined_good": 0.1}, "give one of them"),
        ({"approval": 1.0}, "approval: expected a share"),
        ({"fpr": 0.05}, "goes with the class that is called positive"),
        ({"approval": 0.5, "positive": "favourable"}, "goes with the class that is called positive"),
        ({"fnr": 0.05, "positive": "bad"}, "positive: unknown class"),
    ],
)
def test_unclear_operating_points_are_refused(given: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        Operating(**given)


def test_a_running_threshold_is_near_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    score, good, weight = rng.normal(size=100_000), rng.random(100_000) < 0.99, np.ones(100_000)
    near = RunningThreshold(Operating(declined_good=0.05), good, weight, 1).at(score)
    assert rates(score, near, good, weight)[0] == pytest.approx(0.05, abs=0.005)
    few = RunningThreshold(Operating(approved_bad=0.1), good, weight, 1).at(score)  # of the 1,000 bad payers, all
    assert few == Operating(approved_bad=0.1).cutoff(score, good, weight)
    assert RunningThreshold(None, good, weight, 1).at(score) == 0.0
    with pytest.raises(InputError, match="no row of the class"):
        RunningThreshold(Operating(approved_bad=0.1), np.ones(5, bool), np.ones(5), 1)


@pytest.mark.parametrize("offset", [0.0, 500.0])
def test_the_calibration_is_logistic_regression(offset: float) -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(1, 3, 5000) + offset
    good, weight = rng.random(5000) < 1 / (1 + np.exp(-(0.7 * (score - offset) - 0.4))), rng.random(5000) * 2
    found = calibrate(score, good, weight)
    other = LogisticRegression(C=1e9, tol=1e-10).fit((score - offset)[:, None], good, sample_weight=weight)
    assert found.slope == pytest.approx(other.coef_[0, 0], abs=2e-3)
    assert found.intercept + found.slope * offset == pytest.approx(other.intercept_[0], abs=5e-3)


def test_calibrations_stay_finite_and_never_fall() -> None:
    good = np.arange(100) >= 50
    for score in (np.arange(100.0), -np.arange(100.0), np.zeros(100), np.where(good, 1e6, -1e6)):
        found = calibrate(score, good, np.ones(100))
        assert 0 <= found.slope < 1e3
        assert np.isfinite(found.intercept)


@pytest.mark.parametrize("metric", ["log-loss", "auc"])
def test_stopping_waits_for_a_lower_loss(metric: Any) -> None:
    good = np.array([True, False] * 50)
    ideal = np.where(good, 1.0, -1.0)
    noise = np.random.default_rng(0).normal(size=100)
    stopping = Stopping(metric, 3, good, np.ones(100))
    said = [stopping.add(share * ideal + (1 - share) * noise, 0.0) for share in (0.1, 0.3, 0.4, 0.3, 0.2, 0.1)]
    assert stopping.best == 2
    assert said == [False] * 5 + [True]
    bounded = Stopping(metric, 3, good, np.ones(100))
    bounded.add(ideal, 0.5)
    bounded.add(0.9 * ideal, 0.0)
    assert bounded.best == 1


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_calibrations_fit_scores_of_any_scale(scale: float) -> None:
    rng = np.random.default_rng(3)
    score = rng.normal(0, 2, 20_000)
    good = rng.random(20_000) < 1 / (1 + np.exp(-(0.7 * score - 0.4)))
    outlier = np.append(scale * score, 1e5 * scale), np.append(good, True)
    for own, outcome in ((scale * score, good), outlier):
        found = calibrate(own, outcome, np.ones(len(own)))
        assert (found.slope * scale, found.intercept) == pytest.approx((0.7, -0.4), abs=0.05)


@pytest.mark.parametrize(
    "operating", [Operating(approved_bad=0.3), Operating(declined_good=0.3), Operating(approval=0.4)]
)
def test_rounding_of_scores_moves_no_row_over_the_cutoff(operating: Operating) -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        score = rng.choice(rng.normal(size=6), 300)
        good = rng.random(300) < 1 / (1 + np.exp(-score))
        close = score + rng.normal(size=300) * 1e-8  # what is the same but for rounding
        cutoff = operating.cutoff_between(close, good, np.ones(300))
        assert len({tuple(np.unique(score[(score + moved) >= cutoff])) for moved in (-1e-6, 0.0, 1e-6)}) == 1
        kind, limit = operating.ceiling
        approved = close >= cutoff
        if kind == "approved_bad":
            assert approved[~good].mean() <= limit
        if kind == "declined_good":
            assert (~approved)[good].mean() <= limit
