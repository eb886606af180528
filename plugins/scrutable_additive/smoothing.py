"""How strongly values of neighbouring bins are drawn together, estimated from the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: A slight pull of every value to 0, which parts blocks that tell the same.
RIDGE = 0.01
#: Strengths to begin with, of ordered bins and of others, and their limits.
_ORDERED, _FREE = 30.0, 3.0
#: What is known of strengths beforehand: as much as so many parameters of this variance would tell, of steps between
#: ordered bins and of other values. It matters where few rows tell little of either.
_KNOWN_STEPS, _KNOWN_VALUES = (1.0, 0.01), (2.0, 0.1)
_WEAKEST, _STRONGEST = 1e-3, 1e7
#: How often a strength is estimated while the values of other bins are kept.
_TURNS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Penalty:
    """½ strength · θᵀ S θ on some bins of one block.

    A random walk over ordered bins (S = DᵀD with the differences D of neighbours), or independent values (S = I).

    Parameters
    ----------
    bins : the bins.
    matrix : S.
    rank : its rank.
    strength : the inverse of the prior's variance.
    known : what is known of the strength beforehand: as much as so many parameters of that variance tell.
    """

    bins: slice
    matrix: Floats
    rank: int
    strength: float
    known: tuple[float, float]

    @classmethod
    def walk(cls, first: int, size: int) -> Penalty:
        """A random walk over ordered bins."""
        differences = np.diff(np.eye(size), axis=0)
        return cls(slice(first, first + size), differences.T @ differences, size - 1, _ORDERED, _KNOWN_STEPS)

    @classmethod
    def free(cls, first: int, size: int, rank: int) -> Penalty:
        """Values that are independent of one another."""
        return cls(slice(first, first + size), np.eye(size), rank, _FREE, _KNOWN_VALUES)

    def times(self, values: Floats) -> Floats:
        """Its gradient in the values of its bins."""
        gradient: Floats = self.strength * (self.matrix @ values[self.bins])
        return gradient

    def cost(self, values: Floats) -> float:
        """What it adds to the loss."""
        return 0.5 * float(values[self.bins] @ self.times(values))

    def estimated(self, values: Floats, curvature: Floats) -> Penalty:
        """The penalty with the strength that restricted maximum likelihood asks for, at this curvature of the loss.

        Strength is the number of parameters that the data determine, over θᵀ S θ: the fixed point of equation (4) of
        Wood and Fasiolo (2017), of the block alone. Both are added to by what is known beforehand, a gamma prior. The
        values follow the strength a few times, those of other bins being kept.

        Parameters
        ----------
        values : (K,) values of all bins, the best ones for the strength so far.
        curvature : (K, K) second derivative of the loss.
        """
        own = curvature[self.bins, self.bins].copy()
        own.flat[:: len(own) + 1] += RIDGE
        near, strength, (parameters, variance) = values[self.bins], self.strength, self.known
        whole = own + strength * self.matrix
        wanted = whole @ near
        for turn in range(_TURNS):
            if turn:
                whole = own + strength * self.matrix
            covariance = np.linalg.inv(whole)
            near = covariance @ wanted if turn else near
            determined = self.rank - strength * float(np.vdot(covariance, self.matrix))
            spread = float(near @ self.matrix @ near)
            strength = (max(determined, 0.0) + parameters) / (spread + parameters * variance)
            strength = min(max(strength, _WEAKEST), _STRONGEST)
        return replace(self, strength=strength)


def cost(penalties: Sequence[Penalty], values: Floats) -> float:
    """What all penalties add to the loss."""
    return sum(each.cost(values) for each in penalties) + 0.5 * RIDGE * float(values @ values)


def slopes(penalties: Sequence[Penalty], values: Floats) -> Floats:
    """(K,) gradient of all penalties."""
    gradient = RIDGE * values
    for each in penalties:
        gradient[each.bins] += each.times(values)
    return gradient


def added(penalties: Sequence[Penalty], curvature: Floats) -> Floats:
    """(K, K) a curvature and that of all penalties."""
    whole = curvature.copy()
    whole[np.diag_indices(len(whole))] += RIDGE
    for each in penalties:
        whole[each.bins, each.bins] += each.strength * each.matrix
    return whole


def pulling(penalties: Sequence[Penalty], bins: slice) -> Floats:
    """(bins, bins) second derivative of the penalties of one block."""
    matrix = RIDGE * np.eye(bins.stop - bins.start)
    for each in penalties:
        inner = slice(each.bins.start - bins.start, each.bins.stop - bins.start)
        matrix[inner, inner] += each.strength * each.matrix
    return matrix


def determined(penalties: Sequence[Penalty], bins: slice, curvature: Floats) -> float:
    """How many parameters of one block the data determine, tr((A + P)⁻¹ A), the others being kept.

    Parameters
    ----------
    curvature : (K, K) second derivative of the loss.
    """
    own = curvature[bins, bins]
    return float(np.trace(np.linalg.solve(own + pulling(penalties, bins), own)))
