"""Rows in pre-bins, read only to be added up; sums are the same in every order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_bincount, exact_layers, exact_sum

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Decimals of log-odds to which rows are apart.
_DIGITS = 9


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """n rows, each in one bin of each of p blocks; the K bins of all blocks stand one after another.

    Parameters
    ----------
    blocks : (n,) for each block the bin of each row, from 0 on.
    starts : (p + 1,) where the bins of each block begin, and K.
    good : (n,) 1 for a favourable outcome, 0 for the other.
    weight : (n,) weights.
    """

    blocks: Sequence[Ints]
    starts: Ints
    good: Floats
    weight: Floats

    @property
    def size(self) -> int:
        """Number of bins, K."""
        return int(self.starts[-1])

    def log_odds(self, values: Floats, intercept: float) -> Floats:
        """(n,) log-odds of the favourable outcome, for (K,) values of the bins."""
        log_odds = np.full(len(self.good), intercept)
        for block, own in zip(self.blocks, self.slices(), strict=True):
            log_odds += values[own][block]
        return log_odds

    def by_bin(self, amounts: Floats) -> Floats:
        """(K,) sums of (n,) amounts."""
        sums = np.zeros(self.size)
        for whole, exponent in exact_layers(amounts):  # cut once for all blocks
            for block, own in zip(self.blocks, self.slices(), strict=True):
                sums[own] += np.ldexp(np.bincount(block, whole, own.stop - own.start), exponent)
        return sums

    def auc(self, log_odds: Floats) -> float:
        """Area under the ROC curve of (n,) log-odds.

        A library's takes many times as long to check what it is given, and there are a dozen cards; summed by distinct
        value, it is the same in every order of the rows.
        """
        levels, place = np.unique(np.round(log_odds, _DIGITS), return_inverse=True)
        good = exact_bincount(place, self.weight * self.good, len(levels))
        bad = exact_bincount(place, self.weight * (1 - self.good), len(levels))
        return float(good @ (np.cumsum(bad) - bad / 2)) / float(good.sum() * bad.sum())

    def by_pair(self, amounts: Floats) -> Floats:
        """(K, K) sums of (n,) positive amounts over the rows that are in both bins.

        Amounts are rounded to a multiple of a power of two, of which no sum has more than a double holds: so many
        digits suffice for a curvature, and the sums are exact.
        """
        whole, unit = _whole(amounts)
        pairs = np.zeros((self.size, self.size))
        groups = self._groups()
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

    def _groups(self) -> list[_Group]:
        """Blocks that stand beside one another, as many together as leave fewer cells in two groups than rows."""
        most = np.sqrt(len(self.good) / 2)
        groups: list[_Group] = []
        for block, own in zip(self.blocks, self.slices(), strict=True):
            alone = _Group(own, block, own.stop - own.start)
            if groups and groups[-1].size * alone.size <= most:
                groups[-1] = groups[-1].beside(alone)
            else:
                groups.append(alone)
        return groups

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
class Point:
    """The log-loss of rows at their log-odds, and what it does nearby.

    Parameters
    ----------
    loss : sum of weight times log-loss.
    residual : (n,) weight times (outcome − probability), the gradient of −loss in the log-odds.
    curvature : (n,) weight times probability times its complement.
    """

    loss: float
    residual: Floats
    curvature: Floats

    @classmethod
    def at(cls, rows: Rows, values: Floats, intercept: float) -> Point:
        """The loss for these values of the bins."""
        return cls.of(rows, rows.log_odds(values, intercept))

    @classmethod
    def of(cls, rows: Rows, log_odds: Floats) -> Point:
        """The loss for (n,) log-odds."""
        # p and 1 − p are each computed without a subtraction, so that rare outcomes keep all their digits.
        odds = np.exp(-np.abs(log_odds))
        likely, rare = 1.0 / (1.0 + odds), odds / (1.0 + odds)
        above = log_odds >= 0
        p, complement = np.where(above, likely, rare), np.where(above, rare, likely)
        lost = np.log1p(odds) + np.maximum(log_odds, 0.0) - rows.good * log_odds
        residual = np.where(rows.good > 0, complement, -p)
        return cls(exact_sum(rows.weight * lost), rows.weight * residual, rows.weight * likely * rare)


def _whole(amounts: Floats) -> tuple[Floats, float]:
    """Amounts as whole multiples of a unit, such that the sum of any of them is exact, and the unit."""
    largest = float(amounts.max(initial=0.0))
    if largest == 0.0:
        return np.zeros_like(amounts), 1.0
    exponent = int(np.frexp(largest)[1]) + len(amounts).bit_length() - 53
    return np.rint(np.ldexp(amounts, -exponent)), float(np.ldexp(1.0, exponent))
