"""The master problem on patterns, and what a backend answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Program:
    """The linear program (3) on P patterns, J rules and R fairness rows.

    Minimise costs·w + mass·v subject to votes w + v >= 1, low <= (rates * mass) v <= high, w >= 0 and v >= 0.

    Parameters
    ----------
    votes : (P, J) votes of the rules on the samples of a pattern, sorted by rule in each row.
    costs : (J,) cost of a unit of each rule's weight.
    mass : (P,) sum of the weights of each pattern's samples.
    rates : (R, P) coefficient of each fairness row, by unit of mass.
    low, high : (R,) bounds of each fairness row.
    """

    votes: csr_array[np.float64, tuple[int, int]]
    costs: Floats
    mass: Floats
    rates: Floats
    low: Floats
    high: Floats

    def hinge(self, weights: Floats) -> Floats:
        """(P,) loss of each pattern's samples by these weights, 1 - votes w where that is positive (equation 2)."""
        margin = np.asarray(self.votes @ weights, dtype=np.float64)
        return np.maximum(1.0 - margin, 0.0)

    def optimum(self, weights: Floats, slack: Floats | None, duals: Floats, multipliers: Floats) -> Optimum:
        """What a solver found, without the rounding that takes it out of its bounds; the slack is the hinge if None."""
        weights = np.maximum(weights, 0.0)
        hinge = self.hinge(weights)
        least, most = np.where(np.isinf(self.high), 0.0, -np.inf), np.where(np.isinf(self.low), 0.0, np.inf)
        multipliers = np.clip(multipliers, least, most)
        slack = hinge if slack is None else np.maximum(slack, hinge)
        duals = np.clip(duals, 0.0, self.room(multipliers))
        active = np.where(multipliers > 0, self.low, self.high)
        return Optimum(
            weights=weights,
            slack=slack,
            duals=duals,
            multipliers=multipliers,
            objective=float(self.costs @ weights + self.mass @ slack),
            bound=float(duals.sum() + multipliers[multipliers != 0] @ active[multipliers != 0]),
        )

    def room(self, multipliers: Floats) -> Floats:
        """(P,) the largest value that each dual may take."""
        most: Floats = self.mass * np.maximum(1.0 - multipliers @ self.rates, 0.0)
        return most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Optimum:
    """An optimum of a program.

    Parameters
    ----------
    weights : (J,) w, at least 0.
    slack : (P,) v, at least the hinge loss; only fairness rows take it above.
    duals : (P,) those of the patterns' rows, from 0 to `Program.room`.
    multipliers : (R,) duals of the fairness rows: positive at the lower bound, negative at the upper one.
    objective : value of weights and slack.
    bound : value of the duals; no more than the optimum as far as they are feasible.
    """

    weights: Floats
    slack: Floats
    duals: Floats
    multipliers: Floats
    objective: float
    bound: float


class Backend(Protocol):
    """A way to solve a sequence of programs, each with more rules and finer patterns than the one before."""

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
