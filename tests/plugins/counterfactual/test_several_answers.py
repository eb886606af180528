"""Sets of answers against going through all sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable_counterfactual import mixed_integer
from scrutable_counterfactual import several_answers as module
from scrutable_counterfactual.choosing import Listed
from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.mixed_integer import Solution
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.search import Clock, Found
from scrutable_counterfactual.several_answers import several

from .problems import brute_force_several, plain_problem, random_problem, random_term


@pytest.mark.parametrize("block", range(0, 200, 50))
def test_the_cheapest_set_is_found(block: int) -> None:
    reached = 0
    for seed in range(block, block + 50):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, features=(2, 4), cells=(2, 4), most=60)
        term, number = random_term(rng, problem), int(rng.integers(2, 4))
        diversity = Diversity(features=bool(rng.integers(2)), values=bool(rng.integers(2)))
        rewards = rng.random(2) * rng.integers(2)
        joint = Joint(term=term, feature_diversity=float(rewards[0]), value_diversity=float(rewards[1]))
        sets = brute_force_several(problem, joint, number, diversity)
        expected = next((cost for cost, cells in sets if len(np.unique(cells, axis=0)) == number), None)
        found = several(problem, joint, number, diversity)
        assert found.complete, seed
        assert len(found.costs) == (expected is not None), seed
        if expected is not None:
            reached += 1
            assert found.costs[0] == pytest.approx(expected, abs=1e-8), seed
            assert all(problem.holds(cells) for cells in found.cells), seed
    assert reached > 10


def steps() -> tuple[Problem, Term]:
    """Five features of five cells, a point and a unit of cost for each step; three points will do."""
    points = np.tile(np.arange(5.0), (5, 1))
    return plain_problem(points, low=3.0, max_changes=3), Term(separable=points)


def test_that_there_is_no_set_is_proven_before_lists_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every proposal changes the first feature, to one of four cells, so that no five differ in all they change."""
    problem, term = steps()
    points = problem.points.copy()
    points[0, 1:] += 100.0
    lists = []
    every = module.every

    def listed(*arguments: Any, **options: Any) -> Found:
        lists.append(every(*arguments, **options))
        return lists[-1]

    monkeypatch.setattr(module, "every", listed)
    tall = replace(problem, points=points, low=points[0, 1:].min(), high=np.inf)
    assert len(several(tall, Joint(term=term), 4, Diversity(values=True)).cells) == 4
    lists.clear()
    none = several(tall, Joint(term=term), 5, Diversity(values=True))
    assert none.complete
    assert not len(none.cells)
    assert len(lists) == 1


def test_spent_nodes_are_not_followed_by_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Solution:
        raise AssertionError("the effort is spent")

    monkeypatch.setattr(mixed_integer, "solve", refuse)
    problem, term = steps()
    whole = several(problem, Joint(term=term), 3, Diversity(values=True))
    assert whole.complete
    budgets = range(1, whole.nodes, max(1, whole.nodes // 40))
    found = [several(problem, Joint(term=term), 3, Diversity(values=True), clock=Clock(nodes=n)) for n in budgets]
    assert any(not its.complete for its in found)


def test_a_program_that_finds_less_takes_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, term = steps()
    best = several(problem, Joint(term=term), 2, Diversity(values=True))
    dear = np.array([[4, 4, 0, 0, 0], [3, 3, 3, 0, 0]])
    worse = Solution(status="time", cells=dear, objective=17.0, bound=0.0)
    monkeypatch.setattr(mixed_integer, "solve", lambda *_, **__: worse)
    cheapest = Listed.cheapest
    monkeypatch.setattr(Listed, "cheapest", lambda *arguments: cheapest(*arguments)._replace(ended=False))
    found = several(problem, Joint(term=term), 2, Diversity(values=True))
    assert not found.complete
    assert found.costs[0] == best.costs[0]
