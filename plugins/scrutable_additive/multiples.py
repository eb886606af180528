"""Whole sizes of a few jumps, by search on the loss of the rows' patterns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.exchange import ChosenJumps
from scrutable_additive.jumps import Jumps
from scrutable_additive.patterns import Multiples

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

#: Sizes of a point that are tried, in those that give the widest characteristic all points: eight to each doubling.
_SIZES = 2.0 ** (np.arange(-8, 13) / 8)
#: Roundings at which the search begins, those that lose least.
_STARTS = 4
#: What a move has to save, as a share of the loss.
_LEAST = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """What is asked of whole sizes.

    Parameters
    ----------
    levels : (levels, k) which jumps each step of a characteristic has.
    opens : (characteristics,) the first step of each.
    sign : (k,) as in `Jumps.directed`.
    most : how far points of a characteristic are apart at most.
    """

    levels: Floats
    opens: Ints
    sign: Ints
    most: int

    @classmethod
    def of(cls, jumps: Jumps, chosen: Ints, most: int) -> Allowed:
        """Of the characteristics that have some of the chosen jumps."""
        levels: list[Floats] = []
        opens: list[int] = []
        for place in sorted({*jumps.block[chosen].tolist()}):
            layout = jumps.layouts[place]
            seen = layout.count > 0
            opens.append(sum(map(len, levels)))
            levels.append(np.unique(jumps.of_bins(chosen, layout.bins)[seen], axis=0))
        return cls(np.concatenate(levels), np.array(opens, dtype=np.intp), jumps.directed(chosen), most)

    def keeps(self, points: Ints) -> Marks:
        """(T,) whether (T, k) sizes are as is asked."""
        heights = points @ self.levels.T
        spread = np.maximum.reduceat(heights, self.opens, axis=1) - np.minimum.reduceat(heights, self.opens, axis=1)
        kept: Marks = np.logical_and.reduce(spread <= self.most, axis=1)
        return kept & (self.sign * points >= 0).all(axis=1) & points.any(axis=1)

    def widest(self, sizes: Floats) -> float:
        """How far the steps of the widest characteristic are apart."""
        heights = self.levels @ sizes
        return float((np.maximum.reduceat(heights, self.opens) - np.minimum.reduceat(heights, self.opens)).max())


def whole_sizes(chosen: ChosenJumps, allowed: Allowed) -> Multiples | None:
    """The whole sizes of least loss that the search comes to, one of them; None where all are 0."""
    patterns, fit = chosen.patterns, chosen.fit
    widest = allowed.widest(fit.sizes) / allowed.most
    if widest <= 0:
        return None
    points = np.concatenate([_rounded(fit.sizes, worth, allowed) for worth in (widest * _SIZES).tolist()])
    points = np.unique(points[allowed.keeps(points)], axis=0)
    if not len(points):
        return None
    worth = (points @ fit.sizes) / (points**2).sum(axis=1)
    starts = patterns.at_best(points, worth, np.full(len(points), fit.intercept))
    promising = np.argsort(starts.loss, kind="stable")[:_STARTS]
    promising = promising[np.isfinite(starts.loss[promising])]
    reached = [_descended(chosen, allowed, starts.take(promising[[at]])) for at in range(len(promising))]
    return min(reached, key=lambda each: (float(each.loss[0]), each.points.tolist()), default=None)


def _rounded(sizes: Floats, worth: float, allowed: Allowed) -> Ints:
    """(T, k) sizes rounded, and drawn in where a characteristic is too wide."""
    nearest = np.rint(sizes / worth)
    return np.stack([nearest, np.clip(nearest, -allowed.most, allowed.most), np.trunc(sizes / worth)]).astype(np.intp)


def _descended(chosen: ChosenJumps, allowed: Allowed, at: Multiples) -> Multiples:
    """Sizes that no move of one or two jumps by 1 makes better."""
    patterns = chosen.patterns
    n_jumps = at.points.shape[1]
    while True:
        for moves in (_singles(n_jumps), _doubles(n_jumps)):
            points = at.points[0] + moves
            points = points[allowed.keeps(points)]
            if not len(points):
                continue
            about = patterns.nearby(points, float(at.worth[0]), float(at.intercept[0]))
            best = np.argsort(about, kind="stable")[:1]
            if about[best[0]] >= at.loss[0] * (1 - _LEAST):
                continue
            moved = patterns.at_best(points[best], at.worth, at.intercept)
            if moved.loss[0] < at.loss[0] * (1 - _LEAST):
                at = moved
                break
        else:
            return at


@cache
def _singles(size: int) -> Ints:
    """(2 size, size) one jump by 1."""
    one = np.eye(size, dtype=np.intp)
    return np.concatenate([one, -one])


@cache
def _doubles(size: int) -> Ints:
    """(moves, size) one jump by 2, or two by 1."""
    one = np.eye(size, dtype=np.intp)
    pairs = [one[left] + sign * one[right] for left, right in combinations(range(size), 2) for sign in (1, -1)]
    up = np.array([*pairs, *(2 * one)], dtype=np.intp).reshape(-1, size)
    return np.concatenate([up, -up])
