"""Column generation: rules enter by their reduced cost until none is found, or a limit is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from scrutable_rug.bounds import gap
from scrutable_rug.master import Solution
from scrutable_rug.pricing import Candidate, offer
from scrutable_rug.rows import Floats
from scrutable_rug.rule_search import Deadline, Look, Pool, Search
from scrutable_rug.trees import Tree, grow

Ending = Literal["optimal", "no rule found", "iterations", "time"]

_OPTIMAL = 1e-6  # of the objective: a bound that is nearer proves the optimum


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One solution of the master problem: its rules and patterns, its objective, and how many rules entered after."""

    rules: int
    patterns: int
    objective: float
    entered: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Generated:
    """Rules and their weights.

    Parameters
    ----------
    rules : every rule of the master problem.
    solution : weights of these; the optimum, or what calibration made of it.
    objective : value of the optimum, before any calibration.
    bound : no weights of any rules have a lower objective, of rules up to the trees' depth on the cuts and categories
        that trees split on; 0 where nothing better is known.
    ending : why no more rules were added.
    steps : the solutions on the way.
    first : the tree that the first rules are the leaves of.
    rounds : times that the program was solved again for bounds that hold in predictions; where it is not 0, objective
        and bound are those of the program before.
    """

    rules: tuple[Candidate, ...]
    solution: Solution
    objective: float
    bound: float
    ending: Ending
    steps: tuple[Step, ...]
    first: Tree
    rounds: int = 0

    @property
    def gap(self) -> float:
        """Share of the objective that other rules could save at most."""
        return gap(self.objective, self.bound)


def generate(pool: Pool, look: Look, weight: Floats, search: Search, deadline: Deadline) -> Generated:
    """Add rules to the pool, and weigh them.

    The first rules are the leaves of a tree on the sample weights (figure 1 of the paper), the next those of trees on
    the duals that have a negative reduced cost. Where all duals are 0, no rule can have one.

    Parameters
    ----------
    weight : (n,) sample weights, those of the master problem.
    deadline : when no more rules are looked for.
    """
    first = grow(look.rows, weight, look.trees)
    pool.add(offer(first, look.rows, weight, look.pricing, below=np.inf))
    steps: list[Step] = []
    bound = 0.0
    ending: Ending | None = None
    while ending is None:
        size, solution = len(pool.rules), pool.master.solve()
        bound, entered = max(bound, look.weak_bound(solution)), 0
        if _proves(bound, solution):
            ending = "optimal"
        elif deadline.passed:
            ending = "time"
        elif len(steps) >= search.iterations:
            ending = "iterations"
        else:
            offered, beyond = look.beyond(solution, deadline.at)
            bound, entered = max(bound, beyond), pool.add(offered)
            if not entered:
                ending = "optimal" if _proves(bound, solution) else "time" if deadline.passed else "no rule found"
        steps.append(Step(rules=size, patterns=solution.n_patterns, objective=solution.objective, entered=entered))
    return Generated(
        rules=tuple(pool.rules),
        solution=solution,
        objective=solution.objective,
        bound=min(bound, solution.objective),
        ending=ending,
        steps=tuple(steps),
        first=first,
    )


def _proves(bound: float, solution: Solution) -> bool:
    """Whether the bound proves that a solution is optimal."""
    return bound >= solution.objective * (1 - _OPTIMAL)
