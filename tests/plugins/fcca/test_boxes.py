"""Counterfactuals by boxes are the best of all combinations, and a search that gives up claims nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.boxes import solve_boxes
from scrutable_fcca.counterfactuals.problem import Costs, Plausibility, Problem
from scrutable_fcca.target import LEAF, Trees
from scrutable_fcca.training import TargetOptions, train_target

from .targets import COSTS, brute_force, by_program, check, one, random_plausibility, random_points, random_trees

solved = partial(one, solve_boxes)


def both_above(*pairs: tuple[int, int], n_columns: int, base: float) -> Trees:
    """Trees that add 1 where two columns are above 0.5."""
    return Trees(
        n_columns=n_columns,
        roots=np.arange(0, 5 * len(pairs), 5),
        column=np.array([j for a, b in pairs for j in (a, LEAF, b, LEAF, LEAF)], dtype=np.int64),
        threshold=np.tile([0.5, 0.0, 0.5, 0.0, 0.0], len(pairs)),
        left=np.array([k for i in range(len(pairs)) for k in (5 * i + 1, 0, 5 * i + 3, 0, 0)], dtype=np.int64),
        right=np.array([k for i in range(len(pairs)) for k in (5 * i + 2, 0, 5 * i + 4, 0, 0)], dtype=np.int64),
        value=np.tile([0.0, 0.0, 0.0, 0.0, 1.0], len(pairs)),
        base=base,
    )


@pytest.mark.parametrize("costs", COSTS, ids=str)
def test_so_are_those_that_need_the_relaxed_problem(costs: Costs) -> None:
    random = np.random.default_rng(2)
    given_up = 0
    for round_ in range(6):
        target = random_trees(random, 7, 40, 3)
        plausible = random_plausibility(random, 7) if round_ % 2 else Plausibility.free(7)
        points = random_points(random, 3, target, plausible)
        wanted = target.score(points) < 0
        problem = Problem(plausible=plausible, costs=costs, margin=7.0)
        found = solve_boxes(target, points, wanted, problem)
        check(found, target, points, wanted, problem)
        best = np.array([brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)])
        np.testing.assert_allclose(found.cost, best, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found.bound, found.cost)
        early = solve_boxes(target, points, wanted, problem, node_limit=100)
        given_up += sum(early.status(i) == "limit" for i in range(3))
    assert given_up >= 1


def test_a_search_that_gives_up_says_so_and_has_a_bound() -> None:
    random = np.random.default_rng(3)
    statuses, improved = set(), 0
    for margin in (5.0, 5.0, 5.0, 5.0, 30.0, 40.0):
        target = random_trees(random, 6, 40, 3)
        problem = Problem(plausible=Plausibility.free(6), costs=Costs(), margin=margin)
        points = random_points(random, 3, target, problem.plausible)
        wanted = target.score(points) < 0
        best = np.array([brute_force(target, *each, problem) for each in zip(points, wanted, strict=True)])
        for node_limit in (1, 3, 30, 120, 150):
            early = solve_boxes(target, points, wanted, problem, node_limit=node_limit)
            check(early, target, points, wanted, problem)
            assert (early.bound <= best + 1e-9).all()
            assert (early.cost >= best - 1e-9).all()
            improved += int((np.isfinite(early.cost) & (early.cost > best + 1e-9)).sum())
            for i in range(3):
                statuses.add((early.status(i), bool(np.isinf(early.cost[i]))))
                assert early.status(i) != "infeasible" or np.isinf(best[i])
    assert statuses == {("limit", False), ("limit", True), ("optimal", False), ("infeasible", True)}
    assert improved >= 3


@pytest.mark.parametrize("kind", ["boosting", "forest"])
def test_they_agree_with_the_mixed_integer_program(kind: Literal["boosting", "forest"]) -> None:
    random = np.random.default_rng(4)
    points = random.random((300, 8))
    label = points[:, 0] * points[:, 1] + np.abs(points[:, 2] - 0.5) + random.normal(0, 0.1, 300) > 0.5
    options = TargetOptions(kind=kind, n_estimators=20, max_depth=3)
    target = train_target(points, label, np.ones(300), options).target
    assert isinstance(target, Trees)
    plausible = replace(Plausibility.free(8), rises=np.arange(8) != 1, upper=np.full(8, 0.9))
    problem = Problem(plausible=plausible, costs=Costs())
    found = solve_boxes(target, points[:8], ~label[:8], problem)
    check(found, target, points[:8], ~label[:8], problem)
    least = [by_program(target, *each, problem) for each in zip(points[:8], ~label[:8], strict=True)]
    np.testing.assert_allclose(found.cost, least, rtol=0, atol=1e-8)
    assert {found.status(i) for i in range(8)} == {"optimal"}


def test_what_is_shared_by_trees_is_paid_once() -> None:
    target = both_above((0, 1), (0, 2), (3, 4), (3, 4), n_columns=5, base=-1.5)
    problem = Problem(plausible=Plausibility.free(5), costs=Costs())
    values, cost, _ = solved(target, [0.4, 0.4, 0.4, 0.4, 0.1], problem)
    assert values == [0.500001, 0.500001, 0.500001, 0.4, 0.1]
    assert cost == pytest.approx(3 * 0.200001, abs=1e-12)
    values, cost, _ = solved(target, [0.4, 0.4, 0.4, 0.4, 0.4], problem)
    assert values == [0.4, 0.4, 0.4, 0.500001, 0.500001]
    assert cost == pytest.approx(2 * 0.200001, abs=1e-12)


def test_a_point_beyond_the_margin_stays_and_what_cannot_be_is_proven() -> None:
    target = both_above((0, 1), n_columns=2, base=-0.5)
    problem = Problem(plausible=Plausibility.free(2), costs=Costs(), margin=0.5)
    assert solved(target, [0.6, 0.7], problem) == ([0.6, 0.7], 0.0, "optimal")
    assert solved(target, [0.6, 0.2], replace(problem, margin=0.51)) == ([0.6, 0.2], np.inf, "infeasible")
    fixed = replace(problem.plausible, rises=np.array([True, False]))
    assert solved(target, [0.2, 0.2], replace(problem, plausible=fixed)) == ([0.2, 0.2], np.inf, "infeasible")


def test_a_category_gives_way_to_another_and_both_changes_cost() -> None:
    target = both_above((1, 2), n_columns=3, base=-0.5)
    target = replace(target, value=np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    two = np.array([True, True, False])
    plausible = replace(Plausibility.free(3), binary=two, one_of=((0, 1),))
    problem = Problem(plausible=plausible, costs=Costs())
    asks_first = both_above((0, 2), n_columns=3, base=0.0)
    target = replace(
        target,
        roots=np.array([0, 5]),
        **{
            name: np.append(getattr(target, name), getattr(asks_first, name) + shift)
            for name, shift in (("column", 0), ("threshold", 0.0), ("left", 5), ("right", 5))
        },
        value=np.append(target.value, np.zeros(5)),
    )
    values, cost, _ = solved(target, [1.0, 0.0, 0.7], problem)
    assert values == [0.0, 1.0, 0.7]
    assert cost == pytest.approx(2 * 1.1, abs=1e-12)
    stuck = replace(problem, plausible=replace(plausible, falls=~two))
    assert solved(target, [1.0, 0.0, 0.7], stuck) == ([1.0, 0.0, 0.7], np.inf, "infeasible")
    assert solved(target, [1.0, 1.0, 0.7], problem) == ([1.0, 1.0, 0.7], 0.0, "optimal")


def test_a_limit_is_a_whole_number() -> None:
    target = both_above((0, 1), n_columns=2, base=-0.5)
    problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    with pytest.raises(InputError, match="node_limit: unusable number; got 0; allowed: a whole number from 1"):
        solve_boxes(target, np.zeros((1, 2)), np.array([True]), problem, node_limit=0)
