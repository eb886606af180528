"""Small cards of whole points: the best set of jumps, and the whole sizes of these, by the loss of the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.choice import Choice
from scrutable_additive.exchange import ChosenJumps, Exchange
from scrutable_additive.jumps import Jumps, Limits
from scrutable_additive.levels import Levels
from scrutable_additive.metric import Metric
from scrutable_additive.multiples import Allowed, whole_sizes
from scrutable_additive.patterns import Multiples, probability
from scrutable_additive.segments import NOBODY, summed_by
from scrutable_additive.solution import Solution
from scrutable_additive.tallies import Part, Rows
from scrutable_additive.whole import Whole

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Sets of jumps that are given whole sizes, those of least loss before rounding.
_SETS = 40
#: Jumps that a small card has at most, and points of an attribute.
MOST_JUMPS, MOST_POINTS = 10, 10


@dataclass(frozen=True, slots=True, eq=False)
class SmallCard:
    """A set of jumps and its whole sizes.

    Parameters
    ----------
    chosen : the jumps, with real sizes.
    whole : the whole sizes, one of them.
    """

    chosen: ChosenJumps
    whole: Multiples

    def levels(self, jumps: Jumps, metric: Metric) -> Levels:
        """The steps, with the real sizes; what trends ask is kept by then."""
        of_bin, block = jumps.partition(self.chosen.jumps)
        used = np.flatnonzero(of_bin != NOBODY)
        rows, _ = summed_by(of_bin[used], metric.matrix[used])
        matrix, _ = summed_by(of_bin[used], rows[:, used].T)
        values = self._heights(jumps, of_bin, self.chosen.fit.sizes)
        levels = Levels(values, matrix, of_bin, block, (), np.zeros(len(block), dtype=bool))
        return replace(levels, values=values - levels.averages(values))

    def points(self, jumps: Jumps) -> Whole:
        """The points of the steps; what they lose beside the real sizes is of the loss itself, and has no bound."""
        points = self._heights(jumps, jumps.partition(self.chosen.jumps)[0], self.whole.points[0])
        lost = max(float(self.whole.loss[0]) - self.chosen.fit.loss, 0.0)
        return Whole(points.astype(np.intp), float(self.whole.worth[0]), lost, None)

    def _heights(self, jumps: Jumps, of_bin: Ints, sizes: NDArray[np.number]) -> Floats:
        """(L,) sums of the sizes of the jumps of each step."""
        by_bin = jumps.of_bins(self.chosen.jumps, slice(0, len(of_bin))) @ sizes
        heights = np.zeros(int(of_bin.max(initial=NOBODY)) + 1)
        used = of_bin != NOBODY
        heights[of_bin[used]] = by_bin[used]
        return heights


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a small card beside its size.

    Parameters
    ----------
    most : points of an attribute.
    min_count : least weight of the rows of a step.
    outcomes : whether it fits the outcomes of the rows, or else what the dense fit expects of them.
    """

    most: int
    min_count: float
    outcomes: bool


@dataclass(frozen=True, slots=True, eq=False)
class SmallSteps:
    """A small card by its steps.

    Parameters
    ----------
    levels, whole : the steps, and their points.
    """

    levels: Levels
    whole: Whole


def searched_by_loss(solution: Solution, levels: Levels, asked: Asked, choice: Choice) -> SmallSteps | None:
    """The small card of whole points with at most as many steps as a card of the path; None where that is not small.

    Nothing of it may be said by hand: cuts and merges, features that stay, convex or concave points, pairs, and the
    card itself are kept by the search on the path's own steps.

    Parameters
    ----------
    levels : of the card of the path.
    choice : that by which it was chosen.
    """
    layouts, card = solution.layouts, solution.card
    by_hand = choice.steps is not None or solution.problem.pairs
    if by_hand or any(each.fixed or each.kept or each.bend for each in layouts) or asked.most > MOST_POINTS:
        return None
    if not 0 < card.steps - card.characteristics <= MOST_JUMPS:
        return None
    jumps = Jumps.of(layouts, solution.metric.dense, levels.of_bin)
    limits = Limits(
        jumps=MOST_JUMPS, steps=card.steps, characteristics=choice.max_characteristics, min_count=asked.min_count
    )
    good = _favourable(solution, outcomes=asked.outcomes)
    small = small_card(solution.problem.rows, good, jumps, limits, asked.most)
    return None if small is None else SmallSteps(small.levels(jumps, solution.metric), small.points(jumps))


def _favourable(solution: Solution, *, outcomes: bool) -> Callable[[Part], Floats]:
    """(m,) what part of rows of weight 1 counts as favourable: by outcome, or as much as the dense fit expects."""
    rows, dense = solution.problem.rows, solution.dense
    if outcomes:
        return lambda part: rows.family.factor(part.target) * part.target
    return lambda part: rows.family.factor(part.target) * probability(rows.scores(part, dense.values, dense.intercept))


def small_card(rows: Rows, good: Callable[[Part], Floats], jumps: Jumps, limits: Limits, most: int) -> SmallCard | None:
    """The small card of least log-loss that the search comes to; None where there is none with points.

    Parameters
    ----------
    good : of some rows (m,) what part of those of weight 1 counts as favourable.
    most : how far points of a characteristic are apart at most.
    """
    best: SmallCard | None = None
    for chosen in Exchange(rows, good, jumps, limits).search()[:_SETS]:
        if not len(chosen.jumps) or (best is not None and chosen.fit.loss >= best.whole.loss[0]):
            continue  # whole sizes lose more than real ones
        whole = whole_sizes(chosen, Allowed.of(jumps, chosen.jumps, most))
        if whole is not None and (best is None or whole.loss[0] < best.whole.loss[0]):
            best = SmallCard(chosen, whole)
    return best
