"""The best proposals of one applicant, found and proven by branch and bound."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrutable_counterfactual.arrays import Floats, Moves, Positions, Shape, moves_of
from scrutable_counterfactual.duality import duals_of
from scrutable_counterfactual.exploring import Kept, begin, bound_of, cells_of, explore, keep
from scrutable_counterfactual.problem import Distance, Problem, Term
from scrutable_counterfactual.starting import start_from

#: A term, and what it may cost.
Limit = tuple[Term, float]

_ROUNDS = 60
_BUDGET = 200_000  # nodes between two looks at the clock
_ROOM = 1024
_ROUNDING = 1e-9
#: Proposals that a list holds before the search gives up, so that memory does not run out.
_MOST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """Proposals, cheapest first, and what is proven of those that were not looked at.

    Parameters
    ----------
    cells : (k, features).
    costs : (k,) of the objective.
    bound : nothing else costs less; infinity where there is nothing else.
    complete : whether the search ended.
    nodes : moves that were looked at.
    """

    cells: Positions
    costs: Floats
    bound: float
    complete: bool
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long a search may take; None is as long as it takes."""

    seconds: float | None = None
    nodes: int | None = None

    def clock(self) -> Clock:
        """A clock that starts now."""
        return Clock(self)


class Clock:
    """What is left of an effort."""

    def __init__(self, effort: Effort) -> None:
        self._end = math.inf if effort.seconds is None else time.monotonic() + effort.seconds
        self._nodes = math.inf if effort.nodes is None else effort.nodes

    @property
    def seconds(self) -> float:
        """Seconds that are left."""
        return max(0.0, self._end - time.monotonic())

    def budget(self) -> int:
        """Nodes to look at before the next look at the clock; 0 where nothing is left."""
        return max(0, int(min(_BUDGET, self._nodes))) if self.seconds > 0 else 0

    def spend(self, nodes: int) -> None:
        """Count nodes."""
        self._nodes -= nodes


def search(
    problem: Problem,
    objective: Term,
    *,
    limits: Sequence[Limit] = (),
    number: int = 1,
    distinct: bool = False,
    clock: Clock | None = None,
) -> Found:
    """The `number` cheapest proposals, or fewer where there are no more.

    Parameters
    ----------
    limits : further terms and what each may cost.
    distinct : count only the best of the proposals that change the same features.
    """
    return _Search(problem, objective, limits, math.inf).run(number, clock, distinct=distinct)


def every(
    problem: Problem, objective: Term, at_most: float, *, limits: Sequence[Limit] = (), clock: Clock | None = None
) -> Found:
    """All proposals whose objective costs no more than `at_most`, cheapest first."""
    return _Search(problem, objective, limits, at_most + _ROUNDING).run(_ROOM, clock, whole=True)


class _Search:
    """One search: the arrays of the problem, the duals of its terms, and the path."""

    def __init__(self, problem: Problem, objective: Term, limits: Sequence[Limit], at_most: float) -> None:
        self.terms = terms = [objective, *(term for term, _ in limits)]
        self.problem = problem
        self.shape = shape_of(problem.distance)
        self.moves = _moves(problem, terms)
        self.limits = np.array([at_most, *(limit for _, limit in limits)])
        self.duals = duals_of(self.moves, self.shape, self.limits, _ROUNDS)
        taken = np.full(self.moves.most, -1)
        count = start_from(self.moves, self.shape, float(self.duals.price[0]), taken)
        self.first = None if count < 0 else cells_of(self.moves, problem.current, taken[:count])
        self.path = begin(self.moves, self.duals)

    def run(self, room: int, clock: Clock | None, *, distinct: bool = False, whole: bool = False) -> Found:
        """Search for the best `room` proposals, or for the whole of them."""
        clock = clock or Effort().clock()
        n, terms = len(self.problem.current), len(self.limits)
        kept = Kept(np.zeros((room, n), np.int64), np.zeros((room, terms)), np.zeros(1, np.int64), distinct, whole)
        if self.first is not None and not whole:
            self._keep(kept, self.first)
        done = False
        while not done and (budget := clock.budget()):
            before = int(self.path.nodes[0])
            done = self._explore(kept, budget)
            clock.spend(int(self.path.nodes[0]) - before)
            if not done and kept.filled[0] == len(kept.cost) and kept.every:
                if len(kept.cost) > _MOST:
                    break
                kept = _larger(kept)
        count = int(kept.filled[0])
        order = np.lexsort((*kept.cells[:count].T[::-1], kept.cost[:count, 0]))
        bound = bound_of(self.moves, self.duals, self.path, 0) if not done else math.inf
        return Found(
            cells=kept.cells[:count][order],
            costs=kept.cost[:count, 0][order],
            bound=bound,
            complete=done,
            nodes=int(self.path.nodes[0]),
        )

    def _keep(self, kept: Kept, cells: Positions) -> None:
        costs = np.array([self.problem.cost(term, cells) for term in self.terms])
        if self.problem.holds(cells) and bool((costs <= self.limits).all()):
            keep(cells, costs, self.problem.current, self.limits, kept)

    def _explore(self, kept: Kept, budget: int) -> bool:
        return bool(
            explore(
                self.moves,
                self.shape,
                self.duals,
                self.problem.current,
                self.problem.forbidden,
                self.limits,
                kept,
                self.path,
                budget,
            )
        )


def shape_of(distance: Distance) -> Shape:
    """A distance for the compiled loops."""
    if distance.calibration is None:
        return Shape(int(distance.kind == "points"), distance.target, 0.0, 0.0)
    kind = 2 if distance.calibration.link == "logit" else 3
    return Shape(kind, distance.target, distance.calibration.slope, distance.calibration.intercept)


def _moves(problem: Problem, terms: Sequence[Term]) -> Moves:
    row_major = np.ascontiguousarray  # another order of an array is another type to the compiler
    return moves_of(
        row_major(problem.points),
        problem.current,
        row_major(problem.allowed),
        np.stack([term.separable for term in terms]),
        np.array([term.closeness for term in terms]),
        np.array([term.outcome for term in terms]),
        row_major(problem.whitening),
        problem.centre,
        problem.base,
        np.array([problem.low, problem.high]),
        problem.max_changes,
        problem.needed,
    )


def _larger(kept: Kept) -> Kept:
    cells, cost = np.zeros_like(kept.cells), np.zeros_like(kept.cost)
    return kept._replace(cells=np.concatenate([kept.cells, cells]), cost=np.concatenate([kept.cost, cost]))
