"""Steps and paths of cards beside trying everything."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.additive.problems import drawn

from scrutable_additive.dense import dense_fit
from scrutable_additive.fine import FineBinner
from scrutable_additive.layout import Layout
from scrutable_additive.metric import Metric
from scrutable_additive.path import Path, path_from
from scrutable_additive.problem import Problem
from scrutable_additive.segments import NOBODY, Segments
from scrutable_additive.steps import best_steps, first_steps


def made(seed: int, *, rising: int = 0, bend: int = 0, min_count: float = 0.0) -> tuple[Path, tuple[Layout, ...]]:
    """A path from the dense fit itself."""
    problem = drawn(seed)
    metric = Metric.at(dense_fit(problem.rows, problem.penalties), problem.rows)
    layouts = tuple(
        each if each.nominal else replace(each, rising=rising, bend=bend, asked=True) for each in problem.layouts
    )
    return path_from(metric.dense, metric, layouts, min_count), layouts


def least_distance(metric: Metric, of_bin: np.ndarray) -> float:
    """From the dense fit, of the best values of steps, by least squares."""
    size = int(of_bin.max(initial=-1)) + 1
    member = np.zeros((len(of_bin), size))
    member[np.flatnonzero(of_bin >= 0), of_bin[of_bin >= 0]] = 1.0
    half = np.linalg.cholesky(metric.matrix).T
    values, *_ = np.linalg.lstsq(half @ member, half @ metric.dense, rcond=None)
    return metric.distance(member @ values)


def joined(of_bin: np.ndarray, left: int, right: int) -> np.ndarray:
    """The segments of each bin once two of them are one."""
    return np.where(of_bin == left, right, of_bin)


@pytest.mark.parametrize("seed", range(10))
def test_the_first_edge_is_the_one_that_costs_least(seed: int) -> None:
    path, _ = made(seed)
    first = path.segments
    pairs = zip(first.left.tolist(), first.right.tolist(), strict=True)
    costs = [least_distance(path.metric, joined(first.of_bin, left, right)) for left, right in pairs]
    assert costs[path.order[0]] == pytest.approx(min(costs), rel=1e-9, abs=1e-9)
    assert path.cards[1].distance == pytest.approx(min(costs), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_every_card_is_the_nearest_of_its_steps_and_part_of_the_one_before(seed: int) -> None:
    path, layouts = made(seed)
    before = None
    for card in path.cards:
        values = path.values(card)
        assert path.metric.distance(values) == pytest.approx(card.distance, rel=1e-6, abs=1e-9)
        slopes = path.metric.matrix @ (values - path.metric.dense)
        for layout in layouts:  # the quadratic's KKT: no step can move for the better
            own = values[layout.bins]
            seen = np.flatnonzero(layout.count > 0)
            for level in set(own[seen].tolist()):
                assert abs(slopes[layout.bins][seen[own[seen] == level]].sum()) <= 1e-8
        if before is not None:
            for one, other in itertools.combinations(range(len(values)), 2):
                assert not (before[one] == before[other] != values[one]) or values[one] == values[other]
        before = values
    assert path.cards[-1].steps == 0
    last = path.values(path.cards[-1])
    assert all(len(set(last[layout.bins][layout.count > 0].tolist())) == 1 for layout in layouts)


@pytest.mark.parametrize("rising", [1, -1])
def test_trends_hold_on_every_card(rising: int) -> None:
    for seed in range(5):
        path, layouts = made(seed, rising=rising)
        for card in path.cards:
            values = path.values(card)
            for layout in layouts:
                if not layout.nominal:
                    assert (np.diff(values[layout.bins][: layout.n_ordinary]) * rising >= 0).all()


def test_no_step_has_too_few_rows() -> None:
    path, layouts = made(2, min_count=60.0)
    for card in path.cards:
        values = path.values(card)
        for layout in layouts:
            own, seen = values[layout.bins], layout.count > 0
            for level in set(own[seen].tolist()):
                assert layout.count[seen & (own == level)].sum() >= 60.0


def test_a_block_that_has_to_stay_stays_and_a_fixed_one_is_left_alone() -> None:
    problem = drawn(4)
    metric = Metric.at(dense_fit(problem.rows, problem.penalties), problem.rows)
    amount, code, job = problem.layouts
    path = path_from(metric.dense, metric, [replace(amount, kept=True), replace(code, fixed=True), job], 0.0)
    last = path.values(path.cards[-1])
    assert len(set(last[amount.bins].tolist())) > 1
    assert len(set(last[code.bins][: code.n_ordinary].tolist())) == code.n_ordinary
    assert len(set(last[job.bins][job.count > 0].tolist())) == 1


def test_special_values_that_nobody_has_are_no_segments() -> None:
    problem = drawn(4)
    values = np.arange(1.0, problem.rows.size + 1)
    segments = Segments.of(values, problem.layouts)
    counts = np.concatenate([layout.count for layout in problem.layouts])
    empty = np.flatnonzero(counts == 0)
    assert len(empty)
    assert (segments.of_bin[empty] == NOBODY).all()


@settings(max_examples=60, deadline=None)
@given(
    bins=st.lists(st.tuples(st.floats(-3, 3), st.floats(0.1, 5)), min_size=1, max_size=8),
    price=st.floats(0.0, 3.0),
)
def test_best_steps_are_the_best_of_all(bins: list[tuple[float, float]], price: float) -> None:
    target, weight = np.array(bins).T

    def worth(step: np.ndarray) -> float:
        mean = np.bincount(step, weight * target) / np.bincount(step, weight)
        return float(0.5 * weight @ (target - mean[step]) ** 2 + price * len(mean))

    every = (
        np.concatenate([[0], np.cumsum(opens, dtype=int)])
        for opens in itertools.product([0, 1], repeat=len(target) - 1)
    )
    assert worth(best_steps(target, weight, price)) == pytest.approx(min(map(worth, every)), abs=1e-9)


def test_bins_of_one_step_have_one_value_to_the_last_bit() -> None:
    draw = np.random.default_rng(0)
    frame = pd.DataFrame({name: draw.normal(size=400) for name in ("a", "b", "noise")})
    good = (draw.random(400) < 1 / (1 + np.exp(-frame["a"]))).astype(int)
    binner = FineBinner(favourable=1)
    problem = Problem.of(binner.read(frame, good), binner)
    metric = Metric.at(dense_fit(problem.rows, problem.penalties), problem.rows)
    values = first_steps(metric, problem.layouts, 0.005 * metric.total)
    for layout in problem.layouts:
        apart = np.diff(np.sort(values[layout.ordinary]))
        assert ((apart == 0) | (apart > 1e-9)).all()
