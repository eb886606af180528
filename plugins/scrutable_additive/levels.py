"""The steps of one card, with what it costs to move their values."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.elimination import Card
from scrutable_additive.lines import Line
from scrutable_additive.path import Path

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Levels:
    """The L steps of a card; those of a block are neighbours.

    Parameters
    ----------
    values : (L,) log-odds, each block's average by curvature being 0.
    matrix : (L, L) Zᵀ G Z, where Z says which bins each step has: what the values e lose when they are moved, ½ eᵀ M e.
    of_bin : (K,) step of each bin; -1 where nobody is in it.
    block : (L,) block of each.
    lines : what trends and shapes ask of them.
    kept : (L,) whether the block has to stay on the card.
    """

    values: Floats
    matrix: Floats
    of_bin: Ints
    block: Ints
    lines: tuple[Line, ...]
    kept: Marks

    @classmethod
    def of(cls, path: Path, card: Card) -> Levels:
        """The steps of a card of the path."""
        solved = path.solved(card)
        lines = tuple(_directed(line, solved.values) for line in solved.lines)
        kept = np.array([layout.kept for layout in path.layouts], dtype=bool)[solved.block]
        levels = cls(solved.values, solved.matrix, solved.of_bin, solved.block, lines, kept)
        return replace(levels, values=levels.values - levels.averages(levels.values))  # a hair off 0, by the ridge

    @property
    def size(self) -> int:
        """Number of steps, L."""
        return len(self.values)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """The steps of each block that has any."""
        edges = [*np.flatnonzero(np.diff(self.block, prepend=-1)).tolist(), self.size]
        return tuple(slice(start, stop) for start, stop in itertools.pairwise(edges))

    def lines_of(self, own: slice) -> list[Line]:
        """What is asked of the steps of a block."""
        return [line for line in self.lines if own.start <= line.steps[0] < own.stop]

    def whole(self, worth: float, aside: float = 0.0) -> Floats:
        """(L,) the nearest whole points of this worth that keep what is asked.

        Parameters
        ----------
        aside : added to all before rounding.
        """
        wanted = self.values / worth + aside
        points = np.rint(wanted)
        for line in self.lines:
            points[line.steps] = line.whole(wanted[line.steps])
        return points

    @property
    def weight(self) -> Floats:
        """(L,) curvature of each."""
        return np.diag(self.matrix)

    def averages(self, values: Floats) -> Floats:
        """(L,) each block's average of (L,) values or (L, n) columns of values, by curvature, at each of its steps."""
        averages = np.empty(values.shape)
        for own in self.slices:
            averages[own] = (self.weight[own] @ values[own]) / self.weight[own].sum()
        return averages

    @cached_property
    def moved(self) -> Floats:
        """(L, L) as `matrix`, where the average of each block costs nothing, since the intercept takes it up."""
        moved = self.centring.T @ self.matrix @ self.centring
        return (moved + moved.T) / 2

    @cached_property
    def centring(self) -> Floats:
        """(L, L) what takes each block's average away."""
        return np.eye(self.size) - self.averages(np.eye(self.size))


def _directed(line: Line, values: Floats) -> Line:
    """The line with the direction that it has, where two steps may be in either order that nobody asked for."""
    if line.rising or line.bend:
        return line
    return replace(line, rising=1 if values[line.steps[-1]] >= values[line.steps[0]] else -1)
