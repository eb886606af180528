"""Whole points beside trying all of them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.plugins.additive.test_path import made

from scrutable_additive.levels import Levels
from scrutable_additive.lines import Line
from scrutable_additive.whole import Whole, bound_of, rounded_to, small

BOX = 3


def tiny(seed: int, *, rising: bool = False, blocks: int = 2) -> Levels:
    """Steps of a few characteristics, with the curvature of rows that have them at random."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(2, 4, blocks)
    block = np.repeat(np.arange(blocks), sizes)
    curvature = chance.uniform(0.02, 0.25, 60)
    linked = chance.random(60)
    places = [np.floor((0.5 * linked + 0.5 * chance.random(60)) * size).astype(int) for size in sizes]
    member = np.concatenate([np.eye(size)[place] for size, place in zip(sizes, places, strict=True)], axis=1)
    pairs = (member.T * curvature) @ member
    weight, total = np.diag(pairs).copy(), curvature.sum()
    alike = block[:, None] == block
    matrix = pairs - np.where(alike, 0.0, np.outer(weight, weight) / total) + 1e-6 * np.eye(len(block))
    values = chance.normal(size=len(block))
    if rising:
        values = np.concatenate([np.sort(values[block == each]) for each in range(blocks)])
    lines = tuple(Line(np.flatnonzero(block == each), int(rising), 0) for each in range(blocks))
    kept = np.zeros(len(block), dtype=bool)
    levels = Levels(values, matrix, np.arange(len(block)), block, lines, kept)
    return replace(levels, values=values - levels.averages(values))


def loss(levels: Levels, points: np.ndarray, worth: float) -> np.ndarray:
    """Of (..., L) points, by weighted averages and sums, written out."""
    away = worth * np.asarray(points, dtype=float) - levels.values
    for each in np.unique(levels.block):
        own = levels.block == each
        away[..., own] -= np.average(away[..., own], weights=np.diag(levels.matrix)[own], axis=-1)[..., None]
    return 0.5 * ((away @ levels.matrix) * away).sum(axis=-1)


def at_best(levels: Levels, points: np.ndarray) -> np.ndarray:
    """The loss at what a point is best worth, by three values of a parabola."""
    zero, one, two = (loss(levels, points, worth) for worth in (0.0, 1.0, 2.0))
    bend, slope = two - 2 * one + zero, one - zero - (two - 2 * one + zero) / 2
    return zero - np.where(slope < 0, slope**2 / (2 * np.maximum(bend, 1e-9)), 0.0)


def assignments(levels: Levels, low: int, high: int) -> np.ndarray:
    """(n, L) all whole points from one number to another that keep the trends."""
    every = np.array(list(itertools.product(range(low, high + 1), repeat=levels.size)))
    return every[follow(levels, every)]


def follow(levels: Levels, points: np.ndarray) -> np.ndarray:
    """(n,) whether points keep the trends."""
    return np.array([all(keeps(row[line.steps], line.rising, line.bend) for line in levels.lines) for row in points])


def keeps(values: Any, rising: int, bend: int) -> bool:
    """Whether successive different values rise or fall, and bend, exactly."""
    steps = [value for value, _ in itertools.groupby(np.asarray(values).tolist())]
    gains = np.diff(steps)
    return bool((rising * gains >= 0).all() and (bend * np.diff(gains) >= 0).all())


def moves(levels: Levels, points: np.ndarray) -> np.ndarray:
    """(n, L) all points that one move away: one step by 1, or two."""
    one = np.eye(levels.size)
    by = [
        one[i] * up + one[j] * also for i in range(levels.size) for j in range(i) for up in (1, -1) for also in (1, -1)
    ]
    moved = points + np.concatenate([one, -one, by])
    return moved[follow(levels, moved)]


def spread(levels: Levels, points: np.ndarray) -> int:
    """How far points of a characteristic are apart."""
    return max(int(np.ptp(points[own])) for own in levels.slices)


