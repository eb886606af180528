"""What the search knows of a feature: two sums for each of its pre-bins, and what attributes made of them are worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]


@lru_cache(maxsize=64)
def upper(k: int) -> Marks:
    """(k, k) whether i <= j, read-only."""
    marks = np.triu(np.ones((k, k), dtype=bool))
    marks.setflags(write=False)
    return marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How many attributes there may be, and how large each must be.

    Parameters
    ----------
    max_bins : most attributes.
    weight : least weight of its rows.
    events : least weight of its good rows, and of its bad ones.
    """

    max_bins: int
    weight: float = 0.0
    events: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally(ABC):
    """Pre-bins in their order; rows are not needed.

    Parameters
    ----------
    sums : (k, 2) sums of each pre-bin.
    unit : weight of an average row; figures about numbers of rows are weights in this unit.
    """

    sums: Floats
    unit: float = 1.0

    @abstractmethod
    def weight(self, sums: Floats) -> Floats:
        """(...) weights of the rows behind (..., 2) sums."""

    @abstractmethod
    def rate(self, sums: Floats) -> Floats:
        """(...) good rates or means, not a number where there is no row."""

    @abstractmethod
    def gain(self, sums: Floats) -> Floats:
        """(...) what attributes with these sums add to the objective."""

    @abstractmethod
    def allowed(self, sums: Floats, sizes: Sizes) -> Marks:
        """(...) whether attributes with these sums are large enough."""

    @abstractmethod
    def deviance(self, sums: Floats) -> float:
        """Minus twice the log-likelihood of the rows, in units of average rows, where each attribute has its rate."""

    def merged(self, borders: NDArray[np.intp]) -> Self:
        """The tally of attributes; `borders` are the pre-bins that open the second and the later ones."""
        return replace(self, sums=self.merged_sums(borders))

    def merged_sums(self, borders: NDArray[np.intp]) -> Floats:
        """(attributes, 2) sums of the tally of attributes."""
        merged: Floats = np.add.reduceat(self.sums, np.concatenate([[0], borders]), axis=0)
        return merged

    def ordered(self, order: NDArray[np.intp]) -> Self:
        """The pre-bins in another order."""
        return replace(self, sums=self.sums[order])

    def rates(self) -> Floats:
        """(k,) rates of the pre-bins."""
        return self.rate(self.sums)

    def value(self) -> float:
        """The objective, each pre-bin being an attribute."""
        return float(self.gain(self.sums).sum())

    def intervals(self) -> Floats:
        """(k, k, 2) sums of the pre-bins i to j, both included; 0 where j < i.

        Summed from i on, not as differences of running sums, so that a sum of zeros is zero for any weights.
        """
        return np.cumsum(np.where(upper(len(self.sums))[:, :, None], self.sums[None], 0.0), axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeTally(Tally):
    """Weights of bad and of good rows. The objective is the information value.

    An attribute adds (good share − bad share) · WoE, as a binning table states it; one that is pure has the WoE that
    the pseudo-count gives it.

    Parameters
    ----------
    totals : weights of all bad and all good rows of the data, missing values and special codes among them.
    pseudo : added to both sums of a pure attribute for its WoE.
    """

    totals: tuple[float, float]
    pseudo: float = 0.5

    def weight(self, sums: Floats) -> Floats:
        weight: Floats = sums[..., 0] + sums[..., 1]
        return weight

    def rate(self, sums: Floats) -> Floats:
        # Quotients of whole numbers below 2^26 are in the order of their cross products: two different ones are further
        # apart than the doubles around them. Above, rounding can make different rates equal but never swaps them.
        with np.errstate(invalid="ignore"):
            rate: Floats = sums[..., 1] / self.weight(sums)
        return rate

    def gain(self, sums: Floats) -> Floats:
        shares = sums / np.array(self.totals)
        pure = (sums[..., 0] > 0) != (sums[..., 1] > 0)
        smoothed = (sums + self.pseudo * pure[..., None]) / np.array(self.totals)
        with np.errstate(divide="ignore", invalid="ignore"):
            woe = np.log(smoothed[..., 1]) - np.log(smoothed[..., 0])
        gain: Floats = np.maximum(0.0, (shares[..., 1] - shares[..., 0]) * woe)
        return np.where(self.weight(sums) > 0, gain, 0.0)

    def allowed(self, sums: Floats, sizes: Sizes) -> Marks:
        large: Marks = (self.weight(sums) >= sizes.weight) & (np.minimum(sums[..., 0], sums[..., 1]) >= sizes.events)
        return large

    def deviance(self, sums: Floats) -> float:
        share = sums / self.weight(sums)[..., None]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(sums > 0, sums * np.log(share), 0.0)
        return float(-2 * parts.sum() / self.unit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantityTally(Tally):
    """Weights and sums of deviations from the overall mean. The objective is the variance that the means explain.

    An attribute adds its weight times the square of its mean deviation: the part of the sum of squares that lies
    between attributes.

    Parameters
    ----------
    squares : sum of all squared deviations of the rows behind the pre-bins.
    """

    squares: float

    def weight(self, sums: Floats) -> Floats:
        return sums[..., 0]

    def rate(self, sums: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            rate: Floats = sums[..., 1] / sums[..., 0]
        return rate

    def gain(self, sums: Floats) -> Floats:
        return np.where(sums[..., 0] > 0, sums[..., 1] * self.rate(sums), 0.0)

    def allowed(self, sums: Floats, sizes: Sizes) -> Marks:
        large: Marks = sums[..., 0] >= sizes.weight
        return large

    def deviance(self, sums: Floats) -> float:
        within = max(self.squares - float(self.gain(sums).sum()), np.finfo(float).tiny)
        return float(sums[..., 0].sum() / self.unit * np.log(within))
