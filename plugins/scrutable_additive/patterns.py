"""Rows with the same jumps as one pattern, over which a logistic loss costs next to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Half of this times the squared sizes is added to the loss, so that jumps of which all rows are alike have a size.
RIDGE = 1e-4
_NEWTON, _HALVINGS, _TOLERANCE = 30, 20, 1e-9
#: Newton steps of a multiplier and an intercept; three have settled them but for a far start.
_SETTLING = 4
_LEAST_CURVATURE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Real sizes of jumps.

    Parameters
    ----------
    sizes : (k,) log-odds that each adds.
    intercept : log-odds of the rows that have none.
    loss : sum of weight times log-loss, and the ridge.
    """

    sizes: Floats
    intercept: float
    loss: float


@dataclass(frozen=True, slots=True, eq=False)
class Multiples:
    """Whole sizes of jumps at what a point is best worth, T of them.

    Parameters
    ----------
    points : (T, k) whole numbers.
    worth, intercept : (T,).
    loss : (T,) sum of weight times log-loss; infinite where no worth above 0 is best.
    """

    points: Ints
    worth: Floats
    intercept: Floats
    loss: Floats

    def take(self, at: Ints) -> Multiples:
        """Some of them."""
        return Multiples(self.points[at], self.worth[at], self.intercept[at], self.loss[at])


@dataclass(frozen=True, slots=True, eq=False)
class _Slopes:
    """How the loss of T scores moves with what a point is worth, and with the intercept.

    Parameters
    ----------
    along, level : (T,) first derivatives.
    across, both, total : (T,) second ones: of the worth, of both, of the intercept. `size` is their determinant.
    """

    along: Floats
    level: Floats
    across: Floats
    both: Floats
    total: Floats
    size: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """P distinct rows of k jumps.

    Parameters
    ----------
    members : (P, k) 1 where a pattern has a jump.
    good, weight : (P,) weight of the favourable rows, and of all.
    """

    members: Floats
    good: Floats
    weight: Floats

    @classmethod
    def of(cls, counts: Floats) -> Self:
        """From (2, …, 2, 2) weight of the favourable rows and of all, by whether they have each of k jumps."""
        n_jumps = counts.ndim - 1
        good, total = counts.reshape(-1, 2).T
        used = np.flatnonzero(total > 0)
        bits = (used[:, None] >> np.arange(n_jumps)[::-1]) & 1
        return cls(bits.astype(np.float64), good[used], total[used])

    def fit(self, start: Fit | None = None) -> Fit:
        """The sizes that lose least, by damped Newton steps."""
        design = np.hstack([np.ones((len(self.members), 1)), self.members])
        ridge = np.full(design.shape[1], RIDGE)
        ridge[0] = 0.0
        at = np.zeros(design.shape[1])
        if start is None:
            rate = self.good.sum() / self.weight.sum()
            at[0] = np.log(rate / (1 - rate))
        else:
            at[0], at[1:] = start.intercept, start.sizes
        log_odds = design @ at
        loss, p = float(self._lost(log_odds)) + 0.5 * float(ridge @ at**2), probability(log_odds)
        for _ in range(_NEWTON):
            slope = design.T @ (self.weight * p - self.good) + ridge * at
            curvature = (design * (self.weight * p * (1 - p))[:, None]).T @ design
            curvature[np.diag_indices(len(at))] += ridge + _LEAST_CURVATURE
            move, length = np.linalg.solve(curvature, slope), 1.0
            if float(slope @ move) <= _TOLERANCE:
                break
            for _ in range(_HALVINGS):
                moved = at - length * move
                log_odds = design @ moved
                reached = float(self._lost(log_odds)) + 0.5 * float(ridge @ moved**2)
                if reached <= loss:
                    break
                length /= 2
            at, loss, p = moved, reached, probability(log_odds)
        return Fit(at[1:], float(at[0]), loss)

    def at_best(self, points: Ints, worth: Floats, intercept: Floats) -> Multiples:
        """What a point is then best worth.

        Parameters
        ----------
        points : (T, k) whole sizes.
        worth, intercept : (T,) to begin with.
        """
        score = points @ self.members.T
        for _ in range(_SETTLING):
            at = self._slopes(score, worth[:, None] * score + intercept[:, None])
            worth = worth - np.clip((at.total * at.along - at.both * at.level) / at.size, -1, 1)
            intercept = intercept - np.clip((at.across * at.level - at.both * at.along) / at.size, -2, 2)
        lost = self._lost(worth[:, None] * score + intercept[:, None])
        return Multiples(points, worth, intercept, np.where(worth > 0, lost, np.inf))

    def nearby(self, points: Ints, worth: float, intercept: float) -> Floats:
        """(T,) about what points lose at what a point is then best worth: the loss here less what one step saves."""
        score = points @ self.members.T
        log_odds = worth * score + intercept
        at = self._slopes(score, log_odds)
        saved = 0.5 * (at.total * at.along**2 - 2 * at.both * at.along * at.level + at.across * at.level**2) / at.size
        nearby: Floats = self._lost(log_odds) - saved
        return nearby

    def _slopes(self, score: Floats, log_odds: Floats) -> _Slopes:
        p = probability(log_odds)
        residual, curvature = self.weight * p - self.good, self.weight * p * (1 - p)
        across, both = (curvature * score**2).sum(axis=1), (curvature * score).sum(axis=1)
        total = curvature.sum(axis=1)
        return _Slopes(
            along=(residual * score).sum(axis=1),
            level=residual.sum(axis=1),
            across=across,
            both=both,
            total=total,
            size=across * total - both**2 + _LEAST_CURVATURE,
        )

    def _lost(self, log_odds: Floats) -> Floats:
        """Loss by the last axis."""
        softplus = np.maximum(log_odds, 0.0) + np.log1p(np.exp(-np.abs(log_odds)))
        lost: Floats = softplus @ self.weight - log_odds @ self.good
        return lost


def probability(log_odds: Floats) -> Floats:
    """Of the favourable outcome; the search takes most of its time here, of which scipy's `expit` needs three times.

    >>> probability(np.array([0.0])).tolist()
    [0.5]
    """
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -500, 500)))
