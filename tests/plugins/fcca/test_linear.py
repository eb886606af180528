"""Counterfactuals of linear classifiers against a mixed-integer program and against all sets of columns that change."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from scrutable_fcca.counterfactuals.linear import solve_linear
from scrutable_fcca.counterfactuals.problem import Costs, Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import Doubles, Flags, Linear

from .targets import check_changes, random_plausibility

Ranges = list[tuple[float, float]]


def random_problem(random: np.random.Generator, costs: Costs, most: int) -> tuple[Linear, Problem, Doubles]:
    """A classifier of up to so many columns, what may change, and points."""
    m = int(random.integers(1, most + 1))
    target = Linear(weights=random.normal(0, 2, m) * (random.random(m) < 0.9), intercept=float(random.normal()))
    plausible = random_plausibility(random, m)
    points = random.random((5, m))
    points[:, plausible.binary] = random.random((5, int(plausible.binary.sum()))) < 0.5
    return target, Problem(plausible=plausible, costs=costs, margin=1.0), points


def ranges(point: Doubles, plausible: Plausibility, side: int) -> Ranges:
    """How little and how far each column may rise (side 1) or fall (side -1); (0, 0) where it may not."""
    found = []
    for j, value in enumerate(point):
        lower, upper = plausible.lower[j], plausible.upper[j]
        if plausible.binary[j]:
            lower = upper = (1 + side) / 2
        near, far = sorted([side * (lower - value), side * (upper - value)])
        may = (plausible.rises if side > 0 else plausible.falls)[j]
        found.append((max(near, 0.0), far) if may and far > 0 else (0.0, 0.0))
    return found


def by_program(target: Linear, point: Doubles, wanted: bool, problem: Problem) -> float:
    """The least cost without squares: variables are rise, fall, whether each is above 0, whether each group stays."""
    m, groups, sign = len(point), problem.plausible.one_of, 1 if wanted else -1
    size = 4 * m + len(groups)
    rows: list[tuple[Doubles, float]] = []
    upper = np.ones(size)

    def at_most(high: float, coefficients: dict[int, float]) -> None:
        row = np.zeros(size)
        row[list(coefficients)] = list(coefficients.values())
        rows.append((row, high))

    for side, first in ((1, 0), (-1, m)):
        for j, (near, far) in enumerate(ranges(point, problem.plausible, side)):
            at_most(0.0, {first + j: 1.0, 2 * m + first + j: -far})
            at_most(0.0, {first + j: -1.0, 2 * m + first + j: near})
    for j in range(m):
        at_most(1.0, {2 * m + j: 1.0, 3 * m + j: 1.0})
    for stays, group in enumerate(groups, 4 * m):
        ones = float(sum(point[list(group)] == 1))
        changes = dict.fromkeys(group, 1.0) | {m + j: -1.0 for j in group}
        at_most(1.0 - ones, changes | {stays: -float(len(group))})
        for j in group:
            at_most(1.0, {stays: 1.0, 2 * m + j: 1.0, 3 * m + j: 1.0})
        upper[stays] = ones > 1
    score = np.concatenate([-target.weights, target.weights, np.zeros(size - 2 * m)])
    rows.append((sign * score, float(sign * target.score(point[None])[0] - problem.margin)))
    cost = np.repeat([problem.costs.distance, problem.costs.changed, 0.0], [2 * m, 2 * m, len(groups)])
    found = milp(
        1e3 * cost,
        integrality=np.repeat([0, 1], [2 * m, size - 2 * m]),
        bounds=Bounds(0, upper),
        constraints=LinearConstraint(np.array([row for row, _ in rows]), -np.inf, [high for _, high in rows]),
        options={"mip_rel_gap": 0.0},
    )
    return np.inf if found.x is None else found.fun / 1e3


def by_sets(target: Linear, point: Doubles, wanted: bool, problem: Problem) -> float:
    """The least cost over all sets of columns, each moved to one price that is found by halving."""
    costs, weights = problem.costs, (1 if wanted else -1) * target.weights
    lacking = problem.margin - (1 if wanted else -1) * target.score(point[None])[0]
    if lacking <= 0:
        return 0.0
    ups, downs = (ranges(point, problem.plausible, side) for side in (1, -1))
    ends = np.array([up if w > 0 else down for w, up, down in zip(weights, ups, downs, strict=True)])
    best = np.inf
    for chosen in product([False, True], repeat=len(point)):
        slope, (near, far) = np.abs(weights[list(chosen)]), ends[list(chosen)].T
        if slope @ far < lacking or (far == 0).any() or not len(slope):
            continue
        low, high = 0.0, 1e6
        for _ in range(200):
            price = (low + high) / 2
            distance = np.clip((price * slope - costs.distance) / (2 * costs.squared), near, far)
            low, high = (low, price) if slope @ distance >= lacking else (price, high)
        distance = np.clip((high * slope - costs.distance) / (2 * costs.squared), near, far)
        best = min(best, float(costs.of(distance).sum()))
    return best


def check(found: Counterfactuals, target: Linear, points: Doubles, wanted: Flags, problem: Problem) -> None:
    """Counterfactuals are as `check_changes` says, proven, and cross the values that they reach."""
    changed = check_changes(found, target, points, wanted, problem)
    np.testing.assert_array_equal(found.crossed[changed], found.values[changed])
    assert np.isnan(found.crossed[~changed]).all()
    np.testing.assert_array_equal(found.bound, found.cost)


@pytest.mark.parametrize("costs", [Costs(), Costs(changed=0.0), Costs(changed=1.0, distance=0.0)], ids=str)
def test_they_are_as_good_as_the_mixed_integer_programs(costs: Costs) -> None:
    random = np.random.default_rng(1)
    proven = []
    for _ in range(25):
        target, problem, points = random_problem(random, costs, 8)
        wanted = random.random(5) < 0.5
        found = solve_linear(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [by_program(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-6)
        proven += [found.status(i) for i in range(5)]
    assert proven.count("optimal") > 50
    assert proven.count("infeasible") > 25


@pytest.mark.parametrize("costs", [Costs(squared=1.0), Costs(changed=0.0, distance=0.0, squared=1.0)], ids=str)
def test_squares_are_as_good_as_all_sets_of_columns(costs: Costs) -> None:
    random = np.random.default_rng(2)
    solved = 0
    for _ in range(20):
        target, problem, points = random_problem(random, costs, 6)
        problem = replace(problem, plausible=replace(problem.plausible, one_of=()))
        wanted = random.random(5) < 0.5
        found = solve_linear(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [by_sets(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-9)
        solved += int(np.isfinite(found.cost).sum())
    assert solved > 40


def test_without_a_cost_of_each_change_the_heaviest_columns_move_first() -> None:
    target = Linear(weights=np.array([1.0, -4.0, 2.0]), intercept=0.0)
    problem = Problem(plausible=Plausibility.free(3), costs=Costs(changed=0.0), margin=1.0)
    found = solve_linear(target, np.array([[0.5, 0.5, 0.2]]), np.array([True]), problem)
    np.testing.assert_allclose(found.values, [[0.5, 0.0, 0.25]], rtol=0, atol=1e-12)
    squares = replace(problem, costs=Costs(changed=0.0, distance=0.0, squared=1.0))
    found = solve_linear(target, np.array([[0.5, 0.5, 0.2]]), np.array([True]), squares)
    np.testing.assert_allclose(found.values[0] - [0.5, 0.5, 0.2], np.array([1, -4, 2]) * 2.1 / 21, rtol=0, atol=1e-12)


def test_columns_that_are_alike_are_not_tried_in_all_combinations() -> None:
    for binary in (True, False):
        plausible = replace(Plausibility.free(60), binary=np.full(60, binary))
        target = Linear(weights=np.ones(60), intercept=-19.5)
        problem = Problem(plausible=plausible, costs=Costs(), margin=1.0)
        found = solve_linear(target, np.zeros((1, 60)), np.array([True]), problem)
        assert found.cost[0] == pytest.approx(21 * 1.1 if binary else 21 * 0.1 + 20.5, abs=1e-9)


def test_a_category_gives_way_to_another() -> None:
    target = Linear(weights=np.array([1.0, 4.0, 1.0, 0.5]), intercept=-2.0)
    three = np.array([True, True, True, False])
    plausible = replace(Plausibility.free(4), binary=three, one_of=((0, 1, 2),))
    problem = Problem(plausible=plausible, costs=Costs(), margin=1.0)
    found = solve_linear(target, np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([True]), problem)
    assert found.values[0].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert found.cost[0] == pytest.approx(2.2, abs=1e-12)
    fixed = replace(problem, plausible=replace(plausible, falls=~three))
    assert solve_linear(target, np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([True]), fixed).status(0) == "infeasible"


def test_weights_that_are_next_to_nothing_do_no_harm() -> None:
    target = Linear(weights=np.array([0.0, 1e-200, 1e-140, 2.0]), intercept=0.0)
    problem = Problem(plausible=Plausibility.free(4), costs=Costs(squared=1.0), margin=1.0)
    found = solve_linear(target, np.zeros((1, 4)), np.array([True]), problem)
    assert found.values[0] == pytest.approx([0.0, 0.0, 0.0, 0.5], abs=1e-12)


def test_a_point_beyond_the_margin_stays() -> None:
    target = Linear(weights=np.array([2.0]), intercept=0.0)
    problem = Problem(plausible=Plausibility.free(1), costs=Costs(), margin=1.0)
    found = solve_linear(target, np.array([[0.5], [0.4]]), np.array([True, False]), problem)
    assert found.values.tolist() == [[0.5], [0.4]]
    assert found.cost.tolist() == [0.0, np.inf]
