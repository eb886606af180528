"""Small cards of whole points beside all sets and whole sizes that there are, and what the learner makes of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.plugins.additive.problems import drawn, in_memory
from tests.plugins.additive.test_learner import learned, story

from scrutable.errors import InputError
from scrutable.model import PointIntervals, Scorecard
from scrutable_additive.jumps import Jumps, Limits
from scrutable_additive.layout import Layout
from scrutable_additive.patterns import RIDGE, Patterns
from scrutable_additive.small import small_card
from scrutable_additive.tallies import Rows

SMALL: dict[str, Any] = {"max_points": 3, "max_steps": 8}


def binary(seed: int, n: int = 200, p: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Binary columns of which some go together, outcomes, and weights."""
    draw = np.random.default_rng(seed)
    hidden = draw.normal(size=(n, 2)) @ draw.normal(size=(2, p)) + draw.normal(size=(n, p))
    columns = (hidden > 0).astype(np.intp)
    log_odds = columns @ draw.normal(size=p) - 0.5
    return columns, (draw.random(n) < 1 / (1 + np.exp(-log_odds))).astype(float), draw.integers(1, 4, n).astype(float)


def as_rows(columns: np.ndarray, good: np.ndarray, weight: np.ndarray, rising: int = 0) -> tuple[Rows, Jumps]:
    """A block of two bins for each column, and their jumps."""
    layouts = [
        Layout(
            name=str(at),
            bins=slice(2 * at, 2 * at + 2),
            n_ordinary=2,
            nominal=False,
            rising=rising,
            bend=0,
            asked=bool(rising),
            fixed=False,
            apart=np.ones(1, dtype=bool),
            kept=False,
            count=np.bincount(column, weight, 2),
        )
        for at, column in enumerate(columns.T)
    ]
    rows = in_memory(list(columns.T), [2] * len(layouts), good, weight)
    return rows, Jumps.of(layouts, np.zeros(2 * len(layouts)))


