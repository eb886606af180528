"""Rows in bins, read in passes and only to be added up; sums are the same in every order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from scrutable.data import BinSums, Chunk, CodedRows, PairSums, Sums, Total, Unit
from scrutable_additive.families import Family, Losses
from scrutable_additive.measuring import LEVELLED, Measure
from scrutable_additive.recoded import Block, recoded
from scrutable_additive.standing import Standing

Floats = NDArray[np.float64]

_SETTLING = 50
#: Digits that sums of curvatures have less than others.
_SPARED = 9

#: (K,) values of bins, and the score where all of them are 0.
Values = tuple[Floats, float]


@dataclass(frozen=True, slots=True, eq=False)
class Part(Chunk):
    """Some rows.

    Parameters
    ----------
    every : (p, m) bins of all blocks that were coded.
    offset : (m,) scores where all values and the intercept are 0, or 0.
    """

    every: NDArray[Any]
    offset: Floats | float


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The loss of all rows at their scores, minus the logarithm of the likelihood, and what it does nearby.

    Parameters
    ----------
    loss : sum over the rows, by weight.
    residual : (K,) sums by bin of weight times the gradient of −loss in the score.
    curvature : (K,) of weight times the second derivative.
    upwards, total : sums of both over all rows.
    """

    loss: float
    residual: Floats
    curvature: Floats
    upwards: float
    total: float

    def times(self, factor: float) -> Point:
        """That of so many times the loss."""
        return Point(
            factor * self.loss,
            factor * self.residual,
            factor * self.curvature,
            factor * self.upwards,
            factor * self.total,
        )


@dataclass(eq=False)
class Rows(CodedRows):
    """n rows, each in one bin of each of p blocks; the K bins of all blocks stand one after another.

    Parameters
    ----------
    coded : the rows, wherever they live.
    blocks : made of those that were coded.
    family : how well scores tell the target.
    standing : a scorecard to whose log-odds scores of the bins are added.
    """

    coded: CodedRows
    blocks: tuple[Block, ...]
    family: Family
    standing: Standing | None = None

    def __post_init__(self) -> None:
        coded, sizes = self.coded, [each.size for each in self.blocks]
        super().__init__(sizes, coded.rows, coded.weights, coded.total_weight)

    def chunks(self) -> Iterator[Part]:
        """All rows, with the target as the family takes it."""
        for chunk in self.coded.chunks():
            offset = 0.0 if self.standing is None else self.standing.scores(chunk.codes)
            target = self.family.told(chunk.target)
            yield Part(recoded(self.blocks, chunk.codes), target, chunk.weight, chunk.codes, offset)

    def only(self, kept: Sequence[int]) -> Self:
        """The rows in the bins of some of the blocks."""
        return self.within(self.blocks[place] for place in kept)

    def beside(self, block: Block) -> Self:
        """The rows with one block more."""
        return self.within([*self.blocks, block])

    def within(self, blocks: Iterable[Block]) -> Self:
        """The rows in the bins of other blocks."""
        return replace(self, blocks=tuple(blocks))

    def scores(self, part: Part, values: Floats, intercept: float) -> Floats:
        """(m,) scores, log-odds of the favourable outcome or the like, for (K,) values of the bins."""
        return self.score(part, values, intercept) + part.offset

    def farthest(self, values: Floats, intercept: float) -> float:
        return super().farthest(values, intercept) + (0.0 if self.standing is None else self.standing.farthest)

    def losses(self, part: Part, values: Floats, intercept: float) -> Losses:
        """The losses of some rows for these values of the bins."""
        return self.family.at(self.scores(part, values, intercept), part.target)

    def at(self, values: Floats, intercept: float) -> Point:
        """The loss for these values of the bins, in one pass."""
        bounds = self.family.bounds(self.farthest(values, intercept))
        loss, residual = self.total(bounds.lost, fine=True), self.bin_sums(bounds.residual)
        coarse = self._coarse(bounds.curvature)  # of the total, too, which the bins of a block add up to
        upwards, total = self.total(bounds.residual), Total(coarse, ())
        curvature = BinSums(coarse, (self.size,))

        def amounts(part: Part) -> list[Floats]:
            own = self.losses(part, values, intercept)
            return [own.lost, own.residual, own.curvature, own.residual, own.curvature]

        self.weigh_up([loss, upwards, total, residual, curvature], amounts)
        return Point(float(loss.values), residual.values, curvature.values, float(upwards.values), float(total.values))

    def curvature(self, values: Floats, intercept: float) -> Floats:
        """(K, K) sums of the curvature by pair of bins, in one pass."""
        bounds = self.family.bounds(self.farthest(values, intercept))
        pairs = PairSums(self._coarse(bounds.curvature), (self.size, self.size))
        self.weigh_up([pairs], lambda part: [self.losses(part, values, intercept).curvature])
        return pairs.values

    def measures(self, cards: Sequence[Values]) -> list[Measure]:
        """How good the scores of each of several cards are, counted in one pass."""
        measures = [self.family.measure(self, self.farthest(*card)) for card in cards]
        for part in self.chunks():
            for each, card in zip(measures, cards, strict=True):
                each.add(self.scores(part, *card), part.target, part.weight)
        return measures

    def levelled(self, values: Floats, intercept: float) -> float:
        """What added to the intercept lets scores expect as much of the target as there is.

        Begun where scores by level have it, and by then mostly done.
        """
        [measure] = self.measures([(values, intercept)])
        moved = measure.level()
        for _ in range(_SETTLING):
            at = intercept + moved
            bounds = self.family.bounds(self.farthest(values, at))
            sums = upwards, total = self.total(bounds.residual), self.total(bounds.curvature)

            def amounts(part: Part, at: float = at) -> list[Floats]:
                own = self.losses(part, values, at)
                return [own.residual, own.curvature]

            self.weigh_up(sums, amounts)
            if abs(upwards.values) <= LEVELLED * self.amount:
                break
            moved += float(upwards.values) / max(float(total.values), abs(float(upwards.values)) / 2)  # 2 at most
        return moved

    def weigh_up(self, sums: Sequence[Sums], amounts: Callable[[Part], Sequence[Floats]]) -> None:
        """As of `CodedRows`, whose chunks are parts."""
        super().weigh_up(sums, cast("Callable[[Chunk], Sequence[Floats]]", amounts))

    def by_bin(self, amounts: Callable[[Part], Floats], largest: float = 1.0) -> Floats:
        """(K,) sums by bin of amounts of rows of weight 1, none beyond `largest`."""
        sums = self.bin_sums(largest)
        self.weigh_up([sums], lambda part: [amounts(part)])
        return np.asarray(sums.values)

    def _coarse(self, largest: float) -> Unit:
        """Of what curvatures are multiples: their sums are below 2^53, and what light rows have beside heavy ones goes.

        Steps need no more digits, which half of the time is spared by.
        """
        return Unit((self.unit(largest).exponents[0] + _SPARED,))

    @cached_property
    def amount(self) -> float:
        """Weight of all rows, by the factors of the family."""
        if self.family.factors == (1.0, 1.0):
            return self.total_weight
        total = self.total(max(self.family.factors))
        self.weigh_up([total], lambda part: [self.family.factor(part.target)])
        return float(total.values)
