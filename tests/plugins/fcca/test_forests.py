"""The tight mixed-integer program finds the best of all combinations, and nothing that only seems to be one."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable_fcca.counterfactuals.forests import solve_forest
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.target import LEAF, Trees

from .targets import brute_force, check, random_plausibility, random_points, random_trees


def stumps(*questions: tuple[int, float, float], base: float) -> Trees:
    """Stumps from column, threshold and what is added above it."""
    return Trees(
        n_columns=len(questions),
        roots=np.arange(0, 3 * len(questions), 3),
        column=np.array([j for column, _, _ in questions for j in (column, LEAF, LEAF)], dtype=np.int64),
        threshold=np.array([t for _, threshold, _ in questions for t in (threshold, 0.0, 0.0)]),
        left=np.array([k for i in range(len(questions)) for k in (3 * i + 1, 0, 0)], dtype=np.int64),
        right=np.array([k for i in range(len(questions)) for k in (3 * i + 2, 0, 0)], dtype=np.int64),
        value=np.array([v for _, _, gain in questions for v in (0.0, 0.0, gain)]),
        base=base,
    )


@pytest.mark.parametrize("costs", [Costs(), Costs(changed=1.0, distance=0.0), Costs(squared=2.0)], ids=str)
def test_it_finds_the_best_of_all_combinations(costs: Costs) -> None:
    random = np.random.default_rng(1)
    proven = []
    for _ in range(40):
        n_columns = int(random.integers(1, 6))
        target = random_trees(random, n_columns, int(random.integers(1, 12)), int(random.integers(0, 5)))
        plausible = random_plausibility(random, n_columns)
        problem = Problem(plausible=plausible, costs=costs, margin=float(random.choice([1e-4, 0.5])))
        points, wanted = random_points(random, 4, target, plausible), random.random(4) < 0.5
        found = solve_forest(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-8)
        proven += [found.status(i) for i in range(4)]
    assert proven.count("optimal") > 60
    assert proven.count("infeasible") > 30
    assert "limit" not in proven


def test_scores_that_fall_short_by_less_than_the_solver_sees_are_ruled_out() -> None:
    target = stumps((0, 0.3, 1.0 - 1e-10), (1, 0.4, 1.0 - 1e-10), (2, 0.5, 1.0), base=0.0)
    problem = Problem(plausible=Plausibility.free(3), costs=Costs(), margin=1.0)
    points, wanted = np.array([[0.2, 0.2, 0.2]]), np.array([True])
    found = solve_forest(target, points, wanted, problem)
    check(found, target, points, wanted, problem)
    assert found.values[0].tolist() == [0.2, 0.2, 0.500001]
    assert found.status(0) == "optimal"


def test_time_that_runs_out_is_no_proof() -> None:
    random = np.random.default_rng(2)
    target = random_trees(random, 6, 60, 4)
    problem = Problem(plausible=Plausibility.free(6), costs=Costs(), margin=8.0)
    points = random_points(random, 2, target, problem.plausible)
    wanted = target.score(points) < 0
    best = [brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)]
    early = solve_forest(target, points, wanted, problem, time_limit=1e-3)
    check(early, target, points, wanted, problem)
    assert [early.status(i) for i in range(2)] == ["limit", "limit"]
    assert (early.bound <= best).all()
    assert (early.cost >= best).all()


def test_a_point_beyond_the_margin_stays() -> None:
    target = stumps((0, 0.5, 1.0), base=-0.5)
    problem = Problem(plausible=Plausibility.free(1), costs=Costs(), margin=0.5)
    found = solve_forest(target, np.array([[0.7], [0.7]]), np.array([True, False]), problem)
    assert found.cost.round(6).tolist() == [0.0, 0.300001]
    assert np.isnan(found.crossed[0]).all()
    assert found.crossed[1].tolist() == [0.5]
