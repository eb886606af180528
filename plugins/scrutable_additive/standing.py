"""A scorecard whose log-odds rows have before anything is fitted, as blocks with values that stay."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import AttributeCoding
from scrutable.model import Scorecard
from scrutable_additive.recoded import Block, Coded, Crossed

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The log-odds of a scorecard with a calibration of log-odds, without what its policy adjusts.

    Parameters
    ----------
    codings : of its characteristics, and of both sides of its tables of pairs.
    blocks : of what is coded.
    values : (bins of all blocks,) log-odds.
    intercept : where all of these are 0.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> standing = Standing.of(card())
    >>> len(standing.codings), sum(block.size for block in standing.blocks) == len(standing.values)
    (2, True)
    """

    codings: tuple[AttributeCoding, ...]
    blocks: tuple[Block, ...]
    values: Floats
    intercept: float

    @classmethod
    def of(cls, card: Scorecard, first: int = 0) -> Self:
        """That of a scorecard.

        Parameters
        ----------
        first : number of blocks that are coded before.
        """
        features = {feature.name: feature for feature in card.features}
        alone = [(each.feature, tuple(a.condition for a in each.attributes)) for each in card.characteristics]
        sides = [(axis.feature, axis.conditions) for each in card.interactions for axis in (each.rows, each.columns)]
        codings = [AttributeCoding.of(features[name], conditions) for name, conditions in (*alone, *sides)]
        coded = [Coded(place, coding.size) for place, coding in enumerate(codings, first)]
        pairs = coded[len(alone) :]
        points = [
            *(attribute.points for each in card.characteristics for attribute in each.attributes),
            *(cell for each in card.interactions for cell in each.cells),
        ]
        calibration = card.calibration
        return cls(
            tuple(codings),
            (*coded[: len(alone)], *map(Crossed, pairs[::2], pairs[1::2])),
            calibration.slope * np.array(points, dtype=np.float64),
            calibration.intercept + calibration.slope * card.base_points,
        )

    def scores(self, every: NDArray[Any]) -> Floats:
        """(m,) log-odds of rows, by the (p, m) bins of all blocks that were coded."""
        score = np.full(every.shape[1], self.intercept)
        for block, own in zip(self.blocks, self._parts, strict=True):
            score += own[block.of(every)]
        return score

    @property
    def farthest(self) -> float:
        """What no score is beyond, whatever its sign."""
        return abs(self.intercept) + sum(float(np.abs(own).max()) for own in self._parts)

    @property
    def _parts(self) -> list[Floats]:
        """(bins,) the values of each block."""
        ends = np.cumsum([0, *(each.size for each in self.blocks)]).tolist()
        return [self.values[start:stop] for start, stop in pairwise(ends)]
