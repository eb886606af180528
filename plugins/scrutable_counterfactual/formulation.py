"""The paper's program over the cells: equations (3), (7) and (9) for a proposal, (11) to (13) for several at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scrutable.model import UNIT
from scrutable_counterfactual.arrays import Floats, Positions
from scrutable_counterfactual.joint import Diversity
from scrutable_counterfactual.linear_program import Columns, Linear, Program
from scrutable_counterfactual.linearised import Linearised
from scrutable_counterfactual.problem import Problem, Term

_LARGEST_GAIN = 1024.0  # in a row of scores
_ROOM = 1e-6  # of the largest gain, for the solver's tolerances


class Proposal:
    """One proposal's columns, z (cells taken) and a (features changed), and the rows that make it one.

    Parameters
    ----------
    program : gets the columns and rows.
    problem : what the proposal is for.
    linearised : the distance of the outcome, where it is one of probabilities.
    """

    def __init__(self, program: Program, problem: Problem, linearised: Linearised | None) -> None:
        self._program, self._problem, self._linearised = program, problem, linearised
        own = problem.current[:, None] == np.arange(problem.points.shape[1])
        self.feature, self._cell = np.nonzero(problem.allowed & ~own)
        self.taken = program.columns(len(self.feature), integer=True)
        self.changed = program.columns(len(problem.current), integer=True)
        for feature in problem.features:
            cells = Linear.sum(self.taken[self.feature == feature])
            program.row(cells - Linear.sum(self.changed[[feature]]), low=0.0, high=0.0)
        program.row(Linear.sum(self.changed), high=problem.max_changes)
        self._hold_score()
        for rule in problem.forbidden:
            program.row(self.inside(rule), high=len(problem.current) - 1)

    @cached_property
    def score(self) -> Linear:
        """The score, in points."""
        problem = self._problem
        own = problem.points[self.feature, problem.current[self.feature]]
        gain = problem.points[self.feature, self._cell] - own
        return Linear(columns=self.taken, weights=gain, constant=problem.score(problem.current))

    def inside(self, rule: NDArray[np.bool_]) -> Linear:
        """How many features have a cell that is in a (features, cells) rule."""
        own = rule[self._problem.features, self._problem.current]
        unchanged = Linear(columns=self.changed[own], weights=np.full(own.sum(), -1.0), constant=float(own.sum()))
        return Linear.sum(self.taken[rule[self.feature, self._cell]]) + unchanged

    def cost(self, term: Term) -> Linear:
        """What a term makes of the proposal, or more than that."""
        cost = Linear(columns=self.taken, weights=term.separable[self.feature, self._cell])
        if term.closeness:
            cost += self._closeness * term.closeness
        if term.outcome:
            cost += self._distance * term.outcome
        return cost

    def cells(self, values: Floats) -> Positions:
        """(features,) the cells that values of the columns stand for."""
        cells = self._problem.current.copy()
        taken = values[self.taken] > 0.5
        cells[self.feature[taken]] = self._cell[taken]
        return cells

    @cached_property
    def _closeness(self) -> Linear:
        """Sum of |residuals|, equation (3d)."""
        weights = self._problem.whitening[:, self.feature] * self.score.weights
        constants = self._problem.residuals(self._problem.current)
        residuals = (
            Linear(columns=self.taken, weights=each, constant=float(constant))
            for each, constant in zip(weights, constants, strict=True)
        )
        return Linear.total([self._program.absolute(residual) for residual in residuals])

    @cached_property
    def _distance(self) -> Linear:
        distance = self._problem.distance
        if distance.kind == "points":
            return self._program.absolute(self.score + Linear.total([], constant=-distance.target))
        return self._linearised.add_to(self._program, self.score) if self._linearised else Linear.total([])

    def _hold_score(self) -> None:
        """Hold the score between its bounds, in the steps that all changes of points are whole multiples of.

        Half a step is left on either side: enough for the solver's tolerances while changes are of up to 500 000
        steps. Beyond that more is left, and what the solver lets by is for the caller to refuse.
        """
        problem = self._problem
        units = (problem.points / UNIT).astype(np.int64)
        changes = units[self.feature, self._cell] - units[self.feature, problem.current[self.feature]]
        step = max(int(np.gcd.reduce(changes)), 1)
        weights = changes / step
        largest = max(float(np.abs(weights).max(initial=0.0)), 1.0)
        size, room = min(1.0, _LARGEST_GAIN / largest), max(0.5, _ROOM * largest)

        def steps(bound: float) -> Fraction:
            return (Fraction(bound) - Fraction(self.score.constant)) / (Fraction(UNIT) * step)

        low = -math.inf if math.isinf(problem.low) else (math.ceil(steps(problem.low)) - room) * size
        high = math.inf if math.isinf(problem.high) else (math.floor(steps(problem.high)) + room) * size
        self._program.row(Linear(columns=self.taken, weights=weights * size), low=low, high=high)


def differences(program: Program, binaries: Sequence[Columns]) -> list[Linear]:
    """Hamming distances of all pairs of proposals' binaries, or less than that: |u - v| = u + v - 2 b, b >= u + v - 1.

    Equation (10); it needs no lower bounds, as distances are only asked to be large.
    """
    distances = []
    for one, other in combinations(binaries, 2):
        both = program.columns(len(one))
        for u, v, b in zip(one, other, both, strict=True):
            program.row(Linear(columns=np.array([u, v, b]), weights=np.array([1.0, 1.0, -1.0])), high=1.0)
        distances.append(Linear.sum(one) + Linear.sum(other) - Linear.sum(both, 2.0))
    return distances


def hold_apart(program: Program, proposals: Sequence[Proposal], diversity: Diversity) -> None:
    """No two proposals change the same set of features (equation 11), or one feature to the same cell (equation 12)."""
    if diversity.features:
        for distance in differences(program, [each.changed for each in proposals]):
            program.row(distance, low=1.0)
    if diversity.values:
        for same in zip(*(each.taken for each in proposals), strict=True):
            program.row(Linear.sum(np.array(same)), high=1.0)
