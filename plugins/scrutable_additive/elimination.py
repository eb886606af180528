"""The search for the two steps that are put together next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.covariance import Covariance
from scrutable_additive.layout import Layout
from scrutable_additive.lines import Inequalities, Line, held
from scrutable_additive.segments import Segments

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

#: What makes a step of too few rows cheap to put together with the next.
_SMALL = 1e-6
_LEAST_VARIANCE = 1e-12


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


@dataclass(slots=True, eq=False)
class Elimination:
    """The state of the search for the next edge.

    Parameters
    ----------
    inverse : what is known of the segments once others are put together, their covariance.
    level : (L,) their best values without trends.
    distance : of these.
    held, lost : (L,) their best values with trends, and by how much they are further away.
    count : (L,) weight of the rows of what each segment has become.
    host : (L,) what each segment has become.
    left_over : (blocks,) number of segments that are left.
    possible : (edges,) whether they join what may be joined; an edge within one segment is gone.
    lines : what is asked of the steps of a block, by its number.
    kept, fixed, asked : (blocks,) as in `Layout`.
    bent : (edges,) what those of convex and concave blocks cost, as far as that is known; blocks of which it is.
    order : the edges that are gone.
    """

    segments: Segments
    inverse: Covariance
    level: Floats
    distance: float
    held: Floats
    lost: float
    count: Floats
    min_count: float
    host: Ints
    left_over: Ints
    possible: Marks
    lines: dict[int, Line]
    kept: Marks
    fixed: Marks
    asked: Marks
    bent: Floats
    order: list[int] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        segments: Segments,
        summed: tuple[Floats, Floats],
        total: float,
        layouts: Sequence[Layout],
        min_count: float,
    ) -> Elimination:
        """The first state, by what `Segments.summed` gives and the distance of the dense fit from no card."""
        matrix, wanted = summed
        inverse: Floats = np.linalg.inv(matrix).astype(np.float64)
        level = inverse @ wanted
        host = np.arange(segments.size)
        lines = segments.lines(layouts, host)
        return cls(
            segments=segments,
            inverse=Covariance(inverse, segments.left, segments.right),
            level=level,
            distance=total - 0.5 * float(level @ wanted),
            held=level,
            lost=0.0,
            count=segments.counts(layouts),
            min_count=min_count,
            host=host,
            left_over=np.bincount(segments.block, minlength=len(layouts)),
            possible=np.ones(len(segments.left), dtype=bool),
            lines={int(segments.block[line.steps[0]]): line for line in lines},
            kept=np.array([layout.kept for layout in layouts], dtype=bool),
            fixed=np.array([layout.fixed for layout in layouts], dtype=bool),
            asked=np.array([layout.asked for layout in layouts], dtype=bool),
            bent=np.full(len(segments.left), np.nan),
        )

    @property
    def gaps(self) -> Floats:
        """(edges,) by how much the right segment lies above the left one."""
        return self.held[self.segments.right] - self.held[self.segments.left]

    @property
    def open(self) -> Marks:
        """(edges,) whether they may go: not the last one of a block that has to stay, and none of a fixed block."""
        stays = self.fixed | (self.kept & (self.left_over == 2))
        parted = self.host[self.segments.left] != self.host[self.segments.right]
        open_: Marks = self.possible & parted & ~stays[self.segments.block[self.segments.left]]
        return open_

    @property
    def small(self) -> Marks:
        """(edges,) whether one of the two segments has too few rows."""
        small: Marks = np.minimum(self.count[self.segments.left], self.count[self.segments.right]) < self.min_count
        return small

    def allowed(self) -> bool:
        """Whether the card is one whose steps have the rows that are asked, as far as any may be put together."""
        return not (self.small & self.open).any()

    def card(self) -> Card:
        """The card as it is."""
        on_card = self.left_over > 1
        return Card(len(self.order), self.distance + self.lost, int(self.left_over[on_card].sum()), int(on_card.sum()))

    def merge_cheapest(self) -> bool:
        """Put the two segments together that cost least; False if none may be."""
        open_ = self.open
        if not open_.any():
            return False
        block = self._block
        costs = np.where(np.isnan(self.bent), 0.5 * self.gaps**2 / self.inverse.variance, self.bent)
        weighed = np.where(self.small, _SMALL, 1.0)
        new = {place for place, line in self.lines.items() if line.bend}
        while True:
            edge = int(np.argmin(np.where(open_, costs * weighed, np.inf)))
            if block[edge] not in new:
                break
            self._weigh_bent(int(block[edge]))
            costs = np.where(np.isnan(self.bent), costs, self.bent)
            new.remove(block[edge])
        self._merge(edge)
        self.settle()
        return True

    def _weigh_bent(self, block: int) -> None:
        """What edges cost of a block that is convex or concave, as its steps then may be; trends of others are left."""
        own = np.flatnonzero(self.segments.block == block)
        inverse, level = self.inverse.matrix()[np.ix_(own, own)], self.level[own]
        line = replace(self.lines[block], steps=self.lines[block].steps - own[0])
        before = held(inverse, level, line.inequalities).lost
        for edge in np.flatnonzero(self.open & (self._block == block)).tolist():
            a, b = (int(side[edge]) - int(own[0]) for side in (self.segments.left, self.segments.right))
            joined = _joined(inverse, level, a, b)
            after = line if self.segments.apart[edge] else line.without(b)
            self.bent[edge] = joined.cost + held(joined.inverse, joined.level, after.inequalities).lost - before

    def settle(self) -> None:
        """Move values to where they are best with trends; steps that one of these holds together become one."""
        while True:
            asked = Inequalities.of_all(line.inequalities for line in self._asked())
            if (asked.times(self.level) >= 0).all():
                self.held, self.lost = self.level, 0.0
                break
            best = held(self.inverse.matrix(), self.level, asked)
            self.held, self.lost = best.values, best.lost
            together = asked.joining & ((best.force > 0) | (asked.times(best.values) < 0))
            if not together.any():
                break
            for step in asked.at[together, 1].tolist():
                if self._binds(int(self.segments.block[step])):
                    self._merge(int(np.flatnonzero((self.segments.right == step) & ~self.segments.apart)[0]))

    def _asked(self) -> Iterator[Line]:
        """What is asked of steps; two that are left may be in either order where nobody said so."""
        return (line for block, line in self.lines.items() if self._binds(block))

    def _binds(self, block: int) -> bool:
        return bool(self.asked[block] or self.left_over[block] > 2)

    @property
    def _block(self) -> Ints:
        return self.segments.block[self.segments.left]

    def _merge(self, edge: int) -> None:
        """Put the two segments of an edge together, and move all values to where they are then best."""
        a, b = int(self.segments.left[edge]), int(self.segments.right[edge])
        block, gap = int(self.segments.block[a]), float(self.level[b] - self.level[a])
        self.distance += 0.5 * gap**2 / float(self.inverse.variance[edge])
        self.level = self.level + self.inverse.without(edge) * gap
        together = (self.host == self.host[a]) | (self.host == self.host[b])
        self.count[together] = self.count[a] + self.count[b]
        self.host[together] = self.host[b]
        self.left_over[block] -= 1
        self.order.append(edge)
        if self.segments.apart[edge]:  # a special value is where it is; it makes no neighbours of others
            self.possible &= ~(self.segments.apart & (self.segments.left == a))
        elif block in self.lines:
            self.lines[block] = self.lines[block].without(b)


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """What becomes of the metric and of the best values where two of these are made equal, and what that costs."""

    inverse: Floats
    level: Floats
    cost: float


def _joined(inverse: Floats, level: Floats, a: int, b: int) -> _Joined:
    direction = inverse[:, a] - inverse[:, b]
    variance, gap = max(float(direction[a] - direction[b]), _LEAST_VARIANCE), float(level[b] - level[a])
    return _Joined(
        inverse=inverse - np.outer(direction, direction / variance),
        level=level + direction * (gap / variance),
        cost=0.5 * gap**2 / variance,
    )
