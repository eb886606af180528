"""The path of cards: from many steps to none, each card being the one before with two steps put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.elimination import Card, Elimination
from scrutable_additive.layout import Layout
from scrutable_additive.lines import Inequalities, Line, nearest
from scrutable_additive.metric import Metric
from scrutable_additive.segments import NOBODY, Segments, summed_by

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Nested cards, from the one of most steps to the one of fewest.

    Parameters
    ----------
    segments : of the first card, of which there are L.
    matrix, wanted : (L, L) and (L,) as `Segments.summed` has them.
    order : the edges in the order in which they went.
    cards : the cards whose steps have the rows that are asked.
    """

    metric: Metric
    layouts: tuple[Layout, ...]
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
        """(K,) values of the bins: as near to the dense fit as the steps of the card and their trends allow."""
        return self.steps(card).values(self.layouts)

    def solved(self, card: Card) -> Solved:
        """The steps of a card with these values."""
        return self.steps(card).solved(self.layouts)

    def steps(self, card: Card) -> Steps:
        """The steps of a card, to be solved for once or with several trends."""
        host = self.segments.joined(self.order[: card.merged])
        rows, place = summed_by(host, self.matrix)
        matrix, _ = summed_by(host, rows.T)
        wanted, _ = summed_by(host, self.wanted[:, None])
        return Steps(self.segments, host, place, matrix, wanted[:, 0])


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The L steps of a card, made of the segments of the first one.

    Parameters
    ----------
    host, place : what each segment has become, and the number of its step.
    matrix, wanted : (L, L) and (L,) as `Segments.summed` has them, summed by step.
    """

    segments: Segments
    host: Ints
    place: Ints
    matrix: Floats
    wanted: Floats

    def values(self, layouts: Sequence[Layout]) -> Floats:
        """(K,) values of the bins: as near to the dense fit as the steps and the trends of layouts allow."""
        solved = self.solved(layouts)
        return np.append(solved.values, 0.0)[solved.of_bin]  # NOBODY is the last

    def solved(self, layouts: Sequence[Layout]) -> Solved:
        """The steps with these values."""
        lines = tuple(replace(each, steps=self.place[each.steps]) for each in self.segments.lines(layouts, self.host))
        return Solved(
            values=_solution(self.matrix, self.wanted, lines),
            matrix=self.matrix,
            of_bin=np.append(self.place, NOBODY)[self.segments.of_bin],  # NOBODY is the last
            block=self.segments.block[np.unique(self.host)],
            lines=lines,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """The L steps of a card.

    Parameters
    ----------
    values : (L,) those that are best of all that trends allow.
    matrix : (L, L) the metric.
    of_bin : (K,) step of each bin, or `NOBODY`.
    block : (L,) block of each.
    lines : what is asked of them.
    """

    values: Floats
    matrix: Floats
    of_bin: Ints
    block: Ints
    lines: tuple[Line, ...]


def _solution(matrix: Floats, wanted: Floats, lines: Sequence[Line]) -> Floats:
    """(L,) values v on all lines of which ½ vᵀ M v − wanted·v is least."""
    values: Floats = np.linalg.solve(matrix, wanted).astype(np.float64)
    asked = Inequalities.of_all(line.inequalities for line in lines)
    if (asked.times(values) >= 0).all():
        return values
    return nearest(np.linalg.inv(matrix).astype(np.float64), values, lines)


def path_from(values: Floats, metric: Metric, layouts: Sequence[Layout], min_count: float) -> Path:
    """Put together the two steps that cost least, again and again.

    The cost is what the distance grows by when all values move to where they are then best: ½ (a − b)² / var(a − b)
    under the inverse of the metric, which is updated by a matrix of rank one (backward elimination). Where trends hold
    values away from where they would be, a and b are those that the trends allow. Two steps that one of them holds
    together are one from then on.

    Parameters
    ----------
    values : (K,) of the first card.
    min_count : least rows of a step; smaller ones are put together before others.
    """
    segments = Segments.of(values, layouts)
    matrix, wanted = segments.summed(metric)
    search = Elimination.of(segments, (matrix, wanted), metric.total, layouts, min_count)
    search.settle()
    cards = [search.card()] if search.allowed() else []
    while search.merge_cheapest():
        if search.allowed():
            cards.append(search.card())
    return Path(metric, tuple(layouts), segments, matrix, wanted, tuple(search.order), tuple(cards))
