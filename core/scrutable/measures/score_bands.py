"""Bands of the score that are fixed on the baseline, and how the score is distributed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Bools, Floats
from scrutable.measures.edges import equal_shares
from scrutable.writing.decimals import decimal, decimals_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBands:
    """Bands of the score, lower end included; who is declined anyway is in a band of their own.

    Of segments, whose scores may be on scales of their own, they are bands of the probability: see
    `Evaluation.ranking`.

    Parameters
    ----------
    cuts : rising scores between the bands; not needed where all scores are equal.
    declined_anyway : whether there is a last band, of those whom a knock-out or an override declines.
    """

    cuts: tuple[float, ...]
    declined_anyway: bool

    @classmethod
    def fixed_on(cls, scores: Floats, weights: Floats, bands: int, *, declined_anyway: bool) -> ScoreBands:
        """Bands with about the same share of the scores each.

        Equal scores share a band, so there may be fewer bands than asked for.

        >>> ScoreBands.fixed_on(np.array([1.0, 2.0, 2.0, 3.0]), np.ones(4), 2, declined_anyway=True).names
        ['below 3', '3 or more', 'declined anyway']
        """
        return cls(cuts=equal_shares(scores, weights, bands), declined_anyway=declined_anyway)

    @property
    def names(self) -> list[str]:
        """Names of the bands, as few decimals as tell the cuts apart."""
        places = decimals_apart(self.cuts, 0)
        ends = [-math.inf, *self.cuts, math.inf]
        names = [_between(low, high, places) for low, high in pairwise(ends)]
        return [*names, "declined anyway"] if self.declined_anyway else names

    def index(self, scores: Floats, knocked_out: Bools) -> NDArray[np.intp]:
        """(n,) band of each row."""
        bands = np.searchsorted(self.cuts, scores, side="right")
        return np.where(knocked_out, len(self.cuts) + 1, bands) if self.declined_anyway else bands


def _between(low: float, high: float, places: int) -> str:
    if math.isinf(low):
        return "all" if math.isinf(high) else f"below {decimal(high, places)}"
    return (
        f"{decimal(low, places)} or more" if math.isinf(high) else f"{decimal(low, places)} to {decimal(high, places)}"
    )
