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


class Clock:
    """What is left of the seconds and the nodes that a search may take from now on; None is as long as it takes."""

    def __init__(self, seconds: float | None = None, nodes: int | None = None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds
        self._nodes = math.inf if nodes is None else nodes

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
    return _searched(problem, objective, math.inf, limits, number, clock, distinct=distinct)


def every(
    problem: Problem, objective: Term, at_most: float, *, limits: Sequence[Limit] = (), clock: Clock | None = None
) -> Found:
    """All proposals whose objective costs no more than `at_most`, cheapest first."""
    return _searched(problem, objective, at_most + _ROUNDING, limits, _ROOM, clock, whole=True)


def _searched(
    problem: Problem,
    objective: Term,
    at_most: float,
    limits: Sequence[Limit],
    room: int,
    clock: Clock | None,
    *,
    distinct: bool = False,
    whole: bool = False,
) -> Found:
    """The best `room` proposals, or the whole of them, that cost no more than `at_most`."""
    clock = clock or Clock()
    terms, most = [objective, *(term for term, _ in limits)], np.array([at_most, *(limit for _, limit in limits)])
    moves = _moves(problem, terms)
    duals = duals_of(moves, most, _ROUNDS)
    path = begin(moves, duals)
    kept = Kept(
        np.zeros((room, len(problem.current)), np.int64),
        np.zeros((room, len(terms))),
        np.zeros(1, np.int64),
        distinct,
        whole,
    )
    if not whole:
        _start(problem, terms, moves, float(duals.price[0]), most, kept)
    done = False
    while not done and (budget := clock.budget()):
        before = int(path.nodes[0])
        done = bool(explore(moves, duals, most, kept, path, budget))
        clock.spend(int(path.nodes[0]) - before)
        if not done and kept.filled[0] == len(kept.cost) and whole:
            if len(kept.cost) > _MOST:
                break
            kept = _larger(kept)
    count = int(kept.filled[0])
    order = np.lexsort((*kept.cells[:count].T[::-1], kept.cost[:count, 0]))
    return Found(
        cells=kept.cells[:count][order],
        costs=kept.cost[:count, 0][order],
        bound=math.inf if done else bound_of(moves, duals, path, 0),
        complete=done,
        nodes=int(path.nodes[0]),
    )


def _start(problem: Problem, terms: Sequence[Term], moves: Moves, price: float, most: Floats, kept: Kept) -> None:
    """Keep a good proposal, if one is found at once."""
    taken = np.full(moves.most, -1)
    count = start_from(moves, price, taken)
    if count >= 0:
        cells = cells_of(moves, taken[:count])
        costs = np.array([problem.cost(term, cells) for term in terms])
        if problem.holds(cells) and bool((costs <= most).all()):
            keep(moves, cells, costs, most, kept)


def _shape(distance: Distance) -> Shape:
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
        problem.forbidden,
        _shape(problem.distance),
    )


def _larger(kept: Kept) -> Kept:
    cells, cost = np.zeros_like(kept.cells), np.zeros_like(kept.cost)
    return kept._replace(cells=np.concatenate([kept.cells, cells]), cost=np.concatenate([kept.cost, cost]))
