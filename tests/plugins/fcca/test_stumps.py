"""Counterfactuals of stumps are the best of all combinations, and what cannot be is proven not to be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.counterfactuals.stumps import solve_stumps
from scrutable_fcca.target import Doubles

from .targets import check, one, random_plausibility, random_points, random_trees, stumps

solved = partial(one, solve_stumps)


def test_a_point_beyond_the_margin_stays() -> None:
    target = stumps((0, 0.5, -1.0, 1.0), n_columns=1)
    problem = Problem(plausible=Plausibility.free(1), costs=Costs(), margin=1.0)
    assert solved(target, [0.7], problem) == ([0.7], 0.0, "optimal")
    assert solved(target, [0.5], problem, wanted=False) == ([0.5], 0.0, "optimal")
    assert solved(target, [0.7], replace(problem, margin=1.001)) == ([0.7], np.inf, "infeasible")


def test_a_column_that_does_not_move_keeps_its_value_next_to_a_threshold_or_out_of_range() -> None:
    target = stumps((0, 0.5, 1.0, 0.0), (1, 0.5, -1.0, 1.0), n_columns=2, base=-0.5)
    plausible = replace(Plausibility.free(2), upper=np.array([0.1, 1.0]))
    values, cost, _ = solved(target, [0.5, 0.2], Problem(plausible=plausible, costs=Costs()))
    assert values == [0.5, 0.500001]
    assert cost == pytest.approx(0.1 + 0.300001, abs=1e-12)


def test_a_category_gives_way_to_another_and_both_changes_cost() -> None:
    target = stumps((0, 0.5, 0.0, 1.0), (1, 0.5, 0.0, 3.0), (2, 0.5, 0.0, 3.0), n_columns=3, base=-2.0)
    two = np.array([True, True, False])
    plausible = replace(Plausibility.free(3), binary=two, one_of=((0, 1),))
    problem = Problem(plausible=plausible, costs=Costs(changed=1.0, distance=0.0))
    assert solved(target, [1.0, 0.0, 0.0], problem) == ([1.0, 0.0, 0.500001], 1.0, "optimal")
    fixed = replace(plausible, rises=two)
    assert solved(target, [1.0, 0.0, 0.0], replace(problem, plausible=fixed)) == ([0.0, 1.0, 0.0], 2.0, "optimal")
    stuck = replace(fixed, falls=~two)
    assert solved(target, [1.0, 0.0, 0.0], replace(problem, plausible=stuck)) == ([1.0, 0.0, 0.0], np.inf, "infeasible")


def test_many_points_are_solved_as_if_alone() -> None:
    random = np.random.default_rng(3)
    target = random_trees(random, 8, 60, 1)
    problem = Problem(plausible=random_plausibility(random, 8), costs=Costs())
    points = random_points(random, 1500, target, problem.plausible)
    wanted = target.score(points) <= 0
    found = solve_stumps(target, points, wanted, problem)
    check(found, target, points, wanted, problem)
    for i in (0, 1023, 1024, 1499):
        alone = solve_stumps(target, points[i : i + 1], wanted[i : i + 1], problem)
        np.testing.assert_array_equal(alone.values[0], found.values[i])
        assert alone.cost[0] == found.cost[i]
    assert solve_stumps(target, points[:0], wanted[:0], problem).values.shape == (0, 8)


def test_a_search_that_gives_up_says_so_and_has_a_bound() -> None:
    random = np.random.default_rng(4)
    gain: Doubles = random.uniform(0.1, 1, 16)
    target = stumps(*((j, g * 0.9, 0.0, g) for j, g in enumerate(gain.tolist())), n_columns=16, base=-gain.sum() / 2)
    problem = Problem(plausible=Plausibility.free(16), costs=Costs())
    points, wanted = np.zeros((1, 16)), np.array([True])
    best = solve_stumps(target, points, wanted, problem)
    early = solve_stumps(target, points, wanted, problem, most=10)
    check(early, target, points, wanted, problem)
    assert (best.status(0), early.status(0)) == ("optimal", "limit")
    assert 0 < early.bound[0] < best.cost[0] <= early.cost[0]


def test_deeper_trees_are_refused() -> None:
    target = random_trees(np.random.default_rng(5), 3, 5, 2)
    problem = Problem(plausible=Plausibility.free(3), costs=Costs())
    with pytest.raises(InputError, match="more than one question in a row; got 2; allowed: trees of depth 1"):
        solve_stumps(target, np.zeros((1, 3)), np.array([True]), problem)


@pytest.mark.parametrize("gap", [2e-7, 1e-9, 1e-16])
def test_thresholds_may_lie_close_together_and_close_to_the_ends(gap: float) -> None:
    for cuts in ([0.5, np.nextafter(0.5 + gap, 1.0)], [gap], [np.nextafter(1 - gap, 0.0)]):
        target = stumps(*((0, cut, -1.0, 1.0) for cut in cuts), n_columns=1)
        problem = Problem(plausible=Plausibility.free(1), costs=Costs(), margin=1.5 if len(cuts) == 2 else 1e-4)
        for start, wanted in ((0.0, True), (1.0, False)):
            found = solve_stumps(target, np.array([[start]]), np.array([wanted]), problem)
            assert found.status(0) == "optimal"
            assert (target.score(found.values)[0] > 0) == wanted
