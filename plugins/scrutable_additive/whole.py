"""Whole numbers of points, found by search on the loss that they add to the card."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.levels import Levels
from scrutable_additive.lines import Line

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

#: What a move has to save, as a share of the variance of the card's scores, or of what a point costs if that is more.
LEAST = 1e-12
#: Sizes of a point that are tried, in those that give the widest characteristic all points: four to each doubling.
_SIZES = 2.0 ** (np.arange(-6, 5) / 4)
#: Parts of a point that are added before rounding.
_ASIDE = (0.0, 1 / 3, -1 / 3)
#: Roundings at which the search begins, those that lose least.
_STARTS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """Whole points of the steps of a card.

    Parameters
    ----------
    points : (L,) whole numbers; what each block's are counted from is free.
    worth : log-odds of a point.
    loss : what they lose beside the values of the card.
    bound : what this is certain to be at most, by `bound_of`; None where it was not searched by the curvature.
    """

    points: Ints
    worth: float
    loss: float
    bound: float | None

    def values(self, levels: Levels) -> Floats:
        """(L,) log-odds, each block's average being 0."""
        points = self.points.astype(np.float64)
        return self.worth * (points - levels.averages(points))


def finest(levels: Levels, worth: float) -> Whole:
    """Points in the smallest differences that a model can hold, by which nothing is lost to speak of."""
    return Whole(levels.whole(worth).astype(np.intp), worth, 0.0, 0.0)


def rounded_to(levels: Levels, worth: float) -> Whole:
    """Whole points of a given worth."""
    search = _Search(levels, worth)
    return search.at(search.descended(search.start(worth), worth), worth)


def small(levels: Levels, most: int) -> Whole:
    """Whole points of which those of a block are at most so many apart, and what a point is then best worth.

    The search begins at several sizes of a point; points and what one is worth are changed in turn until neither can
    be changed for the better.

    Parameters
    ----------
    most : at least 1.
    """
    widest = max((float(np.ptp(levels.values[own])) for own in levels.slices), default=0.0) / most
    if widest <= 0:
        return Whole(np.zeros(levels.size, dtype=np.intp), 1.0, 0.0, 0.0)
    search = _Search(levels, widest, most)
    starts = [search.start(worth, aside) for worth in (widest * _SIZES).tolist() for aside in _ASIDE]
    different = {points.tobytes(): search.at_best(points) for points in starts}
    promising = sorted(different.values(), key=lambda each: each.loss)
    reached = [search.settled(each) for each in promising[:_STARTS]]
    return min(reached, key=lambda each: each.loss)


def bound_of(levels: Levels, worth: float) -> float:
    """What the nearest whole points of this worth lose at most, whatever the values are.

    Each is off by half a point at most, and by three halves where a block would have left the card that has to stay.
    Of convex and concave blocks the gains from step to step are rounded; there it is what the points are off by.
    With D the diagonal of M and λ the largest eigenvalue of D^-½ M D^-½, ½ eᵀ M e is at most ½ λ Σ Dᵢ eᵢ². The search
    begins at these points, or at others that lose less, and goes down from there.
    """
    if not levels.size:
        return 0.0
    scale = np.sqrt(np.maximum(levels.weight, np.finfo(np.float64).tiny))
    largest = float(np.linalg.eigvalsh(levels.moved / np.outer(scale, scale))[-1])
    off = worth * np.where(levels.kept, 1.5, 0.5)
    off = np.maximum(off, np.abs(worth * levels.whole(worth) - levels.values) + worth * levels.kept)
    return 0.5 * largest * float(levels.weight @ off**2)


