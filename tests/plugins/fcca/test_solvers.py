"""What the solvers of trees share: the best of all combinations, and proofs that there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrutable_fcca.counterfactuals.boxes import solve_boxes
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.counterfactuals.stumps import solve_stumps

from .targets import COSTS, Solve, brute_force, check, one, random_plausibility, random_points, random_trees, stumps

#: Each solver with the most trees and the depth of its targets.
SOLVERS = [pytest.param(solve_stumps, 24, 1, id="stumps"), pytest.param(solve_boxes, 8, 4, id="boxes")]
ALONE = pytest.mark.parametrize("solve", [solve_stumps, solve_boxes], ids=["stumps", "boxes"])


@pytest.mark.parametrize("costs", COSTS, ids=str)
@pytest.mark.parametrize(("solve", "trees", "depth"), SOLVERS)
def test_they_are_the_best_of_all_combinations(solve: Solve, trees: int, depth: int, costs: Costs) -> None:
    random = np.random.default_rng(1)
    proven = []
    for _ in range(60):
        n_columns, levels = int(random.integers(1, 6)), 1 if depth == 1 else int(random.integers(0, depth + 1))
        target = random_trees(random, n_columns, int(random.integers(1, trees + 1)), levels)
        plausible = random_plausibility(random, n_columns)
        problem = Problem(plausible=plausible, costs=costs, margin=float(random.choice([1e-4, 0.5])))
        points, wanted = random_points(random, 6, target, plausible), random.random(6) < 0.5
        found = solve(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found.bound, found.cost)
        proven += [found.status(i) for i in range(6)]
    assert proven.count("optimal") > 150
    assert proven.count("infeasible") > 60


@pytest.mark.parametrize(("solve", "depth"), [(solve_stumps, 1), (solve_boxes, 3)], ids=["stumps", "boxes"])
def test_ties_and_scores_at_the_margin_are_as_good(solve: Solve, depth: int) -> None:
    random = np.random.default_rng(2)
    at_margin = 0
    for _ in range(50):
        target = random_trees(random, 5, 12, depth)
        target = replace(target, value=target.value.round(1), base=round(target.base, 1))
        problem = Problem(plausible=Plausibility.free(5), costs=Costs(distance=0.0), margin=0.3)
        points, wanted = random_points(random, 6, target, problem.plausible), random.random(6) < 0.5
        found = solve(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-12)
        at_margin += int((np.abs(np.abs(target.score(found.values)) - 0.3) < 1e-9).sum())
    assert at_margin > 10


@ALONE
def test_constants_have_no_counterfactuals(solve: Solve) -> None:
    constant = random_trees(np.random.default_rng(0), 3, 4, 0)
    points = np.full((2, 3), 0.5)
    sign = constant.score(points)[0] > 0
    problem = Problem(plausible=Plausibility.free(3), costs=Costs())
    found = solve(constant, points, np.array([sign, not sign]), problem)
    assert found.cost.tolist() == [0.0, np.inf]
    assert [found.status(i) for i in range(2)] == ["optimal", "infeasible"]
    assert solve(constant, points[:0], np.zeros(0, np.bool_), problem).values.shape == (0, 3)


@ALONE
def test_an_applicant_can_give_up_a_category_that_the_target_does_not_ask_about(solve: Solve) -> None:
    """Of three categories the target knows the second; who has the first must lose it to have that."""
    target = stumps((1, 0.5, -1.0, 1.0), n_columns=3)
    free = Plausibility.free(3)
    plausible = replace(free, binary=np.ones(3, np.bool_), one_of=((0, 1, 2),))
    problem = Problem(plausible=plausible, costs=Costs())
    values, cost, _ = one(solve, target, [1.0, 0.0, 0.0], problem)
    assert values == [0.0, 1.0, 0.0]
    assert cost == pytest.approx(2.2)


def test_they_agree_with_the_solver_of_stumps() -> None:
    random = np.random.default_rng(5)
    target = random_trees(random, 12, 60, 1)
    problem = Problem(plausible=random_plausibility(random, 12), costs=Costs())
    points = random_points(random, 60, target, problem.plausible)
    target = replace(target, base=target.base - float(np.median(target.score(points))))
    wanted = target.score(points) <= 0
    found, expected = (solve(target, points, wanted, problem) for solve in (solve_boxes, solve_stumps))
    check(found, target, points, wanted, problem)
    np.testing.assert_allclose(found.cost, expected.cost, rtol=0, atol=1e-12)
