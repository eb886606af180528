"""The program of the paper, the peer of our solvers in the benchmarks, finds the best of all combinations."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem

from .targets import Solve, brute_force, check, one, random_plausibility, random_points, random_trees, stumps

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "compressing" / "program.py"
solve: Solve = runpy.run_path(str(PROGRAM))["solve_general"]


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
        solved = solve(target, points, wanted, problem)
        check(solved, target, points, wanted, problem)
        best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(solved.cost, best, rtol=0, atol=1e-6)
        proven += [solved.status(i) for i in range(3)]
    assert proven.count("optimal") > 30
    assert proven.count("infeasible") > 10
    assert "limit" not in proven


@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-7, 1e-6])
def test_values_next_to_a_threshold_stay_or_pay(distance: float) -> None:
    target = stumps((0, 0.5, 0.0, -1.0), (1, 0.5, 0.0, 1.0), n_columns=2, base=-0.5)
    problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    values, cost, status = one(solve, target, [0.5 - distance] * 2, problem)
    assert values == [0.5 - distance, 0.500001]
    assert cost == pytest.approx(0.1 + 1e-6 + distance, abs=1e-12)
    assert status == "optimal"
