"""The branch and bound search against going through all proposals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from scrutable_counterfactual.joint import Joint
from scrutable_counterfactual.mixed_integer import solve
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.search import Clock, every, search

from .problems import brute_force, plain_problem, random_limits, random_problem, random_term

SEEDS = range(300)


def drawn(seed: int) -> tuple[Problem, Term, Sequence[tuple[Term, float]]]:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, features=(1, 5), most=3_000)
    return problem, random_term(rng, problem), random_limits(rng, problem) if seed % 3 == 0 else ()


def roomy(limits: Sequence[tuple[Term, float]]) -> list[tuple[Term, float]]:
    """Limits with the room for rounding that brute force gives them."""
    return [(term, limit + 1e-9 * max(1.0, abs(limit))) for term, limit in limits]


@pytest.mark.parametrize("block", range(0, len(SEEDS), 50))
def test_the_best_proposal_is_found_and_its_absence_too(block: int) -> None:
    for seed in SEEDS[block : block + 50]:
        problem, term, limits = drawn(seed)
        expected = brute_force(problem, term, limits)
        found = search(problem, term, limits=roomy(limits))
        assert found.complete, seed
        assert len(found.costs) == min(1, len(expected)), seed
        if expected:
            assert found.costs[0] == pytest.approx(expected[0][0], abs=1e-8), seed
            assert problem.holds(found.cells[0]), seed
            assert problem.cost(term, found.cells[0]) == pytest.approx(found.costs[0], abs=1e-9), seed


@pytest.mark.parametrize("block", range(0, len(SEEDS), 100))
def test_the_best_of_each_set_of_features(block: int) -> None:
    for seed in SEEDS[block : block + 100]:
        problem, term, limits = drawn(seed)
        best: dict[tuple[bool, ...], float] = {}
        for cost, cells in brute_force(problem, term, limits):
            best.setdefault(tuple((cells != problem.current).tolist()), cost)
        expected = sorted(best.values())[:4]
        found = search(problem, term, limits=roomy(limits), number=4, distinct=True)
        assert found.costs.tolist() == pytest.approx(expected, abs=1e-8), seed
        assert len({tuple(row) for row in (found.cells != problem.current).tolist()}) == len(found.costs)


@pytest.mark.parametrize("block", range(0, len(SEEDS), 100))
def test_every_proposal_up_to_a_cost(block: int) -> None:
    for seed in SEEDS[block : block + 100]:
        problem, term, _ = drawn(seed)
        costs = [cost for cost, _ in brute_force(problem, term)]
        up_to = costs[len(costs) // 2] + 1e-6 if costs else math.inf
        found = every(problem, term, up_to)
        assert found.costs.tolist() == pytest.approx([cost for cost in costs if cost <= up_to], abs=1e-8), seed


def larger(seed: int) -> tuple[Problem, Term]:
    """Eight features of six cells, of which four may change."""
    rng = np.random.default_rng(seed)
    points = rng.integers(-30, 30, size=(8, 6)).astype(float)
    current = rng.integers(6, size=8)
    held = points[np.arange(8), current]
    factor = np.linalg.cholesky(np.linalg.inv(np.cov(rng.normal(0, 20, size=(8, 40)))))
    problem = plain_problem(
        points,
        base=500.0,
        current=current,
        allowed=np.arange(6) != current[:, None],
        low=500.0 + held.sum() + 40,
        max_changes=4,
        whitening=np.ascontiguousarray(factor.T),
        centre=points.mean(axis=1),
    )
    return problem, Term(separable=np.abs(points - held[:, None]) / 60, closeness=1.0)


def test_a_stopped_search_bounds_what_it_did_not_see() -> None:
    stopped = 0
    for seed in range(20):
        problem, term = larger(seed)
        whole = search(problem, term)
        part = search(problem, term, clock=Clock(nodes=1))
        assert whole.complete
        if part.complete:
            continue
        stopped += 1
        best = whole.costs[0] if len(whole.costs) else math.inf
        known = part.costs[0] if len(part.costs) else math.inf
        assert min(known, part.bound) <= best + 1e-9
    assert stopped > 10


def test_larger_problems_agree_with_the_mixed_integer_program() -> None:
    for seed in range(3):
        problem, term = larger(seed)
        found, other = search(problem, term), solve(problem, Joint(term=term))
        assert other.status == ("optimal" if len(found.costs) else "infeasible")
        if len(found.costs):
            assert found.costs[0] == pytest.approx(other.objective, abs=1e-5)


def test_the_same_problem_gives_the_same_answer() -> None:
    problem, term = larger(3)
    one, other = search(problem, term), search(problem, term)
    assert one.cells.tolist() == other.cells.tolist()
    assert one.nodes == other.nodes


def test_a_long_list_loses_nothing() -> None:
    points = np.arange(36, dtype=float).reshape(4, 9)
    problem = plain_problem(points)
    found = every(problem, Term(separable=points * problem.allowed), math.inf)
    assert found.complete
    assert len(np.unique(found.cells, axis=0)) == len(found.cells) == 9**4
