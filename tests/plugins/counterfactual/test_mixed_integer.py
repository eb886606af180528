"""The mixed-integer programs find what going through all proposals finds, and nothing that misses a bound."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest

from scrutable.data.outcome import Calibration
from scrutable.data.values import UNIT
from scrutable.errors import ScrutableError
from scrutable_counterfactual import linear_program
from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.linearised import Linearised
from scrutable_counterfactual.mixed_integer import Solution, solve
from scrutable_counterfactual.problem import Distance, Problem, Term

from .problems import (
    Asked,
    brute_force,
    brute_force_several,
    every_proposal,
    of_sets,
    plain_problem,
    random_limits,
    random_problem,
    random_term,
)

WITHIN = 1e-5


def compare(solution: Solution, best: list[tuple[float, Any]], problem: Problem) -> bool:
    """Check a solution against all that can be proposed; whether there is one."""
    if not best:
        assert (solution.status, solution.cells) == ("infeasible", None)
        assert solution.objective == solution.bound == np.inf
        return False
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(best[0][0], abs=WITHIN)
    gap = solution.objective - solution.bound
    assert 0.0 <= gap <= solution.slack + WITHIN * max(1.0, abs(solution.objective))
    assert all(map(problem.holds, solution.cells))
    return True


@pytest.mark.parametrize("asked", get_args(Asked))
def test_one_proposal(asked: Asked) -> None:
    found = 0
    for seed in range(80):
        rng = np.random.default_rng([seed, len(asked)])
        problem = random_problem(rng, asked=asked)
        term, limits = random_term(rng, problem), random_limits(rng, problem)
        solution = solve(problem, Joint(term=term), limits=of_sets(limits))
        found += compare(solution, brute_force(problem, term, limits), problem)
        assert 0.0 <= solution.slack <= (1e-7 * term.outcome if asked == "soft probability" else 0.0)
    assert 40 <= found <= 76


@pytest.mark.parametrize("number", [2, 3])
def test_several_proposals(number: int) -> None:
    found = 0
    for seed in range(96):
        rng = np.random.default_rng([seed, number])
        problem = random_problem(rng, features=(2, 4), cells=(2, 4), rules=1, most=48)
        term, limits = random_term(rng, problem), random_limits(rng, problem, number)
        diversity = Diversity(features=bool(rng.random() < 0.5), values=bool(rng.random() < 0.5))
        rewards = float(rng.choice([0.0, 0.3, 2.0])), float(rng.choice([0.0, 0.2, 1.5]))
        joint = Joint(term=term, feature_diversity=rewards[0], value_diversity=rewards[1])
        best = brute_force_several(problem, joint, number, diversity, limits)
        found += compare(solve(problem, joint, number, diversity, of_sets(limits)), best, problem)
    assert 24 <= found <= 72


def test_scores_that_just_miss() -> None:
    """Every score that can be reached is a bound in turn, and so are the scores a unit of points off it."""
    tenths = np.round(np.array([[0.0, 0.1, 0.2, 0.3], [0.0, 0.1, 0.4, 0.7], [0.0, 0.3, 0.6, 0.9]]) / UNIT) * UNIT
    for points in (tenths, tenths + np.arange(4) * 1e5):
        problem = plain_problem(points, base=600.0, allowed=np.ones((3, 4), dtype=bool), whitening=np.eye(3))
        term = Term(separable=np.array([[0.0, 1.0, 2.0, 4.0], [0.0, 1.0, 3.0, 5.0], [0.0, 2.0, 4.0, 5.0]]))
        scores = np.unique(every_proposal(problem).scores)
        for score, off in product(scores[::5], (-UNIT, 0.0, UNIT)):
            for asked in (replace(problem, low=score + off), replace(problem, low=score + off, high=score + 0.1 + off)):
                compare(solve(asked, Joint(term=term)), brute_force(asked, term), asked)


def test_limits_that_are_just_missed() -> None:
    """The cheapest by one term, of those that another term lets by; it lets by a little less than it costs some."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, features=(3, 4), cells=(3, 4), asked="soft probability", rules=0)
        rising = np.abs(np.arange(problem.points.shape[1]) - problem.current[:, None]) * rng.random(
            (len(problem.current), 1)
        )
        objective, held = Term(separable=rising), Term(separable=np.zeros_like(rising), closeness=1.0, outcome=2.0)
        costs = np.unique(np.round([cost for cost, _ in brute_force(problem, held)], 6))
        for cost, off in product(costs[:4], (-1e-8, 1e-8)):
            limits = [(held, float(cost) + off)]
            solution = solve(problem, Joint(term=objective), limits=of_sets(limits))
            compare(solution, brute_force(problem, objective, limits), problem)


