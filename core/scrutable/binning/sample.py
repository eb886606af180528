"""What a binner sees of one feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

from scrutable.binning.tables import Trend
from scrutable.data.exact import exact_bincount
from scrutable.data.features import Value
from scrutable.data.frames.levels import Levels
from scrutable.data.training import TrainingRows
from scrutable.errors import InputError
from scrutable.model import Feature


class NoQuantitiesError(InputError):
    """A binner that is given a quantity, and bins for two classes."""

    def __init__(self, where: str) -> None:
        super().__init__("it bins for two classes, not for a quantity", where=where, got="a continuous target")


@dataclass(frozen=True, slots=True, kw_only=True)
class AllRows:
    """Sums over all rows that have a weight, whatever their values.

    Parameters
    ----------
    weight : of all rows together.
    target : sum of weight times target.
    count : how many there are.
    lightest : weight of the lightest.
    n_features : how many features they have.
    """

    weight: float
    target: float
    count: int
    lightest: float
    n_features: int

    @classmethod
    def of(cls, data: TrainingRows) -> AllRows:
        """Those of training data, the same for every order of the rows."""
        weight = data.weight[data.weight > 0]
        place = np.zeros(len(data.weight), dtype=np.intp)
        return cls(
            weight=float(data.weight.sum()),
            target=float(exact_bincount(place, data.weight * data.target, 1)[0]),
            count=len(weight),
            lightest=float(weight.min()),
            n_features=len(data.columns),
        )

    @property
    def row(self) -> float:
        """Weight of an average row."""
        return self.weight / self.count


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """The ordinary values of one feature (neither missing nor special) and what is known of their rows.

    Parameters
    ----------
    values : (m,) doubles or texts.
    target : (m,) the target in numbers: 1 where the outcome is favourable and 0 elsewhere, or the quantity.
    weight : (m,) sample weights.
    every : what is known of all rows, missing and special ones included.
    trend : the trend asked for.
    continuous : whether the target is a quantity.
    levels : the different ones of the values, or buckets of them, sorted, and which of them each row has.
    """

    feature: Feature
    values: NDArray[Any]
    target: NDArray[np.float64]
    weight: NDArray[np.float64]
    every: AllRows
    trend: Trend | None
    levels: Levels
    continuous: bool = False

    @property
    def total(self) -> float:
        """Weight of all rows of the feature, missing and special ones included."""
        return self.every.weight

    @property
    def good(self) -> NDArray[np.bool_]:
        """(m,) rows with the favourable outcome.

        Raises
        ------
        InputError : the target is a quantity, so a binner that asks for this cannot bin for it.
        """
        if self.continuous:
            raise NoQuantitiesError("binner")
        good: NDArray[np.bool_] = self.target == 1.0
        return good


def distinct(sample: Sample) -> list[Value]:
    """The distinct values of a sample, sorted."""
    values: list[Value] = sample.levels.low.tolist()
    return values


def pooled(cuts: list[float], sample: Sample) -> list[float]:
    """Drop the cuts between neighbours whose rates or means go against the trend (pool adjacent violators)."""
    index = np.searchsorted(cuts, sample.values, side="right")
    weight = np.bincount(index, weights=sample.weight, minlength=len(cuts) + 1)
    total = np.bincount(index, weights=sample.weight * sample.target, minlength=len(cuts) + 1)
    seen = weight > 0
    rate = np.full(len(weight), np.nan)
    rate[seen] = isotonic_regression(
        total[seen] / weight[seen], sample_weight=weight[seen], increasing=sample.trend == "ascending"
    )
    kept, last = [], rate[0]
    for cut, value in zip(cuts, rate[1:], strict=True):
        if not np.isnan(value) and value != last:
            if not np.isnan(last):
                kept.append(cut)
            last = value
    return kept