def lost(score: np.ndarray, good: np.ndarray, weight: np.ndarray) -> float:
    """Log-loss at the best intercept and multiplier of 0 or more, by a general solver."""

    def at(both: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = both[0] * score + both[1]
        slope = weight * (1 / (1 + np.exp(-log_odds)) - good)
        return float(weight @ (np.logaddexp(0, log_odds) - good * log_odds)), np.array([slope @ score, slope.sum()])

    bounds = [(0, None), (None, None)]
    return float(minimize(at, np.zeros(2), jac=True, method="L-BFGS-B", bounds=bounds, tol=1e-12).fun)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rising", [0, 1])
def test_no_set_and_no_whole_sizes_lose_less(seed: int, rising: int) -> None:
    columns, good, weight = binary(seed)
    rows, jumps = as_rows(columns, good, weight, rising)
    limits = Limits(jumps=2, steps=None, characteristics=2, min_count=1)
    small = small_card(rows, lambda part: part.target, jumps, limits, 2)
    sizes = range(0 if rising else -2, 3)
    every = [
        lost(columns[:, list(chosen)] @ points, good, weight)
        for chosen in itertools.combinations(range(5), 2)
        for points in itertools.product(sizes, repeat=2)
        if any(points)
    ]
    assert small is not None
    reached = small.whole
    score = columns[:, small.chosen.jumps] @ reached.points[0]
    assert reached.loss[0] == pytest.approx(lost(score, good, weight), abs=1e-5)
    assert reached.worth[0] > 0 or not rising
    assert reached.loss[0] <= min(every) + 1e-5
    assert (np.abs(reached.points) <= 2).all()


@pytest.mark.parametrize("seed", range(4))
def test_real_sizes_are_those_of_a_logistic_regression(seed: int) -> None:
    columns, good, weight = binary(seed)
    code = columns @ (1 << np.arange(5)[::-1])
    counts = np.stack([np.bincount(code, own, 32) for own in (weight * good, weight)], axis=1)
    patterns = Patterns.of(counts.reshape(2, 2, 2, 2, 2, 2))
    fit = patterns.fit()

    def at(both: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = columns @ both[1:] + both[0]
        slope = weight * (1 / (1 + np.exp(-log_odds)) - good)
        ridge = RIDGE * both * (np.arange(6) > 0)
        loss = float(weight @ (np.logaddexp(0, log_odds) - good * log_odds) + 0.5 * ridge @ both)
        return loss, np.append(slope.sum(), columns.T @ slope) + ridge

    best = minimize(at, np.zeros(6), jac=True, method="BFGS", options={"gtol": 1e-8})
    np.testing.assert_allclose(fit.sizes, best.x[1:], atol=1e-5)
    assert fit.loss == pytest.approx(float(best.fun))


@pytest.mark.parametrize("seed", range(6))
def test_jumps_of_a_card_part_its_steps_and_no_others(seed: int) -> None:
    problem, draw = drawn(seed), np.random.default_rng(seed)
    dense, of_bin, size = draw.normal(size=problem.rows.size), np.full(problem.rows.size, -1), 0
    for layout in problem.layouts:
        own = np.flatnonzero(layout.count > 0) + layout.bins.start
        ordered = np.arange(layout.ordinary.start, layout.ordinary.stop)
        if layout.nominal:
            ordered = ordered[np.argsort(dense[ordered])]
        step = np.sort(draw.integers(0, 3, len(ordered)))
        of_bin[ordered] = size + step
        apart = own[own >= layout.ordinary.stop]
        of_bin[apart] = size + draw.choice([*np.unique(step).tolist(), 3], len(apart))
        size += 4
    jumps = Jumps.of(problem.layouts, dense, of_bin)
    parted, block = jumps.partition(jumps.start)
    used = np.unique(np.stack([parted, of_bin]), axis=1)
    assert len(set(used[0])) == len(set(used[1])) == used.shape[1]
    assert len(jumps.start) == len(block) - len(problem.layouts)


@pytest.mark.parametrize("seed", range(4))
def test_steps_have_enough_rows_and_no_jump_is_told_twice(seed: int) -> None:
    problem = drawn(seed)
    jumps = Jumps.of(problem.layouts, np.zeros(problem.rows.size))
    for least in (1, 30):
        limits = Limits(jumps=2, steps=4, characteristics=1, min_count=least)
        for chosen in map(np.array, itertools.combinations(range(len(jumps.block)), 2)):
            place = int(jumps.block[chosen[0]])
            layout = problem.layouts[place]
            codes = jumps.of_bins(chosen, layout.bins) @ [2, 1]
            count = np.bincount(codes.astype(int), layout.count, 4)
            there = count[count > 0]
            allowed = (jumps.block[chosen] == place).all() and len(there) == 3 and there.min() >= least
            assert jumps.within(chosen, limits) == allowed


@pytest.mark.parametrize("aim", ["smooth", "outcomes"])
def test_small_cards_keep_limits_and_trends(aim: str) -> None:
    trends = {"income": "descending", "debt_ratio": "ascending"}
    learner = learned(trends=trends, max_characteristics=4, aim=aim, **SMALL)
    model, told = learner.model_, story(learner)
    assert isinstance(model, Scorecard)
    assert 0 < len(model.characteristics) <= 4
    assert told["rounding"]["steps"] <= 8
    for each in model.characteristics:
        points = [attribute.points for attribute in each.attributes]
        assert min(points) == 0
        assert all(float(one).is_integer() and one <= 3 for one in points)
        ordered = [a.points for a in each.attributes if type(a.condition).__name__ == "Interval"]
        if each.feature in trends:
            assert ordered == sorted(ordered, reverse=trends[each.feature] == "descending")
        assert each.feature not in told["left_out"]
    known = PointIntervals.of(learner.evidence_, model)
    assert known is not None
    assert set(known.characteristics) == {each.feature for each in model.characteristics}


def test_outcomes_are_fitted_at_least_as_well_as_what_is_expected_of_them() -> None:
    losses = {aim: story(learned(aim=aim, **SMALL))["rounding"]["log_loss"] for aim in ("smooth", "outcomes")}
    assert losses["outcomes"] <= losses["smooth"]
    by_path = story(learned(steps=8, max_points=3))["rounding"]["log_loss"]
    assert losses["outcomes"] < by_path


@pytest.mark.parametrize("options", [{}, {"max_points": 20}, {"max_points": 3, "must": ["income"]}])
def test_only_small_cards_fit_outcomes(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"aim: outcomes themselves are fitted by small cards .*leave aim out"):
        learned(aim="outcomes", max_steps=8, **options)
