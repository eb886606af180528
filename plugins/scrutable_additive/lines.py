"""What trends ask of the steps of a card: inequalities of successive ones, and the nearest values that keep them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import minimise_many_in_box

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Multiples of this are added without rounding as far as log-odds go.
_EXACT = 2.0**-44
#: Added to the diagonal of the dual, as a share, so that rows that tell the same can be solved for.
_APART = 1e-13


@dataclass(frozen=True, slots=True, eq=False)
class Inequalities:
    """A v ≥ 0, three values of v in each row.

    Parameters
    ----------
    at, by : (rows, 3) places of the values, and the whole numbers by which they are multiplied.
    """

    at: Ints
    by: Ints

    @classmethod
    def of_all(cls, many: Iterable[Self]) -> Inequalities:
        """All rows of some."""
        every = tuple(many)
        nothing = np.empty((0, 3), dtype=np.intp)
        at, by = (np.concatenate([nothing, *(getattr(each, name) for each in every)]) for name in ("at", "by"))
        return cls(at, by)

    @property
    def joining(self) -> NDArray[np.bool_]:
        """(rows,) whether the first two values are equal where the row is 0; else three lie on a line."""
        joining: NDArray[np.bool_] = self.by[:, 2] == 0
        return joining

    def times(self, values: NDArray[np.number]) -> Floats:
        """(rows, …) A v for (L, …) values."""
        product: Floats = np.einsum("rk,rk...->r...", self.by, values[self.at])
        return product


@dataclass(frozen=True, eq=False)
class Line:
    """Steps of a block in the order of its values, and how they have to follow one another.

    Parameters
    ----------
    steps : (m,) their places.
    rising : 1 where values may not fall from one step to the next, -1 where they may not rise, 0 where they are free.
    bend : 1 where what is gained from one step to the next may not fall (convex), -1 where it may not rise (concave).
    """

    steps: Ints
    rising: int
    bend: int

    @cached_property
    def inequalities(self) -> Inequalities:
        """Rows of which none follows from others."""
        steps = self.steps
        second = _rows(steps[:-2], steps[1:-1], steps[2:], self.bend * np.array([1, -2, 1]))
        first = _rows(steps[:-1], steps[1:], steps[1:], self.rising * np.array([-1, 1, 0]))
        if not self.bend:
            return first if self.rising else Inequalities.of_all([])
        if not self.rising or len(steps) < 2:
            return second
        least = 0 if self.rising == self.bend else -1  # where the other differences are no less
        return Inequalities.of_all([second, Inequalities(first.at[[least]], first.by[[least]])])

    def without(self, step: int) -> Line:
        """The line once a step has become one with the step before it."""
        return replace(self, steps=self.steps[self.steps != step])

    def kept_by(self, points: NDArray[np.number]) -> NDArray[np.bool_]:
        """(n,) whether (m, n) points of the steps are on the line, neighbours of the same points being one step.

        >>> Line(np.arange(4), rising=0, bend=1).kept_by(np.array([[0, 0, 1, 1], [0, 2, 2, 3]]).T).tolist()
        [True, False]
        """
        gains = np.diff(points, axis=0)
        kept: NDArray[np.bool_] = np.logical_and.reduce(self.rising * gains >= 0, axis=0)
        before = np.full(kept.shape, -np.inf * self.bend) if self.bend else gains[:0]
        for gain in gains if self.bend else ():
            kept = np.logical_and(kept, (gain == 0) | (self.bend * (gain - before) >= 0))
            before = np.where(gain == 0, before, gain)
        return kept

    def whole(self, values: Floats) -> Floats:
        """(m,) whole numbers close to (m,) values that are about on the line; see `kept_by`.

        The nearest where these are on it; else gains from step to step are rounded.

        >>> Line(np.arange(4), rising=0, bend=1).whole(np.array([0.0, 0.6, 1.4, 2.6])).tolist()
        [0.0, 1.0, 1.0, 3.0]
        """
        numbers = np.rint(values)
        return numbers if self.kept_by(numbers[:, None]).all() else self._straightened(values)

    def _straightened(self, values: Floats) -> Floats:
        """(m,) whole numbers of which all rows of `inequalities` hold."""
        gains = np.rint(np.diff(values))
        gains = self.bend * np.maximum.accumulate(self.bend * gains)
        if self.rising:
            gains = self.rising * np.maximum(self.rising * gains, 0.0)
        beside = np.concatenate([[0.0], np.cumsum(gains)])
        numbers: Floats = beside + np.rint(np.mean(values - beside))
        return numbers

    def exact(self, values: Floats) -> Floats:
        """(m,) values that are on the line exactly, close to those that are so but for rounding."""
        if self.bend:
            return _EXACT * self._straightened(values / _EXACT)
        return self.rising * np.maximum.accumulate(self.rising * values) if self.rising else values


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The values nearest to a level among all with A v ≥ 0.

    Parameters
    ----------
    values : (L,) level + B Aᵀ λ, where B is the inverse of the metric; A v is not below 0 but for rounding.
    force : (rows,) λ ≥ 0 with which each row holds them; 0 where it need not.
    lost : their distance from the level, ½ λᵀ A B Aᵀ λ.
    """

    values: Floats
    force: Floats
    lost: float


def held(inverse: Floats, level: Floats, asked: Inequalities) -> Held:
    """The dual of the quadratic, ½ λᵀ A B Aᵀ λ + λᵀ A level, has no bounds but 0.

    Parameters
    ----------
    inverse : (L, L) B.
    level : (L,) the values to be near to.
    """
    slack = asked.times(level)
    nothing = np.zeros(len(slack))
    if (slack >= 0).all():
        return Held(level, nothing, 0.0)
    spread = asked.times(inverse)
    matrix = asked.times(spread.T)
    matrix[np.diag_indices(len(matrix))] *= 1 + _APART
    force = minimise_many_in_box(matrix, slack, nothing, np.full(len(slack), np.inf), nothing)
    return Held(level + force @ spread, force, 0.5 * float(force @ matrix @ force))


def nearest(inverse: Floats, level: Floats, lines: Iterable[Line]) -> Floats:
    """(L,) values nearest to a level that are on these lines, exactly.

    >>> line = Line(np.arange(3), rising=0, bend=1)
    >>> nearest(np.eye(3), np.array([0.0, 3.0, 0.0]), [line]).round(9).tolist()
    [1.0, 1.0, 1.0]
    """
    lines = tuple(lines)
    values = held(inverse, level, Inequalities.of_all(line.inequalities for line in lines)).values.copy()
    for line in lines:
        values[line.steps] = line.exact(values[line.steps])
    return values


def _rows(first: Ints, second: Ints, third: Ints, by: Ints) -> Inequalities:
    at = np.stack([first, second, third], axis=1)
    return Inequalities(at, np.broadcast_to(by, at.shape))
