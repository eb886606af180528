"""Several counterfactuals at once, different from one another, of the least cost together (paper: section 2.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scrutable_counterfactual import mixed_integer
from scrutable_counterfactual.arrays import Floats, Positions
from scrutable_counterfactual.choosing import Listed
from scrutable_counterfactual.joint import Diversity, Joint, Limit
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.search import Clock, Found, every, search

#: Sets to look at before the mixed-integer program is asked, and in a second.
_BUDGET, _PER_SECOND = 10_000_000, 10_000_000
#: What the mixed-integer program may take to prove that there is no set, before lists grow.
_SECONDS_FOR_A_PROOF = 5.0
#: By how much the program's bound may lie below what it found.
_TOLERANCE = 1e-5


def several(
    problem: Problem,
    objective: Joint,
    number: int,
    diversity: Diversity,
    *,
    limits: Sequence[Limit] = (),
    clock: Clock | None = None,
) -> Found:
    """The set of `number` proposals that costs least together; none where there is no such set.

    Every member of the best set costs at most what the best known set costs, less the cheapest set of one fewer. So
    proposals up to a cost are listed, the cheapest set of the list is found, and the list grows until that bound is
    reached. `costs` holds the cost of the set alone.

    Parameters
    ----------
    limits : further costs of the set, and what each may be.
    """
    clock = clock or Clock()
    if number == 1:
        return search(problem, objective.term, limits=[(joint.term, limit) for joint, limit in limits], clock=clock)
    return _Several(problem, objective, number, diversity, limits, clock).run()


class _Several:
    """One search for a set."""

    def __init__(
        self,
        problem: Problem,
        objective: Joint,
        number: int,
        diversity: Diversity,
        limits: Sequence[Limit],
        clock: Clock,
    ) -> None:
        self.problem, self.objective, self.number, self.clock = problem, objective, number, clock
        self.diversity, self.limits = diversity, limits
        self.apart = np.array([diversity.features, diversity.values])
        self.joints = [objective, *(joint for joint, _ in limits)]
        self.terms = [joint.alone(problem, number) for joint in self.joints]
        self.sums = np.array([math.inf, *(limit for _, limit in limits)])
        self.nodes = 0
        #: No proposal costs less.
        self.cheapest = -math.inf
        self.complete = True

    def run(self) -> Found:
        first = self._count(search(self.problem, self.terms[0], number=self.number, distinct=True, clock=self.clock))
        if not len(first.costs):
            return self._found(None, -math.inf)
        self.cheapest = min(float(first.costs[0]), first.bound)
        if self._is_plain and len(first.costs) == self.number:
            return self._found(first.cells, self.number * self.cheapest)
        cost, cells = self._grow(first) if first.complete else (math.inf, first.cells)
        if not self.complete and first.complete:
            cost, cells = self._programmed(cost, cells)
        if cost == math.inf and not self.complete:  # what differs among the first is better than nothing
            cost, rows = self._cheapest(first, self.number, self.sums)
            cells = first.cells[rows]
        return self._found(None if cost == math.inf else cells, self.number * self.cheapest)

    @property
    def _is_plain(self) -> bool:
        """Whether only the sets of features must differ, so that the best of each of the cheapest sets will do."""
        return bool(self.apart[0] and not self.apart[1] and not self._common().any() and len(self.joints) == 1)

    def _grow(self, first: Found) -> tuple[float, Positions]:
        """The cost and the cells of the cheapest set, from ever longer lists."""
        spread = float(abs(first.costs[0]) + np.ptp(first.costs)) or 1.0
        step = 0.03 * spread
        up_to = float(first.costs[-1]) + step
        members = self._members()
        asked = False
        while True:
            listed = self._count(every(self.problem, self.terms[0], up_to, limits=members, clock=self.clock))
            cost, rows = self._cheapest(listed, self.number, self.sums)
            if cost < math.inf:
                others = self._cheapest(listed, self.number - 1, np.full(len(self.sums), math.inf))[0]
                needed = cost - min(others, up_to + (self.number - 2) * self.cheapest)
            elif not asked:  # a program that may stop at the first set is quick to prove that there is none
                asked = True
                if self._is_impossible():
                    self.complete = True
                    return math.inf, listed.cells[:0]
            if not self.complete or up_to == math.inf or (cost < math.inf and needed <= up_to):
                return cost, listed.cells[rows] if cost < math.inf else listed.cells[:0]
            if cost < math.inf:
                up_to += max(0.25 * (needed - up_to), 0.01 * spread)
            else:
                step *= 1.5
                up_to = up_to + step if up_to < self.cheapest + 8 * spread else math.inf

    def _programmed(self, cost: float, cells: Positions) -> tuple[float, Positions]:
        """What the mixed-integer program finds in the time that is left, where lists grow too long; nothing
        where the effort is spent.

        It knows nothing of changes that are needed. So its proof that there is no set holds, and so does its best set
        if all changes in it are needed.
        """
        if not self._is_linear or not self.clock.budget():
            return cost, cells
        seconds = self.clock.seconds if math.isfinite(self.clock.seconds) else None
        solution = self._program(self.objective, seconds)
        if solution.status == "infeasible":
            self.complete = True
            return math.inf, cells[:0]
        if solution.cells is None or not all(self.problem.holds(each) for each in solution.cells):
            return cost, cells
        self.complete = solution.status == "optimal" and solution.bound >= solution.objective - _TOLERANCE
        return min((cost, cells), (solution.objective, solution.cells), key=lambda solved: solved[0])

    def _is_impossible(self) -> bool:
        """Whether the program proves that no set differs as asked, within half of the time that is left."""
        if not self._is_linear or not self.clock.budget():
            return False
        seconds = min(_SECONDS_FOR_A_PROOF, self.clock.seconds / 2)
        nothing = Joint(term=Term(separable=np.zeros_like(self.problem.points)))
        return self._program(nothing, seconds).status == "infeasible"

    @property
    def _is_linear(self) -> bool:
        """Whether the program can hold the limits, which may reward no difference between members."""
        return all(joint.common == (0, 0) for joint in self.joints[1:])

    def _program(self, objective: Joint, seconds: float | None) -> mixed_integer.Solution:
        return mixed_integer.solve(self.problem, objective, self.number, self.diversity, self.limits, seconds)

    def _members(self) -> list[tuple[Term, float]]:
        """What one member of a set may cost of each limited term, given the least that the others cost."""
        members = []
        for term, limit in zip(self.terms[1:], self.sums[1:], strict=True):
            least = search(self.problem, term, clock=self.clock)
            lowest = min([least.bound, *least.costs.tolist()])
            members.append((term, float(limit) - (self.number - 1) * lowest + 1e-9))
        return members

    def _cheapest(self, candidates: Found, number: int, sums: Floats) -> tuple[float, Positions]:
        """The cost, with the rewards of a whole set, and the rows of the cheapest set of so many."""
        listed = Listed(
            changes=np.where(candidates.cells == self.problem.current, -1, candidates.cells),
            costs=self._costs(candidates),
            common=self._common(),
            apart=self.apart,
        )
        chosen = listed.cheapest(number, sums, int(min(_BUDGET, self.clock.seconds * _PER_SECOND)))
        self.complete = self.complete and chosen.ended
        return chosen.cost, chosen.rows

    def _costs(self, listed: Found) -> Floats:
        further = [[self.problem.cost(term, cells) for cells in listed.cells] for term in self.terms[1:]]
        return np.ascontiguousarray(np.stack([listed.costs, *map(np.array, further)], axis=1))

    def _common(self) -> Floats:
        return np.array([joint.common for joint in self.joints])

    def _count(self, part: Found) -> Found:
        self.nodes += part.nodes
        self.complete = self.complete and part.complete
        return part

    def _found(self, cells: Positions | None, bound: float) -> Found:
        if cells is None:
            cells = np.zeros((0, len(self.problem.current)), np.int64)
        costs = np.array([self.objective.cost(self.problem, cells)] if len(cells) else [])
        bound = math.inf if self.complete else bound
        return Found(cells=cells, costs=costs, bound=bound, complete=self.complete, nodes=self.nodes)
