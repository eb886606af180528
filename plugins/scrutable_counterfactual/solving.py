"""The answers for one applicant: one objective after another, and a proof where there are none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrutable_counterfactual.answers import Obstacle
from scrutable_counterfactual.joint import Diversity, Limit
from scrutable_counterfactual.measuring import Objective
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.reading import Limits
from scrutable_counterfactual.search import Clock, Found, search
from scrutable_counterfactual.several_answers import several

#: What an objective may exceed its bound by, for the rounding of sums.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """What is asked for each applicant.

    Parameters
    ----------
    objective : what is minimised.
    number : of answers.
    diversity : how they differ.
    """

    objective: Objective
    number: int
    diversity: Diversity


def solve(task: Task, problem: Problem, terms: dict[str, Term], clock: Clock) -> Found:
    """The best answers; where objectives have an order, those before the last held near their best (section 2.4)."""
    limits: list[Limit] = []
    *before, last = task.objective.stages(terms)
    complete = True
    for joint in before:
        solution = several(problem, joint, task.number, task.diversity, limits=limits, clock=clock)
        complete = complete and solution.complete
        if not len(solution.costs):
            return solution
        best = float(solution.costs[0])
        limits.append((joint, best + task.objective.tolerance * abs(best) + _ROUNDING))
    solution = several(problem, last, task.number, task.diversity, limits=limits, clock=clock)
    return replace(solution, complete=solution.complete and complete)


def obstacle(problem_with: Callable[[Limits], Problem], limited: Sequence[str], clock: Clock) -> Obstacle | None:
    """Why a problem without an answer has none; None where the time ends before that is proven.

    Parameters
    ----------
    problem_with : the problem under the limits that are left.
    limited : features with limits of their own.
    """
    problem = problem_with(Limits())
    single = _any(problem, clock)
    if len(single.costs):  # one answer there is, so what is lacking are others that differ from it
        return Obstacle(limits=("diversity",), best_score=problem.score(single.cells[0]))
    best = _nearest_score(problem, clock)
    lifted = {
        name: _is_possible(problem_with(limits), clock)
        for name, limits in {
            "max_changes": Limits(max_changes=False),
            "actions": Limits(actions=False),
            "rules": Limits(rules=False),
            "knock_outs": Limits(knock_outs=False),
        }.items()
    }
    if best is None or not single.complete or None in lifted.values():
        return None
    features = [name for name in limited if lifted["actions"] and _is_possible(problem_with(Limits(free=name)), clock)]
    unlimited = problem_with(Limits(max_changes=False, actions=False, rules=False, knock_outs=False))
    return Obstacle(
        limits=tuple(name for name, possible in lifted.items() if possible),
        best_score=best,
        changes_needed=_changes_needed(problem, clock) if lifted["max_changes"] else None,
        features=tuple(features),
        unlimited_score=_nearest_score(unlimited, clock),
    )


def _nearest_score(problem: Problem, clock: Clock) -> float | None:
    """The score nearest to those that would do; None where the time ends first."""
    possible = _any(problem, clock)
    if len(possible.costs):
        return problem.score(possible.cells[0])
    scores = [problem.score(problem.current)]
    gains = problem.points - problem.points[problem.features, problem.current][:, None]
    for low, high, sign in ((-math.inf, problem.low, -1.0), (problem.high, math.inf, 1.0)):
        if math.isfinite(low) or math.isfinite(high):
            part = replace(problem, low=low, high=high, needed=False)
            solution = search(part, Term(separable=sign * gains * problem.allowed), clock=clock)
            if not solution.complete:
                return None
            scores += [problem.score(cells) for cells in solution.cells]
    return min(scores, key=lambda score: max(problem.low - score, score - problem.high))


def _changes_needed(problem: Problem, clock: Clock) -> int | None:
    """The fewest changes that would do; None where the time ends first."""
    for changes in range(problem.max_changes + 1, len(problem.current) + 1):
        possible = _is_possible(replace(problem, max_changes=changes), clock)
        if possible is not False:
            return changes if possible else None
    return None


def _is_possible(problem: Problem, clock: Clock) -> bool | None:
    """Whether there is a proposal; None where the time ends first."""
    solution = _any(problem, clock)
    return True if len(solution.costs) else False if solution.complete else None


def _any(problem: Problem, clock: Clock) -> Found:
    """Some proposal, if there is one."""
    return search(replace(problem, needed=False), Term(separable=np.zeros_like(problem.points)), clock=clock)
