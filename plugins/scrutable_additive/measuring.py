"""How good scores of all rows are, by what is counted of them in one pass."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scrutable.data import BinSums, CodedRows, Total, exact_bincount

Floats = NDArray[np.float64]

#: Up to so many rows levels are apart by 2 to the power of this; of more rows there are so many at most.
_FEW_ROWS, _FINE, _MOST_LEVELS = 2**16, -30, 2**18
#: Largest share of the weight by which a level may expect more or less than there is, and most steps to it.
LEVELLED, _SETTLING = 1e-9, 50
#: Bins of rows, of which totals need none.
_NO_CODES, _NO_STARTS = np.zeros((0, 0), np.uint8), np.zeros(1, np.int64)


class Measure(ABC):
    """What is counted of the scores of rows, and how good they are by it."""

    @abstractmethod
    def add(self, score: Floats, target: Floats, weight: Floats) -> None:
        """Count m rows."""

    @abstractmethod
    def level(self, tolerance: float = LEVELLED) -> float:
        """What added to all scores lets them expect as much of the target as there is.

        Parameters
        ----------
        tolerance : by how much more or less at most, as a share of the total weight.
        """

    @abstractmethod
    def merit(self) -> float:
        """How good the scores are, whatever is added to all of them; higher where they are better."""

    @abstractmethod
    def measured(self, added: float = 0.0) -> dict[str, float]:
        """How good scores are with that added to all, by name; the first one is higher where they are better."""


class OddsMeasure(Measure):
    """Log-odds by level and outcome.

    Scores are rounded to levels: of up to 65,536 rows to multiples of 2^-30, of more to 2^18 levels at most, so that no
    more is kept however many rows there are. A score is then off by at most 2^-17 of the farthest, and an area by half
    the share of pairs of rows, one of each outcome, that are of one level.

    Parameters
    ----------
    rows : whose scores they are.
    farthest : what no score is beyond, whatever its sign.
    factors : by what rows of both outcomes count.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> target, weight = np.array([0.0, 1.0, 1.0]), np.ones(3)
    >>> measure = OddsMeasure(CodedArrays([], [], target, weight), 2.0)
    >>> measure.add(np.array([-2.0, 0.5, 2.0]), target, weight)
    >>> measure.merit(), round(measure.level(), 3), measure.measured()["auc"]
    (1.0, 0.901, 1.0)
    """

    def __init__(self, rows: CodedRows, farthest: float, factors: tuple[float, float] = (1.0, 1.0)) -> None:
        self._factors = factors
        self._few, self._exponent = rows.rows <= _FEW_ROWS, _FINE
        if not self._few:
            self._exponent = max(_FINE, math.frexp(farthest)[1] + 2 - _MOST_LEVELS.bit_length())
        self._least = -math.ceil(math.ldexp(farthest, -self._exponent))
        self._gathered: list[tuple[NDArray[np.int64], Floats]] = []
        self._sums = None if self._few else BinSums(rows.unit(), (2 - 4 * self._least,))

    def add(self, score: Floats, target: Floats, weight: Floats) -> None:
        cells = 2 * (np.rint(score * 2.0**-self._exponent).astype(np.int64) - self._least) + (target > 0)
        if self._sums is None:
            self._gathered.append((cells, weight))
        else:
            codes = cells.astype(np.uint32)[None]
            starts = np.array([0, len(self._sums.wholes[0])])
            self._sums.add_layers(codes, starts, self._sums.unit.weighed(np.ones(len(weight)), weight))

    @cached_property
    def _counted(self) -> tuple[Floats, Floats]:
        """(levels,) scores that there are, rising, and (levels, 2) weight of both outcomes."""
        if self._sums is None:
            cells, weight = (np.concatenate(each) for each in zip(*self._gathered, strict=True))
            level, place = np.unique(cells >> 1, return_inverse=True)
            counts = exact_bincount(2 * place + (cells & 1), weight, 2 * len(level)).reshape(-1, 2)
        else:
            every = self._sums.values.reshape(-1, 2)
            level = np.flatnonzero(every.any(axis=1))
            counts = every[level]
        return np.ldexp((level + self._least).astype(np.float64), self._exponent), counts * self._factors

    def level(self, tolerance: float = LEVELLED) -> float:
        score, counts = self._counted
        weight, moved = counts.sum(axis=1), 0.0
        good, total = float(counts[:, 1].sum()), float(weight.sum())
        for _ in range(_SETTLING):
            likely = expit(score + moved)
            upwards = good - float(weight @ likely)
            if abs(upwards) <= tolerance * total:
                break
            moved += upwards / max(float(weight @ (likely * (1.0 - likely))), abs(upwards) / 2)  # steps of 2 at most
        return moved

    def merit(self) -> float:
        """Area under the ROC curve; a library's takes many times as long to check what it is given."""
        bad, good = self._counted[1].T
        share = float(good @ (np.cumsum(bad) - bad / 2)) / float(good.sum() * bad.sum())
        return min(share, 1.0)  # rounding of sums may lead a little beyond

    def measured(self, added: float = 0.0) -> dict[str, float]:
        """Area under the ROC curve, and mean log-loss."""
        score, counts = self._counted
        log_odds = score + added
        missed = np.log1p(np.exp(-np.abs(log_odds)))
        lost = counts[:, 0] @ (missed + np.maximum(log_odds, 0.0)) + counts[:, 1] @ (
            missed + np.maximum(-log_odds, 0.0)
        )
        return {"auc": self.merit(), "log_loss": float(lost) / float(counts.sum())}


class SquaresMeasure(Measure):
    """Scores of a quantity by their squared errors.

    Parameters
    ----------
    rows : whose scores they are.
    farthest, largest : what no score and no target is beyond, whatever its sign.
    unit : what a unit of both is of the quantity.
    """

    def __init__(self, rows: CodedRows, farthest: float, largest: float, unit: float) -> None:
        self._unit, away = unit, largest + farthest
        bounds = (1.0, away, away**2, largest**2)
        self._sums = [Total(rows.unit(bound), ()) for bound in bounds]

    def add(self, score: Floats, target: Floats, weight: Floats) -> None:
        away = target - score
        for each, own in zip(self._sums, (np.ones(len(away)), away, away**2, target**2), strict=True):
            each.add_layers(_NO_CODES, _NO_STARTS, each.unit.weighed(own, weight))

    def level(self, tolerance: float = LEVELLED) -> float:
        weight, away, *_ = self._values
        return away / weight

    def merit(self) -> float:
        """R²."""
        return self.measured(self.level())["r2"]

    def measured(self, added: float = 0.0) -> dict[str, float]:
        """R², and the root mean squared error in the unit of the quantity."""
        weight, away, square, variance = self._values
        error = max(square / weight - added * (2 * away / weight - added), 0.0)
        return {"r2": 1.0 - error * weight / variance if variance else 0.0, "rmse": self._unit * math.sqrt(error)}

    @cached_property
    def _values(self) -> list[float]:
        return [float(each.values) for each in self._sums]