class _Search:
    """Coordinate search on ½ (worth · points − values)ᵀ M (worth · points − values).

    Parameters
    ----------
    worth : of a point with which the nearest whole points are among those that the search begins with.
    most : how far points of a block are apart at most; None for any.
    """

    def __init__(self, levels: Levels, worth: float, most: int | None = None) -> None:
        self.levels, self.worth, self.most = levels, worth, most
        self.bound = bound_of(levels, worth)
        self.pull = levels.moved @ levels.values
        self.least = LEAST * max(float(levels.values @ self.pull), worth**2 * float(levels.weight.max(initial=0.0)))
        self.orders = [np.argsort(levels.values[own], kind="stable") for own in levels.slices]
        self.lines = [_within(levels, own) for own in levels.slices]

    def start(self, worth: float, aside: float = 0.0) -> Ints:
        """The nearest whole points; where they are too far apart, the highest ones are lowered.

        Parameters
        ----------
        aside : added to all points before they are rounded.
        """
        points = self.levels.whole(worth, aside).astype(np.intp)
        for own in self.levels.slices:
            values, convex = self.levels.values[own], any(each.bend > 0 for each in self.levels.lines_of(own))
            if self.most is not None and convex:
                points[own] = np.maximum(points[own], points[own].max() - self.most)
            elif self.most is not None:
                points[own] = np.minimum(points[own], points[own].min() + self.most)
            if self.levels.kept[own.start] and not np.ptp(points[own]):  # a convex line is highest at an end
                points[own] += values == values.max() if convex else -1 * (values == values.min())
        return points

    def at(self, points: Ints, worth: float) -> Whole:
        """Points of this worth, and what they lose, the intercept being free."""
        away = worth * points.astype(np.float64) - self.levels.values
        return Whole(points, worth, 0.5 * float(away @ self.levels.moved @ away), self.bound)

    def settled(self, whole: Whole) -> Whole:
        """Points that no move makes better at what one is best worth."""
        while True:
            points = self.descended(whole.points, whole.worth)
            if (points == whole.points).all():
                return whole
            whole = self.at_best(points)

    def at_best(self, points: Ints) -> Whole:
        """Points at what one is best worth, or at any worth where no number above 0 is best."""
        across, along = float(points @ self.levels.moved @ points), float(points @ self.pull)
        return self.at(points, along / across if along > 0 and across > 0 else self.worth)

    def descended(self, points: Ints, worth: float) -> Ints:
        """Points that no move makes better: one step of a block, two or a run of them, or two of two blocks, by 1."""
        points = points.copy()
        slopes = worth * (worth * self.levels.moved @ points - self.pull)
        while self._within(points, slopes, worth) or self._across(points, slopes, worth):
            pass
        return points

    def _within(self, points: Ints, slopes: Floats, worth: float) -> bool:
        """Make the best moves of one block after another, until none has any; whether there was one."""
        any_made = False
        for place in range(len(self.orders)):
            for moves_of in (_singles, _pairs_and_runs):
                while (move := self._best(points, slopes, worth, place, moves_of)) is not None:
                    self._make(points, slopes, worth, self.levels.slices[place], move)
                    any_made = True
        return any_made

    def _best(
        self, points: Ints, slopes: Floats, worth: float, place: int, moves_of: Callable[[int], Floats]
    ) -> Ints | None:
        """(steps of the block,) the move that saves most; None where none saves anything."""
        own, order = self.levels.slices[place], self.orders[place]
        moves = moves_of(len(order))
        matrix = self.levels.moved[own, own][np.ix_(order, order)]
        costs = slopes[own][order] @ moves + 0.5 * worth**2 * (moves * (matrix @ moves)).sum(axis=0)
        saving = np.flatnonzero(costs < -self.least)
        move = np.zeros((len(order), len(saving)), dtype=np.intp)
        move[order] = moves[:, saving]
        allowed = self._allowed(place, points[own, None] + move)
        return move[:, allowed][:, np.argmin(costs[saving][allowed])] if allowed.any() else None

    def _across(self, points: Ints, slopes: Floats, worth: float) -> bool:
        """Move two steps of two blocks by 1 each, wherever that saves something; whether it did."""
        any_made, (costs, allowed) = False, self._of_singles(points, slopes, worth)
        for step, (at, sign) in itertools.product(range(self.levels.size), enumerate((1, -1))):
            if not allowed[at, step]:
                continue
            together = sign * worth**2 * self.levels.moved[step]
            both = costs + costs[at, step] + np.stack([together, -together])
            both[~allowed | (self.levels.block == self.levels.block[step])] = np.inf
            other_at, other = np.unravel_index(np.argmin(both), both.shape)
            if both[other_at, other] < -self.least:
                self._make(points, slopes, worth, slice(step, step + 1), np.array([sign]))
                self._make(points, slopes, worth, slice(other, other + 1), np.array([1 - 2 * other_at]))
                any_made, (costs, allowed) = True, self._of_singles(points, slopes, worth)
        return any_made

    def _of_singles(self, points: Ints, slopes: Floats, worth: float) -> tuple[Floats, Marks]:
        """(2, L) what it costs to move each step up, and down, and whether it may be."""
        half = 0.5 * worth**2 * np.diag(self.levels.moved)
        allowed = np.ones((2, self.levels.size), dtype=bool)
        for place, own in enumerate(self.levels.slices):
            size = own.stop - own.start
            allowed[:, own] = self._allowed(place, points[own, None] + _singles(size)).reshape(2, size)
        return np.stack([half + slopes, half - slopes]), allowed

    def _make(self, points: Ints, slopes: Floats, worth: float, own: slice, move: Ints) -> None:
        points[own] += move
        slopes += worth**2 * (self.levels.moved[:, own] @ move)

    def _allowed(self, place: int, points: NDArray[np.number]) -> Marks:
        """(moves,) whether (steps of the block, moves) points keep what is asked of them."""
        spread = np.ptp(points, axis=0)
        allowed = np.ones(len(spread), dtype=bool)
        for line in self.lines[place]:
            allowed &= line.kept_by(points[line.steps])
        if self.most is not None:
            allowed &= spread <= self.most
        return allowed & (spread > 0) if self.levels.kept[self.levels.slices[place].start] else allowed


def _within(levels: Levels, own: slice) -> list[Line]:
    """What is asked of the steps of a block, by their numbers within it."""
    return [replace(line, steps=line.steps - own.start) for line in levels.lines_of(own)]


@cache
def _singles(size: int) -> Floats:
    """(size, moves) one step up, or down."""
    return np.concatenate([np.eye(size), -np.eye(size)], axis=1)


@cache
def _pairs_and_runs(size: int) -> Floats:
    """(size, moves) two steps up or down, and all steps from one to another."""
    one = np.eye(size)
    pairs = [(left, right) for left in range(size) for right in range(left + 1, size)]
    moves = [one[:, left] + sign * one[:, right] for left, right in pairs for sign in (1, -1)]
    moves += [one[:, left : right + 1].sum(axis=1) for left, right in pairs if right - left > 1]
    up = np.array(moves).reshape(-1, size).T
    return np.concatenate([up, -up], axis=1)
