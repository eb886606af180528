"""What is fitted: the outcome of two classes by its log-odds, or a quantity by its mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_bincount, exact_sum

Floats = NDArray[np.float64]

#: Decimals of log-odds to which rows are apart.
_DIGITS = 9
#: Least dispersion, a ten-thousandth of the variance: a fit that is exact would else have strengths of nothing.
_LEAST_DISPERSION = 4e-4


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The loss of rows at their scores, minus the logarithm of the likelihood, and what it does nearby.

    Parameters
    ----------
    loss : sum over the rows, by weight.
    residual : (n,) weight times the gradient of −loss in the score.
    curvature : (n,) weight times the second derivative.
    """

    loss: float
    residual: Floats
    curvature: Floats


class Family(ABC):
    """How well scores tell the target of rows."""

    #: Whether the dispersion is estimated; the curvature is then the same at every score.
    dispersed: ClassVar[bool]
    #: Name of the figure by which scores are compared; that of `merit`.
    compared_by: ClassVar[str]

    @abstractmethod
    def at(self, score: Floats, target: Floats, weight: Floats) -> Point:
        """The loss at (n,) scores."""

    @abstractmethod
    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        """The family with the dispersion that restricted maximum likelihood asks for.

        Parameters
        ----------
        loss : of the rows, by the dispersion of now.
        parameters : how many the data determine.
        total : weight of the rows.
        """

    @abstractmethod
    def merit(self, score: Floats, target: Floats, weight: Floats) -> float:
        """How good (n,) scores are, whatever is added to all of them; higher where they are better."""

    @abstractmethod
    def measured(self, score: Floats, target: Floats, weight: Floats) -> dict[str, float]:
        """How good scores are, by name; the first one is higher where they are better."""


@dataclass(frozen=True, slots=True)
class Bernoulli(Family):
    """Two classes: the target is 1 for a favourable outcome and 0 for the other, and scores are log-odds."""

    dispersed: ClassVar[bool] = False
    compared_by: ClassVar[str] = "auc"

    def at(self, score: Floats, target: Floats, weight: Floats) -> Point:
        # p and 1 − p are each computed without a subtraction, so that rare outcomes keep all their digits.
        odds = np.exp(-np.abs(score))
        likely, rare = 1.0 / (1.0 + odds), odds / (1.0 + odds)
        above = score >= 0
        p, complement = np.where(above, likely, rare), np.where(above, rare, likely)
        lost = np.log1p(odds) + np.maximum(score, 0.0) - target * score
        residual = np.where(target > 0, complement, -p)
        return Point(exact_sum(weight * lost), weight * residual, weight * likely * rare)

    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        return self

    def merit(self, score: Floats, target: Floats, weight: Floats) -> float:
        """Area under the ROC curve.

        A library's takes many times as long to check what it is given, and there are a dozen cards; summed by distinct
        score, it is the same in every order of the rows.
        """
        levels, place = np.unique(np.round(score, _DIGITS), return_inverse=True)
        good = exact_bincount(place, weight * target, len(levels))
        bad = exact_bincount(place, weight * (1 - target), len(levels))
        share = float(good @ (np.cumsum(bad) - bad / 2)) / float(good.sum() * bad.sum())
        return min(share, 1.0)  # rounding of sums may lead a little beyond

    def measured(self, score: Floats, target: Floats, weight: Floats) -> dict[str, float]:
        """Area under the ROC curve, and mean log-loss."""
        log_loss = self.at(score, target, weight).loss / exact_sum(weight)
        return {"auc": self.merit(score, target, weight), "log_loss": log_loss}


@dataclass(frozen=True, slots=True)
class Gaussian(Family):
    """A quantity by squared error: target and scores count from its mean, in half standard deviations.

    So a row tells about as much of its score as one of two classes does of its log-odds, 1/4 where nothing else is
    known, and what is known beforehand of strengths means about as much.

    Parameters
    ----------
    centre, unit : mean and half of the standard deviation of the quantity.
    dispersion : φ, the variance of the target beside its score; the loss is ½ Σ weight · (target − score)² / φ.
    """

    dispersed: ClassVar[bool] = True
    compared_by: ClassVar[str] = "r2"

    centre: float
    unit: float
    dispersion: float = 4.0

    @classmethod
    def of(cls, values: Floats, weight: Floats) -> Self:
        """The family of a quantity, before anything is known of it."""
        total = exact_sum(weight)
        centre = exact_sum(weight * values) / total
        variance = exact_sum(weight * (values - centre) ** 2) / total
        constant = not np.ptp(values[weight > 0])
        return cls(centre, 1.0 if constant else float(np.sqrt(variance)) / 2)

    def counted(self, values: Floats) -> Floats:
        """(n,) values of the quantity as a target."""
        return (values - self.centre) / self.unit

    def at(self, score: Floats, target: Floats, weight: Floats) -> Point:
        away, precision = target - score, weight / self.dispersion
        return Point(0.5 * exact_sum(precision * away**2), precision * away, precision)

    def estimated(self, loss: float, parameters: float, total: float) -> Self:
        """φ is Σ weight · (target − score)² over the weight that the parameters leave, at least half of all."""
        squares = 2.0 * self.dispersion * loss
        return replace(self, dispersion=max(squares / max(total - parameters, total / 2), _LEAST_DISPERSION))

    def merit(self, score: Floats, target: Floats, weight: Floats) -> float:
        """R²."""
        level = exact_sum(weight * (target - score)) / exact_sum(weight)
        return self.measured(score + level, target, weight)["r2"]

    def measured(self, score: Floats, target: Floats, weight: Floats) -> dict[str, float]:
        """R², and the root mean squared error in the unit of the quantity."""
        total = exact_sum(weight)
        error = exact_sum(weight * (target - score) ** 2) / total
        variance = exact_sum(weight * target**2) / total
        return {"r2": 1.0 - error / variance if variance else 0.0, "rmse": self.unit * float(np.sqrt(error))}
