"""The paper's mixed-integer programs, solved by HiGHS: a slow cross-check of the search."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrutable_counterfactual.arrays import Floats, Positions
from scrutable_counterfactual.formulation import Proposal, differences, hold_apart
from scrutable_counterfactual.joint import Diversity, Joint, Limit
from scrutable_counterfactual.linear_program import Linear, Program, Solved, Status
from scrutable_counterfactual.linearised import Linearised
from scrutable_counterfactual.problem import Problem, Term

#: A sum of costs may be over its limit by this share of it (of 1, where that is more), which is for rounding.
ROUNDING = 1e-9

_ERROR = 1e-7  # of the distance of a probability
_ROOM = 1e-6  # of a limit, for the solver's tolerances; what they let by is refused afterwards


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """The best proposals, or the best that were found in the time given.

    Parameters
    ----------
    status : "optimal"; "infeasible", which is proven; or "time", where the time was up before there was a proof.
    cells : (number, features) a proposal a row; None where none was found.
    objective : of these cells, by `Joint.cost`; infinity where there are none.
    bound : no proposals have a lower objective, to the solver's tolerance; infinity where there are none.
    slack : what of the objective the linearised probability leaves out at these cells, at most 1e-7 times the weight
        of the outcome and the number of proposals; an optimal objective may be so much above the least one.
    """

    status: Status
    cells: Positions | None = None
    objective: float = math.inf
    bound: float
    slack: float = 0.0


def solve(
    problem: Problem,
    objective: Joint,
    number: int = 1,
    diversity: Diversity | None = None,
    limits: Sequence[Limit] = (),
    time_limit: float | None = None,
) -> Solution:
    """The set of `number` proposals that costs least together, as `several_answers.several` means it.

    Parameters
    ----------
    diversity : how they differ (equations 11 and 12); None for no matter how.
    limits : further costs of the set, and what each may be; they may reward no difference between members.
    time_limit : seconds; None is as long as it takes.

    Raises
    ------
    ScrutableError : HiGHS gave up for another reason than time.

    Examples
    --------
    Two features of two cells; the second one alone gains enough, and costs less than both.

    >>> problem = Problem(
    ...     base=0.0, points=np.array([[0.0, 10.0], [0.0, 30.0]]), current=np.array([0, 0]), low=20.0, max_changes=2,
    ...     allowed=np.array([[False, True], [False, True]]), whitening=np.eye(2), centre=np.zeros(2),
    ...     forbidden=np.zeros((0, 2, 2), dtype=bool))
    >>> solution = solve(problem, Joint(term=Term(separable=np.array([[0.0, 1.0], [0.0, 2.0]]))))
    >>> solution.status, solution.cells.tolist(), solution.objective
    ('optimal', [[0, 1]], 2.0)
    """
    task = _Task(
        problem=problem,
        objective=objective,
        limits=tuple(limits),
        number=number,
        diversity=diversity or Diversity(),
        linearised=_linearised(problem, [each.term for each in (objective, *(joint for joint, _ in limits))]),
    )
    return _solve(task, math.inf if time_limit is None else time.monotonic() + time_limit)


def _solve(task: _Task, deadline: float) -> Solution:
    """Solve ever sharper programs until one's solution keeps to all that is asked."""
    best = Solution(status="time", bound=-math.inf)
    while (left := deadline - time.monotonic()) > 0.0:
        solved, cells = task.minimise(left)
        objective = task.objective.cost(task.problem, cells) if cells is not None and task.keeps(cells) else math.inf
        if objective < best.objective:
            best = replace(best, cells=cells, objective=objective)
        best = replace(best, bound=min(max(best.bound, solved.bound), best.objective))
        if solved.status != "optimal" or cells is None:
            return replace(best, status=solved.status)
        sharper = task.sharper(cells)
        if sharper is None:
            return replace(best, status="optimal", slack=float(task.errors(cells).sum()) * task.objective.term.outcome)
        task = sharper
    return best


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Task:
    """What is asked, the lines below the distance of probabilities, and what earlier solutions showed to be refused.

    Parameters
    ----------
    refused : each a rule a proposal; refused is where every proposal has all its cells in its rule.
    """

    problem: Problem
    objective: Joint
    limits: tuple[Limit, ...]
    number: int
    diversity: Diversity
    linearised: Linearised | None
    refused: tuple[NDArray[np.bool_], ...] = ()

    def minimise(self, seconds: float) -> tuple[Solved, Positions | None]:
        """Solve the program; the solver's tolerances may let by cells that do not keep to a bound."""
        program = Program()
        proposals = [Proposal(program, self.problem, self.linearised) for _ in range(self.number)]
        hold_apart(program, proposals, self.diversity)
        for joint, most in self.limits:
            cost = Linear.total(each.cost(joint.term) for each in proposals)
            program.row(cost, high=_with_room(most, _ROOM), scaled=True)
        for rules in self.refused:
            inside = Linear.total(each.inside(rule) for each, rule in zip(proposals, rules, strict=True))
            program.row(inside, high=self.number * len(self.problem.current) - 1)
        objective = Linear.total(each.cost(self.objective.term) for each in proposals)
        if self.objective.feature_diversity:
            distances = differences(program, [each.changed for each in proposals])
            objective -= Linear.total(distances) * self.objective.feature_diversity
        if self.objective.value_diversity:
            distances = differences(program, [each.taken for each in proposals])
            objective -= Linear.total(distances) * self.objective.value_diversity
        solved = program.minimise(objective, seconds)
        return solved, None if solved.values is None else np.stack([each.cells(solved.values) for each in proposals])

    def keeps(self, cells: Positions) -> bool:
        """Whether proposals hold, and keep to the limits."""
        return all(map(self.problem.holds, cells)) and all(
            joint.cost(self.problem, cells) <= _with_room(most, ROUNDING) for joint, most in self.limits
        )

    def errors(self, cells: Positions) -> Floats:
        """(number,) what the lines leave out of the outcome's distance."""
        return np.zeros(len(cells)) if self.linearised is None else self.linearised.errors(self._scores(cells))

    def sharper(self, cells: Positions) -> _Task | None:
        """A task that these cells teach something; None where there is nothing to learn."""
        scores, rough = self._scores(cells), self.errors(cells) > _ERROR
        if self.linearised is not None and rough.any():
            return replace(self, linearised=self.linearised.finer(scores[rough]))
        rules = [
            _no_better(self.problem, each, sign)
            for sign, beyond in ((1.0, scores < self.problem.low), (-1.0, scores > self.problem.high))
            for each in cells[beyond]
        ]
        if rules:
            forbidden = np.concatenate([self.problem.forbidden, rules])
            return replace(self, problem=replace(self.problem, forbidden=forbidden))
        if not self.keeps(cells):
            return replace(self, refused=(*self.refused, cells[:, :, None] == np.arange(self.problem.points.shape[1])))
        return None

    def _scores(self, cells: Positions) -> Floats:
        return np.array([self.problem.score(each) for each in cells])


def _no_better(problem: Problem, cells: Positions, sign: float) -> NDArray[np.bool_]:
    """(features, cells) the cells whose points are as far from the bound as those of a proposal that misses it."""
    points = sign * problem.points
    rule: NDArray[np.bool_] = points <= points[problem.features, cells][:, None]
    return rule


def _with_room(limit: float, share: float) -> float:
    return limit + share * max(1.0, abs(limit))


def _linearised(problem: Problem, terms: Sequence[Term]) -> Linearised | None:
    """A few lines for the scores that can be reached; none where no probability is asked for."""
    if problem.distance.kind != "probability" or not any(term.outcome for term in terms):
        return None
    own = problem.current[:, None] == np.arange(problem.points.shape[1])
    points = np.where(problem.allowed | own, problem.points, np.nan)
    ends = problem.base + np.array([np.nanmin(points, axis=1).sum(), np.nanmax(points, axis=1).sum()])
    return Linearised.of(problem.distance, *np.clip(ends, problem.low, problem.high).tolist())
