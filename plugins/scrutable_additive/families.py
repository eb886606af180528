"""What is fitted: the outcome of two classes by its log-odds, or a quantity by its mean."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Chunk, CodedRows
from scrutable_additive.measuring import Measure, OddsMeasure, SquaresMeasure

Floats = NDArray[np.float64]

#: Least dispersion, a ten-thousandth of the variance: a fit that is exact would else have strengths of nothing.
_LEAST_DISPERSION = 4e-4


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The loss of m rows of weight 1 at their scores, minus the logarithm of the likelihood, and what it does nearby.

    Parameters
    ----------
    lost : (m,) loss.
    residual : (m,) gradient of −loss in the score.
    curvature : (m,) second derivative.
    """

    lost: Floats
    residual: Floats
    curvature: Floats


@dataclass(frozen=True, slots=True)
class Bounds:
    """What loss, residual and curvature of no row of weight 1 are beyond."""

    lost: float
    residual: float
    curvature: float


class Family(ABC):
    """How well scores tell the target of rows."""

    #: Whether the dispersion is estimated; the curvature is then the same at every score.
    dispersed: ClassVar[bool]
    #: Name of the figure by which scores are compared.
    compared_by: ClassVar[str]
    #: By what losses of rows with the target 0 and the target 1 are multiplied.
    factors: tuple[float, float] = (1.0, 1.0)

    @abstractmethod
    def told(self, values: Floats) -> Floats:
        """(m,) targets of rows, by what the rows hold."""

    @abstractmethod
    def at(self, score: Floats, target: Floats) -> Losses:
        """The losses of m rows at (m,) scores."""

    def factor(self, target: Floats) -> Floats:
        """(m,) by what losses of rows are multiplied, beside their weight."""
        return np.where(target > 0, self.factors[1], self.factors[0])

    def plain(self) -> Self:
        """The family without such factors."""
        return self

    @abstractmethod
    def bounds(self, farthest: float) -> Bounds:
        """Bounds of the losses, where no score is beyond this."""

    @abstractmethod
    def measure(self, rows: CodedRows, farthest: float) -> Measure:
        """What is counted of scores, none of which is beyond this."""

    @abstractmethod
    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        """The family with the dispersion that restricted maximum likelihood asks for.

        Parameters
        ----------
        loss : of the rows, by the dispersion of now.
        parameters : how many the data determine.
        total : weight of the rows.
        """


@dataclass(frozen=True, slots=True)
class Bernoulli(Family):
    """Two classes: the target is 1 for a favourable outcome and 0 for the other, and scores are log-odds.

    Parameters
    ----------
    factors : by what losses of rows with the target 0 and the target 1 are multiplied.
    """

    dispersed: ClassVar[bool] = False
    compared_by: ClassVar[str] = "auc"

    factors: tuple[float, float] = (1.0, 1.0)

    def told(self, values: Floats) -> Floats:
        return values

    def at(self, score: Floats, target: Floats) -> Losses:
        # p and 1 − p are each computed without a subtraction, so that rare outcomes keep all their digits.
        odds = np.exp(-np.abs(score))
        likely, rare = 1.0 / (1.0 + odds), odds / (1.0 + odds)
        wrong = (score >= 0) != (target > 0)
        missed = np.where(wrong, likely, rare)
        lost = np.log1p(odds) + np.where(wrong, np.abs(score), 0.0)
        losses = lost, np.where(target > 0, missed, -missed), likely * rare
        if self.factors != (1.0, 1.0):
            losses = (factor := self.factor(target)) * losses[0], factor * losses[1], factor * losses[2]
        return Losses(*losses)

    def plain(self) -> Self:
        return replace(self, factors=(1.0, 1.0))

    def bounds(self, farthest: float) -> Bounds:
        most = max(self.factors)
        return Bounds(most * (math.log(2) + farthest), most, 0.25 * most)

    def measure(self, rows: CodedRows, farthest: float) -> Measure:
        return OddsMeasure(rows, farthest, self.factors)

    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Gaussian(Family):
    """A quantity by squared error: target and scores count from its mean, in half standard deviations.

    So a row tells about as much of its score as one of two classes does of its log-odds, 1/4 where nothing else is
    known, and what is known beforehand of strengths means about as much.

    Parameters
    ----------
    centre, unit : mean and half of the standard deviation of the quantity.
    largest : what no target is beyond, whatever its sign.
    dispersion : φ, the variance of the target beside its score; the loss is ½ Σ weight · (target − score)² / φ.
    """

    dispersed: ClassVar[bool] = True
    compared_by: ClassVar[str] = "r2"

    centre: float
    unit: float
    largest: float
    dispersion: float = 4.0

    @classmethod
    def of(cls, rows: CodedRows) -> Self:
        """The family of the quantity of rows, before anything is known of it."""
        low, high = _ends(rows)
        largest = max(abs(low), abs(high))
        amount, square = rows.total(largest), rows.total((high - low) ** 2)
        rows.weigh_up([amount], lambda chunk: [chunk.target])
        centre = min(max(float(amount.values) / rows.total_weight, low), high)
        rows.weigh_up([square], lambda chunk: [(chunk.target - centre) ** 2])
        unit = math.sqrt(float(square.values) / rows.total_weight) / 2 if low < high else 1.0
        return cls(centre, unit, max(high - centre, centre - low) / unit)

    def told(self, values: Floats) -> Floats:
        return (values - self.centre) / self.unit

    def at(self, score: Floats, target: Floats) -> Losses:
        away = target - score
        precision = np.full(len(away), 1.0 / self.dispersion)
        return Losses(0.5 * precision * away**2, precision * away, precision)

    def bounds(self, farthest: float) -> Bounds:
        away = self.largest + farthest
        return Bounds(away**2 / self.dispersion, away / self.dispersion, 1.0 / self.dispersion)

    def measure(self, rows: CodedRows, farthest: float) -> Measure:
        return SquaresMeasure(rows, farthest, self.largest, self.unit)

    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        """φ is Σ weight · (target − score)² over the weight that the parameters leave, at least half of all."""
        squares = 2.0 * self.dispersion * loss
        return replace(self, dispersion=max(squares / max(total - parameters, total / 2), _LEAST_DISPERSION))


def _ends(rows: CodedRows) -> tuple[float, float]:
    """The least and the largest quantity of rows of some weight."""

    def seen(chunk: Chunk) -> Floats:
        return chunk.target[chunk.weight > 0]

    ends = [(float(own.min()), float(own.max())) for own in map(seen, rows.chunks()) if len(own)]
    return min(low for low, _ in ends), max(high for _, high in ends)
