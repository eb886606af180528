"""The path of cards: from many steps to none, each card being the one before with two steps put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.layout import Layout
from scrutable_additive.metric import Metric

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: What makes a step of too few rows, or one against a trend, cheap to put together with the next.
_SMALL, _AGAINST = 1e-6, 1e-12
_LEAST_VARIANCE = 1e-12
#: The segment whose value is 0.
NEUTRAL = -1


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Bins in segments of one value each, and which two segments may become one.

    Parameters
    ----------
    of_bin : (K,) segment of each bin, or `NEUTRAL`.
    left, right : (edges,) the two segments of each edge; of a special value the right one is `NEUTRAL`.
    block : (edges,) the block of each edge.
    """

    of_bin: Ints
    left: Ints
    right: Ints
    block: Ints

    @property
    def size(self) -> int:
        """Number of segments."""
        return int(self.of_bin.max(initial=-1)) + 1

    @classmethod
    def of(cls, values: Floats, layouts: Sequence[Layout]) -> Segments:
        """The segments of a card, given by the (K,) values of its bins."""
        of_bin = np.full(len(values), NEUTRAL, dtype=np.intp)
        edges: list[tuple[int, int, int]] = []
        size = 0
        for place, layout in enumerate(layouts):
            own, first = values[layout.bins], layout.bins.start
            ordinary = np.arange(layout.n_ordinary)
            if layout.nominal:
                ordinary = ordinary[np.argsort(own[ordinary], kind="stable")]
            opens = np.diff(own[ordinary]) != 0 if not layout.fixed else np.ones(max(len(ordinary) - 1, 0), dtype=bool)
            if len(ordinary):
                step = size + np.concatenate([[0], np.cumsum(opens)])
                of_bin[first + ordinary] = step
                edges += [(at, at + 1, place) for at in range(size, int(step[-1]))]
                size = int(step[-1]) + 1
            for apart in range(layout.n_ordinary, len(own)):
                if layout.count[apart] > 0 and (own[apart] != 0 or layout.fixed):
                    of_bin[first + apart] = size
                    edges.append((size, NEUTRAL, place))
                    size += 1
        left, right, block = np.array(edges, dtype=np.intp).reshape(-1, 3).T
        return cls(of_bin, left, right, block)

    def summed(self, metric: Metric) -> tuple[Floats, Floats]:
        """(L, L) Zᵀ G Z and (L,) Zᵀ G θ, where Z says which bins each of the L segments has."""
        used = np.flatnonzero(self.of_bin != NEUTRAL)
        order = used[np.argsort(self.of_bin[used], kind="stable")]
        first = np.searchsorted(self.of_bin[order], np.arange(self.size))
        rows = np.add.reduceat(metric.matrix[order], first, axis=0)
        return np.add.reduceat(rows[:, order], first, axis=1), rows @ metric.dense

    def counts(self, layouts: Sequence[Layout]) -> Floats:
        """(L,) weight of the rows of each segment."""
        by_bin = np.concatenate([np.empty(0), *(layout.count for layout in layouts)])
        used = self.of_bin != NEUTRAL
        return np.bincount(self.of_bin[used], by_bin[used], self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card of the path.

    Parameters
    ----------
    merged : how many edges are gone.
    distance : from the dense fit.
    steps : number of attributes with points of their own, of the characteristics on the card.
    characteristics : number of these.
    """

    merged: int
    distance: float
    steps: int
    characteristics: int


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Nested cards, from the one of most steps to the one of fewest.

    Parameters
    ----------
    segments : of the first card.
    order : the edges in the order in which they went.
    cards : the cards that keep what is asked of steps: trends, and rows of each.
    """

    metric: Metric
    segments: Segments
    order: tuple[int, ...]
    cards: tuple[Card, ...]

    def values(self, card: Card) -> Floats:
        """(K,) values of the bins: as near to the dense fit as the steps of the card allow, those of one step equal."""
        host = _joined(self.segments, self.order[: card.merged])
        of_bin = np.where(self.segments.of_bin == NEUTRAL, NEUTRAL, host[self.segments.of_bin])
        used = of_bin != NEUTRAL
        _, of_bin[used] = np.unique(of_bin[used], return_inverse=True)
        empty = np.empty(0, dtype=np.intp)
        joined = Segments(of_bin, empty, empty, empty)
        values = np.zeros(len(of_bin))
        if joined.size:
            values[used] = np.linalg.solve(*joined.summed(self.metric))[of_bin[used]]
        return values


def path_from(values: Floats, metric: Metric, layouts: Sequence[Layout], min_count: float) -> Path:
    """Put together the two steps that cost least, again and again.

    The cost is what the distance grows by when all values move to where they are then best: ½ (a − b)² / var(a − b)
    under the inverse of the metric, which is updated by a matrix of rank one (backward elimination).

    Parameters
    ----------
    values : (K,) of the first card.
    min_count : least rows of a step; smaller ones are put together before others.
    """
    segments = Segments.of(values, layouts)
    search = _Elimination.of(segments, metric, layouts, min_count)
    cards = [search.card()] if search.allowed() else []
    while search.merge_cheapest():
        if search.allowed():
            cards.append(search.card())
    return Path(metric, segments, tuple(search.order), tuple(cards))


@dataclass(slots=True, eq=False)
class _Elimination:
    """The state of the search for the next edge."""

    segments: Segments
    layouts: Sequence[Layout]
    inverse: Floats
    level: Floats
    distance: float
    count: Floats
    min_count: float
    alive: NDArray[np.bool_]
    rising: Ints
    order: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, segments: Segments, metric: Metric, layouts: Sequence[Layout], min_count: float) -> _Elimination:
        matrix, wanted = segments.summed(metric)
        inverse = np.linalg.inv(matrix)
        level = inverse @ wanted
        apart = segments.right == NEUTRAL
        rising = np.array([0 if layout.nominal else layout.rising for layout in layouts], dtype=np.intp)
        return cls(
            segments=segments,
            layouts=layouts,
            inverse=inverse,
            level=level,
            distance=metric.total - 0.5 * float(level @ wanted),
            count=segments.counts(layouts),
            min_count=min_count,
            alive=np.ones(len(segments.left), dtype=bool),
            rising=np.where(apart, 0, rising[segments.block]),
        )

    @property
    def open(self) -> NDArray[np.bool_]:
        """(edges,) whether they may go.

        All that go against a trend may; of others not the last one of a block that has to stay on the card, and none of
        a fixed block.
        """
        kept = np.array([layout.kept for layout in self.layouts], dtype=bool)
        fixed = np.array([layout.fixed for layout in self.layouts], dtype=bool)
        left_over = np.bincount(self.segments.block[self.alive], minlength=len(self.layouts))
        held = (fixed | (kept & (left_over == 1)))[self.segments.block]
        return self.alive & (~held | (self.rising * self.gaps < 0))

    @property
    def gaps(self) -> Floats:
        """(edges,) by how much the right segment lies above the left one."""
        return np.append(self.level, 0.0)[self.segments.right] - self.level[self.segments.left]

    @property
    def against(self) -> NDArray[np.bool_]:
        """(edges,) whether they go against the trend."""
        return self.open & (self.rising * self.gaps < 0)

    @property
    def small(self) -> NDArray[np.bool_]:
        """(edges,) whether one of the two segments has too few rows."""
        count = np.append(self.count, np.inf)
        return self.open & (np.minimum(count[self.segments.left], count[self.segments.right]) < self.min_count)

    def allowed(self) -> bool:
        """Whether the card is one that keeps what is asked of steps."""
        return not (self.against.any() or self.small.any())

    def card(self) -> Card:
        """The card as it is."""
        edges = np.bincount(self.segments.block[self.alive], minlength=len(self.layouts))
        steps = edges + (edges > 0)
        return Card(len(self.order), self.distance, int(steps.sum()), int((steps > 0).sum()))

    def merge_cheapest(self) -> bool:
        """Put the two segments together that cost least; False if none may be."""
        if not self.open.any():
            return False
        left, right, gaps = self.segments.left, self.segments.right, self.gaps
        diagonal = np.append(np.diag(self.inverse), 0.0)
        both = np.where(right == NEUTRAL, 0.0, self.inverse[left, np.maximum(right, 0)])
        variance = np.maximum(diagonal[left] + diagonal[right] - 2 * both, _LEAST_VARIANCE)
        cost = 0.5 * gaps**2 / variance
        priority = cost * np.where(self.against, _AGAINST, np.where(self.small, _SMALL, 1.0))
        edge = int(np.argmin(np.where(self.open, priority, np.inf)))
        a, b = int(left[edge]), int(right[edge])
        direction = self.inverse[:, a] - (0.0 if b == NEUTRAL else self.inverse[:, b])
        self.level += direction * (gaps[edge] / variance[edge])
        self.inverse -= np.outer(direction, direction / variance[edge])
        self.distance += float(cost[edge])
        self.alive[edge] = False
        self.order.append(edge)
        if b != NEUTRAL:
            host = _joined(self.segments, self.order)
            same = host == host[a]
            self.count[same] = self.segments.counts(self.layouts)[same].sum()
        return True


def _joined(segments: Segments, edges: Sequence[int]) -> Ints:
    """(L,) the segment that each has become when these edges are gone, or `NEUTRAL`."""
    host = np.arange(segments.size)
    for edge in edges:
        a, b = host[segments.left[edge]], segments.right[edge]
        host[host == a] = NEUTRAL if b == NEUTRAL else host[b]
    return host
