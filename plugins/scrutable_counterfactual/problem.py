"""The problem of one applicant in numbers: which cells may be proposed, what a proposal costs, and what it must reach.

A feature's domain is cut into cells (`scrutable.model.cells`), so that a proposal is a cell a feature; the applicant's
own cells are `current`. This module is the definition that the search, the mixed-integer program and the tests agree
with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Calibration
from scrutable.model.evaluator import probability
from scrutable_counterfactual.arrays import Floats, Positions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Term:
    """What a proposal costs: a sum over features, so much closeness, and so much distance of the outcome.

    cost = sum_i separable[i, cell_i] + closeness * sum_i |residual_i| + outcome * distance(score); `Problem.residuals`
    has the residuals. Terms add up and scale, so that a weighted sum of objectives is a term again.

    Parameters
    ----------
    separable : (features, cells), zero for the current cells; below zero for what is rewarded.
    closeness, outcome : zero or more.
    """

    separable: Floats
    closeness: float = 0.0
    outcome: float = 0.0

    def __add__(self, other: Self) -> Term:
        return Term(
            separable=self.separable + other.separable,
            closeness=self.closeness + other.closeness,
            outcome=self.outcome + other.outcome,
        )

    def __mul__(self, factor: float) -> Term:
        return Term(separable=self.separable * factor, closeness=self.closeness * factor, outcome=self.outcome * factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far an outcome is from what is wanted: |score - target|, |probability - target|, or nothing.

    Paper: equation 5, the third terms of (7a) and (9a). The probability is the calibration's own, exactly.

    Examples
    --------
    >>> Distance(kind="points", target=600.0).of(np.array([590.0, 600.0])).tolist()
    [10.0, 0.0]
    """

    kind: Literal["none", "points", "probability"] = "none"
    target: float = 0.0
    calibration: Calibration | None = None

    def of(self, score: Floats) -> Floats:
        """(n,) distances of n scores."""
        if self.kind == "none":
            return np.zeros_like(score)
        if self.kind == "points":
            return np.abs(score - self.target)
        assert self.calibration is not None
        return np.abs(probability(self.calibration, score) - self.target)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """One applicant, and what a counterfactual of theirs must be.

    Parameters
    ----------
    base : base points.
    points : (features, cells) of every cell, filled up with zeros; multiples of 2^-30, so that sums are exact.
    current : (features,) the applicant's cells.
    allowed : (features, cells) the cells that may be proposed; not the current ones.
    low, high : the least and the highest score that will do; infinite where there is no bound.
    max_changes : features that may change at most.
    whitening : (features, features) upper triangle W of equation (3d): residual_i = sum_{j >= i} W_ij (p_j - centre_j).
    centre : (features,) points that closeness is measured from.
    distance : what the outcome's distance is.
    forbidden : (rules, features, cells) a proposal is refused where all its cells are in a rule.
    needed : whether a proposal is refused that would do without one of its changes.
    """

    base: float
    points: Floats
    current: Positions
    allowed: NDArray[np.bool_]
    low: float = -math.inf
    high: float = math.inf
    max_changes: int
    whitening: Floats
    centre: Floats
    distance: Distance = Distance()
    forbidden: NDArray[np.bool_]
    needed: bool = False

    @property
    def features(self) -> NDArray[np.intp]:
        """(features,) positions."""
        return np.arange(len(self.current))

    def score(self, cells: Positions) -> float:
        """The score with these cells, exactly."""
        return self.base + float(self.points[self.features, cells].sum())

    def residuals(self, cells: Positions) -> Floats:
        """(features,) the whitened distance from the centre."""
        residuals: Floats = self.whitening @ (self.points[self.features, cells] - self.centre)
        return residuals

    def cost(self, term: Term, cells: Positions) -> float:
        """What a term makes of a proposal."""
        cost = float(term.separable[self.features, cells].sum())
        if term.closeness:
            cost += term.closeness * float(np.abs(self.residuals(cells)).sum())
        if term.outcome:
            cost += term.outcome * float(self.distance.of(np.array([self.score(cells)]))[0])
        return cost

    def holds(self, cells: Positions) -> bool:
        """Whether a proposal keeps to every limit: cells, number of changes, score, rules, no change in vain."""
        changed = np.flatnonzero(cells != self.current)
        return bool(
            len(changed) <= self.max_changes
            and self.allowed[changed, cells[changed]].all()
            and self._reaches(cells)
            and not (self.needed and any(self._reaches(self._without(cells, i)) for i in changed.tolist()))
        )

    def _reaches(self, cells: Positions) -> bool:
        return self.low <= self.score(cells) <= self.high and not bool(
            self.forbidden[:, self.features, cells].all(axis=1).any()
        )

    def _without(self, cells: Positions, i: int) -> Positions:
        return np.where(self.features == i, self.current, cells)
