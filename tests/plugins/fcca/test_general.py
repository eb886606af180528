"""The program of the paper finds the best of all combinations, and what the solver of stumps finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.general import solve_general
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.counterfactuals.stumps import solve_stumps
from scrutable_fcca.target import Trees

from .targets import brute_force, check, random_plausibility, random_points, random_trees


def tree(threshold: float, n_columns: int, column: int = 0, gain: float = 1.0) -> Trees:
    """A stump that adds nothing up to a threshold, and a gain above."""
    return Trees(
        n_columns=n_columns,
        roots=np.array([0]),
        column=np.array([column, -1, -1]),
        threshold=np.array([threshold, 0.0, 0.0]),
        left=np.array([1, 0, 0]),
        right=np.array([2, 0, 0]),
        value=np.array([0.0, 0.0, gain]),
        base=-0.5,
    )


@pytest.mark.parametrize("costs", [Costs(), Costs(changed=0.0), Costs(changed=1.0, distance=0.0)], ids=str)
def test_it_finds_the_best_of_all_combinations(costs: Costs) -> None:
    random = np.random.default_rng(6)
    proven = []
    for _ in range(20):
        n_columns = int(random.integers(1, 7))
        target = random_trees(random, n_columns, int(random.integers(1, 12)), int(random.integers(0, 4)))
        plausible = random_plausibility(random, n_columns)
        problem = Problem(plausible=plausible, costs=costs, margin=float(random.choice([1e-4, 0.5])))
        points, wanted = random_points(random, 3, target, plausible), random.random(3) < 0.5
        found = solve_general(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-6)
        proven += [found.status(i) for i in range(3)]
    assert proven.count("optimal") > 30
    assert proven.count("infeasible") > 10
    assert "limit" not in proven


def test_it_agrees_with_the_solver_of_stumps() -> None:
    random = np.random.default_rng(7)
    target = random_trees(random, 12, 60, 1)
    problem = Problem(plausible=random_plausibility(random, 12), costs=Costs())
    points = random_points(random, 40, target, problem.plausible)
    target = replace(target, base=target.base - float(np.median(target.score(points))))
    wanted = target.score(points) <= 0
    found, expected = (solve(target, points, wanted, problem) for solve in (solve_general, solve_stumps))
    check(found, target, points, wanted, problem)
    np.testing.assert_allclose(found.cost, expected.cost, rtol=0, atol=1e-6)
    assert np.isfinite(found.cost).sum() > 20
    assert (found.cost > 0).all()


@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-7, 1e-6])
def test_values_next_to_a_threshold_stay_or_pay(distance: float) -> None:
    two = [tree(0.5, 2, 0, gain=-1.0), tree(0.5, 2, 1)]
    target = Trees(
        n_columns=2,
        roots=np.array([0, 3]),
        column=np.concatenate([each.column for each in two]),
        threshold=np.concatenate([each.threshold for each in two]),
        left=np.concatenate([two[0].left, two[1].left + 3]),
        right=np.concatenate([two[0].right, two[1].right + 3]),
        value=np.concatenate([each.value for each in two]),
        base=-0.5,
    )
    problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    points = np.full((1, 2), 0.5 - distance)
    found = solve_general(target, points, np.array([True]), problem)
    assert found.values[0].tolist() == [0.5 - distance, 0.500001]
    assert found.cost[0] == pytest.approx(0.1 + 1e-6 + distance, abs=1e-12)
    assert found.status(0) == "optimal"


@pytest.mark.parametrize("upper", [1.0, np.inf])
def test_a_column_may_cross_its_whole_range(upper: float) -> None:
    problem = Problem(plausible=replace(Plausibility.free(1), upper=np.array([upper])), costs=Costs())
    for threshold in (0.0, 0.999999 - 1e-9):
        found = solve_general(tree(threshold, 1), np.zeros((1, 1)), np.array([True]), problem)
        assert found.cost[0] == pytest.approx(0.1 + threshold + 1e-6, abs=1e-6)
        back = solve_general(tree(threshold + 1e-6, 1), np.ones((1, 1)), np.array([False]), problem)
        assert back.cost[0] == pytest.approx(0.1 + 1 - threshold, abs=1e-6)


def test_a_search_that_gives_up_says_so() -> None:
    random = np.random.default_rng(8)
    target = random_trees(random, 10, 80, 3)
    problem = Problem(plausible=Plausibility.free(10), costs=Costs())
    points = random_points(random, 1, target, problem.plausible)
    wanted = target.score(points) <= 0
    found = solve_general(target, points, wanted, problem, time_limit=0.0)
    assert found.status(0) == "limit"
    assert 0 <= found.bound[0] < found.cost[0]


def test_squared_distances_are_refused() -> None:
    problem = Problem(plausible=Plausibility.free(1), costs=Costs(squared=0.5))
    with pytest.raises(InputError, match=r"costs\.squared: the mixed-integer program is linear; got 0\.5; allowed: 0"):
        solve_general(tree(0.5, 1), np.zeros((1, 1)), np.array([True]), problem)
