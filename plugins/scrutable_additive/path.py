"""The path of cards: from many steps to none, each card being the one before with two steps put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.covariance import Covariance
from scrutable_additive.layout import Layout
from scrutable_additive.metric import Metric
from scrutable_additive.segments import NOBODY, Segments, summed_by

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

#: What makes a step of too few rows, or one against a trend, cheap to put together with the next.
_SMALL, _AGAINST = 1e-6, 1e-12
#: What is known of a state of the search until it moves.
_OF_STATE = {"gaps", "open", "against", "small", "_parted"}


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card of the path.

    Parameters
    ----------
    merged : how many edges are gone.
    distance : from the dense fit.
    steps : number of different points, of the characteristics on the card.
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
    segments : of the first card, of which there are L.
    matrix, wanted : (L, L) and (L,) as `Segments.summed` has them.
    order : the edges in the order in which they went.
    cards : the cards that keep what is asked of steps: trends, and rows of each.
    """

    metric: Metric
    segments: Segments
    matrix: Floats
    wanted: Floats
    order: tuple[int, ...]
    cards: tuple[Card, ...]

    def on_card(self, card: Card) -> set[int]:
        """The blocks that are on a card."""
        block, gone = self.segments.block, np.array(self.order[: card.merged], dtype=np.intp)
        left_over = np.bincount(block, minlength=1)
        left_over -= np.bincount(block[self.segments.left[gone]], minlength=len(left_over))
        return set(np.flatnonzero(left_over > 1).tolist())

    def values(self, card: Card) -> Floats:
        """(K,) values of the bins: as near to the dense fit as the steps of the card allow, those of one step equal."""
        values, _, of_bin, _ = self.solved(card)
        return np.append(values, 0.0)[of_bin]  # NOBODY is the last

    def solved(self, card: Card) -> tuple[Floats, Floats, Ints, Ints]:
        """The L steps of a card: (L,) values, (L, L) metric, (K,) step of each bin or `NOBODY`, (L,) block of each."""
        host, segments = self.segments.joined(self.order[: card.merged]), self.segments
        rows, place = summed_by(host, self.matrix)
        matrix, _ = summed_by(host, rows.T)
        wanted, _ = summed_by(host, self.wanted[:, None])
        values: Floats = np.linalg.solve(matrix, wanted[:, 0]).astype(np.float64)
        of_bin = np.append(place, NOBODY)[segments.of_bin]  # NOBODY is the last
        return values, matrix, of_bin, segments.block[np.unique(host)]


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
    matrix, wanted = segments.summed(metric)
    search = _Elimination.of(segments, (matrix, wanted), metric.total, layouts, min_count)
    cards = [search.card()] if search.allowed() else []
    while search.merge_cheapest():
        if search.allowed():
            cards.append(search.card())
    return Path(metric, segments, matrix, wanted, tuple(search.order), tuple(cards))