@pytest.mark.parametrize("target", [-0.5, 0.0, 0.3, 0.5, 0.999, 1.0])
@pytest.mark.parametrize(
    "calibration",
    [
        Calibration(slope=0.05, intercept=-30.0),
        Calibration(slope=1.0, intercept=-600.0),
        Calibration(slope=0.0, intercept=2.0),
        Calibration(slope=0.01, intercept=-5.5, link="identity"),
    ],
)
def test_lines_are_below_the_distance(target: float, calibration: Calibration) -> None:
    distance = Distance(kind="probability", target=target, calibration=calibration)
    lines, scores = Linearised.of(distance, 480.0, 710.0), np.linspace(480.0, 710.0, 10_001)
    assert lines.errors(scores).min() >= -1e-12
    assert lines.errors(scores).max() <= (1e-12 if calibration.link == "identity" else 0.02)
    finer = lines.finer(scores[::7])
    assert finer.errors(scores).min() >= -1e-12
    assert np.abs(finer.errors(scores[::7])).max() <= 1e-12


def test_brute_force_goes_by_the_problem() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, features=(1, 4), cells=(2, 4))
        term = random_term(rng, problem)
        every = np.array(list(product(range(problem.points.shape[1]), repeat=len(problem.current))))
        held = {tuple(cells): problem.cost(term, cells) for cells in every if problem.holds(cells)}
        found = {tuple(cells): cost for cost, cells in brute_force(problem, term)}
        assert found == pytest.approx(held, abs=1e-9)


def hard_problem() -> tuple[Problem, Joint]:
    """One that takes HiGHS more than a few seconds for three proposals."""
    rng = np.random.default_rng(7)
    points = np.sort(np.round(rng.normal(size=(12, 7)) * 15.0), axis=1)
    current = rng.integers(0, 4, 12)
    problem = plain_problem(
        points,
        base=500.0,
        current=current,
        allowed=np.arange(7) != current[:, None],
        low=540.0 + float(points[np.arange(12), current].sum()),
        max_changes=3,
        whitening=np.triu(rng.normal(size=(12, 12)) * 0.05 + np.eye(12) * 0.1),
        centre=points.mean(axis=1),
    )
    return problem, Joint(term=Term(separable=np.abs(np.arange(7) - current[:, None]) / 7.0, closeness=0.5))


def test_what_is_found_when_the_time_is_up() -> None:
    problem, joint = hard_problem()
    none, some = (solve(problem, joint, 3, Diversity(features=True, values=True), time_limit=t) for t in (0.0, 1.0))
    assert (none.status, none.cells, none.objective, none.bound) == ("time", None, np.inf, -np.inf)
    assert some.status == "time"
    assert all(map(problem.holds, some.cells))
    assert some.objective == pytest.approx(joint.cost(problem, some.cells))
    assert 0.0 < some.bound < some.objective


def test_a_solver_that_gives_up_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_program, "milp", lambda *_, **__: SimpleNamespace(status=4, message="numerical trouble"))
    with pytest.raises(ScrutableError, match="numerical trouble"):
        solve(*hard_problem())