@pytest.mark.parametrize("rising", [False, True])
def test_small_points_lose_hardly_more_than_the_best_of_all(rising: bool) -> None:
    exact = 0
    for seed in range(20):
        levels = tiny(seed, rising=rising)
        whole = small(levels, BOX)
        least = at_best(levels, assignments(levels, 0, BOX)).min()
        nothing = loss(levels, np.zeros(levels.size), 1.0)
        assert whole.loss == pytest.approx(loss(levels, whole.points, whole.worth), rel=1e-9)
        assert least - 1e-9 <= whole.loss <= least + 0.001 * nothing
        exact += whole.loss <= least + 1e-9
        assert spread(levels, whole.points) <= BOX
        assert follow(levels, whole.points[None]).all()
    assert exact >= 19


@pytest.mark.parametrize("rising", [False, True])
@pytest.mark.parametrize("worth", [0.3, 0.9, 2.0])
def test_no_move_makes_rounded_points_better_and_the_best_of_all_are_hardly_better(rising: bool, worth: float) -> None:
    exact = 0
    for seed in range(15):
        levels = tiny(seed, rising=rising)
        whole = rounded_to(levels, worth)
        assert loss(levels, moves(levels, whole.points), worth).min() >= whole.loss - 1e-9
        nearest = np.rint(levels.values / worth)
        around = nearest + assignments(replace(levels, lines=()), -1, 1)
        least = loss(levels, around[follow(levels, around)], worth).min()
        assert whole.loss <= loss(levels, nearest, worth) + 1e-12
        exact += whole.loss <= least + 1e-9
        assert follow(levels, whole.points[None]).all()
    assert exact >= 14


def test_of_one_characteristic_with_two_steps_the_points_are_the_best() -> None:
    for seed in range(20):
        levels = tiny(seed, blocks=1)
        if levels.size > 2:
            continue
        whole = rounded_to(levels, 0.7)
        apart = [[0.0, each] for each in range(-9, 10)]
        assert whole.loss == pytest.approx(loss(levels, np.array(apart), 0.7).min(), abs=1e-12)
        assert small(levels, BOX).loss == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("worth", [0.05, 0.4, 3.0])
def test_the_bound_holds_for_any_error_of_half_a_point(worth: float) -> None:
    for seed in range(10):
        levels = tiny(seed)
        bound = bound_of(levels, worth)
        sides = np.array(list(itertools.product((-0.5, 0.5), repeat=levels.size)))
        worst = loss(levels, levels.values / worth + sides, worth).max()
        assert worst <= bound + 1e-12
        assert bound <= 8 * worst
        assert rounded_to(levels, worth).loss <= bound
        most = 4
        assert small(levels, most).loss <= small(levels, most).bound


def test_what_has_to_stay_keeps_different_points() -> None:
    for seed in range(10):
        levels = tiny(seed)
        held = replace(levels, kept=levels.block == 0)
        for whole in (rounded_to(held, 50.0), small(replace(held, values=held.values * [0.01, 1.0][seed % 2]), 1)):
            assert np.ptp(whole.points[levels.block == 0]) > 0
        assert not rounded_to(levels, 50.0).points.any()


@pytest.mark.parametrize("rising", [0, 1, -1])
def test_points_of_a_path_follow_its_shapes_and_its_steps(rising: int) -> None:
    for seed in range(2):
        path, layouts = made(seed, rising=rising)
        for card in path.cards[::3]:
            levels = Levels.of(path, card)
            np.testing.assert_allclose(levels.averages(levels.values), 0.0, atol=1e-8)
            exact = path.values(card)
            for whole in (rounded_to(levels, 0.4), small(levels, 2)):
                values = np.append(whole.values(levels), 0.0)[levels.of_bin]
                assert path.metric.distance(values) == pytest.approx(card.distance + whole.loss, abs=1e-4)
                for layout in layouts:
                    own, before = values[layout.bins], exact[layout.bins]
                    assert (np.diff(own[: layout.n_ordinary]) * rising >= 0).all() or layout.nominal
                    assert all(len(set(own[before == each])) == 1 for each in before)


def test_a_card_without_steps_has_no_points() -> None:
    path, _ = made(0)
    levels = Levels.of(path, path.cards[-1])
    assert not small(levels, 5).points.any()
    assert isinstance(rounded_to(levels, 0.1), Whole)
    assert rounded_to(levels, 0.1).loss == pytest.approx(0.0, abs=1e-12)