@dataclass(eq=False)
class _Elimination:
    """The state of the search for the next edge; what follows from it is computed once until it moves.

    Parameters
    ----------
    inverse : what is known of the segments once others are put together, their covariance.
    level : (L,) their best values.
    count : (L,) weight of the rows of what each segment has become.
    host : (L,) what each segment has become.
    left_over : (blocks,) number of segments that are left.
    possible : (edges,) whether they join what may be joined; an edge within one segment is gone.
    rising : (edges,) as in `Layout`.
    kept, fixed, asked : (blocks,) as in `Layout`.
    order : the edges that are gone.
    """

    segments: Segments
    inverse: Covariance
    level: Floats
    distance: float
    count: Floats
    min_count: float
    host: Ints
    left_over: Ints
    possible: Marks
    rising: Ints
    kept: Marks
    fixed: Marks
    asked: Marks
    order: list[int] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        segments: Segments,
        summed: tuple[Floats, Floats],
        total: float,
        layouts: Sequence[Layout],
        min_count: float,
    ) -> _Elimination:
        """The first state, by what `Segments.summed` gives and the distance of the dense fit from no card."""
        matrix, wanted = summed
        inverse: Floats = np.linalg.inv(matrix).astype(np.float64)
        level = inverse @ wanted
        rising = np.array([0 if layout.nominal else layout.rising for layout in layouts], dtype=np.intp)
        return cls(
            segments=segments,
            inverse=Covariance(inverse, segments.left, segments.right),
            level=level,
            distance=total - 0.5 * float(level @ wanted),
            count=segments.counts(layouts),
            min_count=min_count,
            host=np.arange(segments.size),
            left_over=np.bincount(segments.block, minlength=len(layouts)),
            possible=np.ones(len(segments.left), dtype=bool),
            rising=np.where(segments.apart, 0, rising[segments.block[segments.left]]),
            kept=np.array([layout.kept for layout in layouts], dtype=bool),
            fixed=np.array([layout.fixed for layout in layouts], dtype=bool),
            asked=np.array([layout.asked for layout in layouts], dtype=bool),
        )

    @cached_property
    def gaps(self) -> Floats:
        """(edges,) by how much the right segment lies above the left one."""
        return self.level[self.segments.right] - self.level[self.segments.left]

    @cached_property
    def open(self) -> Marks:
        """(edges,) whether they may go.

        All that go against a trend may; of others not the last one of a block that has to stay on the card, and none of
        a fixed block.
        """
        held = (self.fixed | (self.kept & (self.left_over == 2)))[self._block]
        open_: Marks = self._parted & (~held | self.against)
        return open_

    @cached_property
    def against(self) -> Marks:
        """(edges,) whether they go against the trend."""
        either = (~self.asked & (self.left_over == 2))[self._block]
        against: Marks = self._parted & ~either & (self.rising * self.gaps < 0)
        return against

    @cached_property
    def _parted(self) -> Marks:
        parted: Marks = self.possible & (self.host[self.segments.left] != self.host[self.segments.right])
        return parted

    @cached_property
    def _block(self) -> Ints:
        return self.segments.block[self.segments.left]

    @cached_property
    def small(self) -> Marks:
        """(edges,) whether one of the two segments has too few rows."""
        return self.open & (
            np.minimum(self.count[self.segments.left], self.count[self.segments.right]) < self.min_count
        )

    def allowed(self) -> bool:
        """Whether the card is one that keeps what is asked of steps."""
        return not (self.against.any() or self.small.any())

    def card(self) -> Card:
        """The card as it is."""
        on_card = self.left_over > 1
        return Card(len(self.order), self.distance, int(self.left_over[on_card].sum()), int(on_card.sum()))

    def merge_cheapest(self) -> bool:
        """Put the two segments together that cost least; False if none may be."""
        open_, gaps = self.open, self.gaps
        if not open_.any():
            return False
        cost = 0.5 * gaps**2 / self.inverse.variance
        priority = cost * np.where(self.against, _AGAINST, np.where(self.small, _SMALL, 1.0))
        edge = int(np.argmin(np.where(open_, priority, np.inf)))
        self.level += self.inverse.without(edge) * gaps[edge]
        self.distance += float(cost[edge])
        self._join(edge)
        return True

    def _join(self, edge: int) -> None:
        a, b = int(self.segments.left[edge]), int(self.segments.right[edge])
        together = (self.host == self.host[a]) | (self.host == self.host[b])
        self.count[together] = self.count[a] + self.count[b]
        self.host[together] = self.host[b]
        self.left_over[self.segments.block[a]] -= 1
        self.order.append(edge)
        if self.segments.apart[edge]:  # a special value is where it is; it makes no neighbours of others
            self.possible &= ~(self.segments.apart & (self.segments.left == a))
        for of_state in _OF_STATE & self.__dict__.keys():
            delattr(self, of_state)
