"""Rows in pre-bins, read only to be added up; sums are the same in every order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_layers
from scrutable_additive.families import Family, Point

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """n rows, each in one bin of each of p blocks; the K bins of all blocks stand one after another.

    Parameters
    ----------
    blocks : (n,) for each block the bin of each row, from 0 on.
    starts : (p + 1,) where the bins of each block begin, and K.
    target : (n,) what is to be told, as the family takes it.
    weight : (n,) weights.
    family : how well scores tell it.
    offset : (n,) scores where all values and the intercept are 0, or 0.
    """

    blocks: Sequence[Ints]
    starts: Ints
    target: Floats
    weight: Floats
    family: Family
    offset: Floats | float = 0.0

    @property
    def size(self) -> int:
        """Number of bins, K."""
        return int(self.starts[-1])

    def score(self, values: Floats, intercept: float) -> Floats:
        """(n,) scores, log-odds of the favourable outcome or the like, for (K,) values of the bins."""
        score = np.full(len(self.target), intercept) + self.offset
        for block, own in zip(self.blocks, self.slices(), strict=True):
            score += values[own][block]
        return score

    def at(self, values: Floats, intercept: float) -> Point:
        """The loss for these values of the bins."""
        return self.family.at(self.score(values, intercept), self.target, self.weight)

    def merit(self, score: Floats) -> float:
        """How good (n,) scores are, whatever is added to all of them."""
        return self.family.merit(score, self.target, self.weight)

    def measured(self, score: Floats) -> dict[str, float]:
        """How good (n,) scores are, by name."""
        return self.family.measured(score, self.target, self.weight)

    def by_bin(self, amounts: Floats) -> Floats:
        """(K,) sums of (n,) amounts."""
        sums = np.zeros(self.size)
        for whole, exponent in exact_layers(amounts):  # cut once for all blocks
            for block, own in zip(self.blocks, self.slices(), strict=True):
                sums[own] += np.ldexp(np.bincount(block, whole, own.stop - own.start), exponent)
        return sums

    def by_pair(self, amounts: Floats) -> Floats:
        """(K, K) sums of (n,) positive amounts over the rows that are in both bins.

        Amounts are rounded to a multiple of a power of two, of which no sum has more than a double holds: so many
        digits suffice for a curvature, and the sums are exact.
        """
        whole, unit = _whole(amounts)
        pairs = np.zeros((self.size, self.size))
        groups = self.groups().members
        for place, group in enumerate(groups):
            alone = np.bincount(group.code, whole, group.size).astype(np.float64, copy=False)
            pairs[group.bins, group.bins] = group.by_bin(group.by_bin(np.diag(alone)).T)
            for other in groups[:place]:
                codes = group.code * other.size + other.code
                sums = np.bincount(codes, whole, group.size * other.size).astype(np.float64, copy=False)
                between = other.by_bin(group.by_bin(sums.reshape(group.size, other.size)).T)
                pairs[other.bins, group.bins] = between
                pairs[group.bins, other.bins] = between.T
        pairs *= unit
        return pairs

    def groups(self) -> Groups:
        """Blocks that stand beside one another, as many together as leave fewer cells in two groups than rows."""
        most = np.sqrt(len(self.target) / 2)
        groups: list[_Group] = []
        for block, own in zip(self.blocks, self.slices(), strict=True):
            alone = _Group(own, block, own.stop - own.start)
            if groups and groups[-1].size * alone.size <= most:
                groups[-1] = groups[-1].beside(alone)
            else:
                groups.append(alone)
        return Groups(groups, self.size)

    def slices(self) -> list[slice]:
        """The bins of each block."""
        return [slice(start, stop) for start, stop in pairwise(self.starts.tolist())]


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """A few blocks as one, with a cell for each combination of their bins.

    Rows are then read once for several pairs of blocks, which with many columns of few bins takes most of the time.

    Parameters
    ----------
    bins : of all its blocks.
    code : (n,) cell of each row.
    size : number of cells.
    members : (size, bins) 1 where a cell is part of a bin; None where cells are bins.
    """

    bins: slice
    code: Ints
    size: int
    members: Floats | None = None

    def beside(self, block: _Group) -> _Group:
        """The group with the next block."""
        ours = np.eye(self.size) if self.members is None else self.members
        members = np.hstack([np.repeat(ours, block.size, axis=0), np.tile(np.eye(block.size), (self.size, 1))])
        bins = slice(self.bins.start, block.bins.stop)
        return _Group(bins, self.code * block.size + block.code, self.size * block.size, members)

    def by_bin(self, sums: Floats) -> Floats:
        """(bins, k) sums by bin of (size, k) sums by cell."""
        return sums if self.members is None else self.members.T @ sums


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """All blocks, few of them in a group.

    Parameters
    ----------
    members : the groups.
    size : number of bins of all of them, K.
    """

    members: Sequence[_Group]
    size: int

    def by_bin(self, amounts: Floats) -> Floats:
        """(K,) sums of (n,) amounts, exact but for their last digits, as with `Rows.by_pair`."""
        whole, unit = _whole(amounts)
        sums = np.empty(self.size)
        for group in self.members:
            by_cell = np.bincount(group.code, whole, group.size).astype(np.float64, copy=False)
            sums[group.bins] = group.by_bin(by_cell[:, None])[:, 0]
        return unit * sums


def _whole(amounts: Floats) -> tuple[Floats, float]:
    """Amounts as whole multiples of a unit, such that the sum of any of them is exact, and the unit."""
    largest = float(np.abs(amounts).max(initial=0.0))
    if largest == 0.0:
        return np.zeros_like(amounts), 1.0
    exponent = int(np.frexp(largest)[1]) + len(amounts).bit_length() - 53
    return np.rint(np.ldexp(amounts, -exponent)), float(np.ldexp(1.0, exponent))
