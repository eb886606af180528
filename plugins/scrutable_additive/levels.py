"""The steps of one card, with what it costs to move their values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.layout import Layout
from scrutable_additive.path import Card, Path

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
    below, above : (pairs,) steps of which one may not get more points than the other, as trends and shapes say.
    kept : (L,) whether the block has to stay on the card.
    """

    values: Floats
    matrix: Floats
    of_bin: Ints
    block: Ints
    below: Ints
    above: Ints
    kept: Marks

    @classmethod
    def of(cls, path: Path, card: Card, layouts: Sequence[Layout]) -> Levels:
        """The steps of a card of the path."""
        values, matrix, of_bin, block = path.solved(card)
        chains = [_chain(layout, of_bin[layout.ordinary], values) for layout in layouts]
        below, above = np.concatenate([np.empty((2, 0), dtype=np.intp), *chains], axis=1)
        kept = np.array([layout.kept for layout in layouts], dtype=bool)
        levels = cls(values, matrix, of_bin, block, below, above, kept[block])
        return replace(levels, values=values - levels.averages(values))  # a hair off 0, by the ridge

    @property
    def size(self) -> int:
        """Number of steps, L."""
        return len(self.values)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """The steps of each block that has any."""
        edges = [*np.flatnonzero(np.diff(self.block, prepend=-1)).tolist(), self.size]
        return tuple(slice(start, stop) for start, stop in itertools.pairwise(edges))

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


def _chain(layout: Layout, steps: Ints, values: Floats) -> Ints:
    """(2, pairs) steps of which the first may not get more points than the second: neighbours of a block with a shape.

    It rises where its last step lies above its first one, since two steps may be in either order that nobody asked for.
    """
    steps = steps[steps >= 0]
    if layout.nominal or not layout.rising or not len(steps):
        return np.empty((2, 0), dtype=np.intp)
    opens = np.flatnonzero(np.diff(steps))
    pairs = np.stack([steps[opens], steps[opens + 1]])
    return pairs if values[steps[-1]] >= values[steps[0]] else pairs[::-1]
