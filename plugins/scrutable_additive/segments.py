"""Bins in segments of one value each, and which two of these may become one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.layout import Layout
from scrutable_additive.lines import Line
from scrutable_additive.metric import Metric

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: The segment of bins that nobody is in.
NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Bins in L segments of one value each, and which two segments may become one.

    Parameters
    ----------
    of_bin : (K,) segment of each bin, or `NOBODY`; such bins are worth 0, their block's average.
    block : (L,) block of each segment.
    left, right : (edges,) the two segments of each edge. Neighbours of ordered bins have one, categories when sorted by
        their values, and a special value has one with each segment of its block.
    apart : (edges,) whether the left one is a special value's.
    """

    of_bin: Ints
    block: Ints
    left: Ints
    right: Ints
    apart: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """Number of segments, L."""
        return len(self.block)

    @classmethod
    def of(cls, values: Floats, layouts: Sequence[Layout]) -> Segments:
        """The segments of a card, given by the (K,) values of its bins."""
        of_bin = np.full(len(values), NOBODY, dtype=np.intp)
        block: list[int] = []
        edges: list[tuple[int, int, bool]] = []
        for place, layout in enumerate(layouts):
            own, first = _within(layout, values[layout.bins]), len(block)
            of_bin[layout.bins] = np.where(own == NOBODY, NOBODY, own + first)
            edges += [(left + first, right + first, apart) for left, right, apart in _edges(layout, own)]
            block += [place] * (int(own.max(initial=-1)) + 1)
        left, right, apart = np.array(edges, dtype=np.intp).reshape(-1, 3).T
        return cls(of_bin, np.array(block, dtype=np.intp), left, right, apart.astype(bool))

    def joined(self, edges: Sequence[int]) -> Ints:
        """(L,) the segment that each has become once these edges are gone."""
        host = np.arange(self.size)
        for edge in edges:
            host[host == host[self.left[edge]]] = host[self.right[edge]]
        return host

    def summed(self, metric: Metric) -> tuple[Floats, Floats]:
        """(L, L) Zᵀ G Z and (L,) Zᵀ G θ, where Z says which bins each segment has."""
        used = np.flatnonzero(self.of_bin != NOBODY)
        rows, _ = summed_by(self.of_bin[used], metric.matrix[used])
        matrix, _ = summed_by(self.of_bin[used], rows[:, used].T)
        return matrix, rows @ metric.dense

    def lines(self, layouts: Sequence[Layout], host: Ints) -> list[Line]:
        """What is asked of ordered steps, for (L,) what each segment has become; steps are named by their first.

        Where two steps are left of a block that nobody asked anything of, they may be in either order.
        """
        left = np.bincount(self.block[np.unique(host)], minlength=len(layouts))
        lines = []
        for layout, steps in zip(layouts, left.tolist(), strict=True):
            if not layout.nominal and (layout.rising or layout.bend):
                ordered = np.unique(self.of_bin[layout.ordinary])
                opens = np.diff(host[ordered], prepend=-1) != 0
                either = not layout.asked and steps <= 2
                lines.append(Line(ordered[opens], 0 if either else layout.rising, layout.bend))
        return lines

    def counts(self, layouts: Sequence[Layout]) -> Floats:
        """(L,) weight of the rows of each segment."""
        by_bin = np.concatenate([np.empty(0), *(layout.count for layout in layouts)])
        used = self.of_bin != NOBODY
        counts: Floats = np.bincount(self.of_bin[used], by_bin[used], self.size).astype(np.float64)
        return counts


def summed_by(group: Ints, rows: Floats) -> tuple[Floats, Ints]:
    """(groups, k) sums of (m, k) rows over those of one group, by rising number, and (m,) the place of each row's.

    >>> summed_by(np.array([7, 2, 7]), np.array([[1.0], [2], [3]]))[0].tolist()
    [[2.0], [4.0]]
    """
    _, place = np.unique(group, return_inverse=True)
    if not len(group):
        return rows, place
    order = np.argsort(place, kind="stable")
    first = np.searchsorted(place[order], np.arange(place.max() + 1))
    return np.add.reduceat(rows[order], first, axis=0), place


def _within(layout: Layout, values: Floats) -> Ints:
    """(bins,) the segment of each bin within its block, from 0 on: those of ordinary values first, in their order."""
    own = np.full(len(values), NOBODY, dtype=np.intp)
    order = _order(layout, values)
    opens = layout.apart if layout.fixed else np.diff(values[order]) != 0
    own[order] = np.concatenate([[0], np.cumsum(opens)])[: len(order)]
    size = int(own.max(initial=-1)) + 1
    for apart in range(layout.n_ordinary, len(values)):
        if layout.count[apart] > 0:
            alike = order[values[order] == values[apart]]
            own[apart] = own[alike[0]] if len(alike) and not layout.fixed else size
            size = max(size, int(own[apart]) + 1)
    return own


def _edges(layout: Layout, own: Ints) -> Iterator[tuple[int, int, bool]]:
    ordinary = int(own[: layout.n_ordinary].max(initial=-1)) + 1
    yield from ((left, left + 1, False) for left in range(ordinary - 1))
    if not layout.fixed:
        for apart in range(ordinary, int(own.max(initial=-1)) + 1):
            yield from ((apart, segment, True) for segment in range(ordinary))


def _order(layout: Layout, values: Floats) -> Ints:
    """Ordinary bins in the order in which neighbours may be put together."""
    ordinary = np.arange(layout.n_ordinary)
    return ordinary[np.argsort(values[ordinary], kind="stable")] if layout.nominal else ordinary
