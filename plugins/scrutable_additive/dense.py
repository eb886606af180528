"""The dense fit: a value for every bin, all fitted as one problem whose smoothness is estimated from the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import dger

from scrutable_additive.families import Family
from scrutable_additive.measuring import LEVELLED
from scrutable_additive.smoothing import Penalty, added, cost, determined, slopes
from scrutable_additive.tallies import Point, Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Newton steps after each of which the strengths are estimated anew, and most steps with the last ones.
ESTIMATING, _SETTLING = 4, 50
#: Largest entry of the gradient at the end, in rows of the total weight.
TOLERANCE = LEVELLED
_MOST_HALVINGS = 40
#: A step takes the curvature anew, in a pass of its own, where that by bin has changed by more than this share in any
#: block, or where the gradient is more than that share of the one before; at the end of a fit that is not a rough one
#: it is that of the end.
_CHANGED, _SLOWLY, _SAME = 0.03, 0.25, 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """Second derivative of a loss, in the values of the bins.

    Parameters
    ----------
    alone : (K, K) of the loss that is least over the intercept.
    by_bin : (K,) sums over the rows of each bin, the derivative in its value and the intercept.
    total : sum over all rows.
    """

    alone: Floats
    by_bin: Floats
    total: float

    @classmethod
    def at(cls, rows: Rows, values: Floats, intercept: float, total: float) -> Curvature:
        """That of the rows for these values of the bins, where all of it together is known."""
        pairs = rows.curvature(values, intercept)
        by_bin = np.diag(pairs).copy()
        alone = dger(-1.0 / total, by_bin, by_bin, a=pairs.T, overwrite_a=True) if len(by_bin) else pairs
        return cls(alone, by_bin, total)

    def only(self, bins: Ints) -> Curvature:
        """That of some of the bins, the others being worth nothing."""
        return replace(self, alone=self.alone.take(bins, axis=0).take(bins, axis=1), by_bin=self.by_bin[bins])

    def changed(self, point: Point, blocks: Sequence[slice]) -> float:
        """By which share that by bin has become another, in the block where that is most: for rows it may be more."""
        away = np.abs(point.curvature - self.by_bin)
        return max([abs(point.total - self.total), *(float(away[own].sum()) for own in blocks)]) / self.total

    def times(self, factor: float) -> Curvature:
        """That of so many times the loss."""
        return Curvature(factor * self.alone, factor * self.by_bin, factor * self.total)


@dataclass(frozen=True, slots=True, eq=False)
class DenseFit:
    """Values that minimise the loss plus penalties.

    Parameters
    ----------
    values : (K,) score of each bin, log-odds or the like.
    intercept : score where all values are 0.
    penalties : of each block, with the strengths that were estimated.
    family : with the dispersion that was estimated.
    curvature : of the loss at these values; close to them after a rough fit.
    loss : sum of weight times loss.
    kkt_residual : largest entry of the gradient, in absolute value, over the total weight.
    factor : of the curvature of the loss and the penalties, if it was needed.
    """

    values: Floats
    intercept: float
    penalties: tuple[tuple[Penalty, ...], ...]
    family: Family
    curvature: Curvature
    loss: float
    kkt_residual: float
    factor: Any

    def start(self, bins: Ints) -> Start:
        """Where a fit of some of the bins begins."""
        return Start(self.values[bins], self.intercept, self.curvature.only(bins))

    @property
    def further(self) -> Start:
        """Where a fit of all of the bins with these penalties begins."""
        return Start(self.values, self.intercept, self.curvature, self.factor)


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where a fit begins.

    Parameters
    ----------
    values, intercept : of the first step.
    curvature : of the loss near these values, if known.
    factor : of it and the penalties, if known.
    """

    values: Floats
    intercept: float
    curvature: Curvature | None = None
    factor: Any = None


def dense_fit(
    rows: Rows,
    penalties: Sequence[Sequence[Penalty]],
    start: Start | None = None,
    *,
    estimating: int = ESTIMATING,
    tolerance: float = TOLERANCE,
) -> DenseFit:
    """Minimise Σ weight · loss + Σ ½ strength · θᵀ S θ + ½ ridge · θᵀθ.

    Damped Newton steps on sums by bin and by pair of bins; after each of the first ones the strengths, and where there
    is one the dispersion, are estimated anew, and then kept until the gradient is 0. Steps share a curvature while it
    hardly changes.

    Parameters
    ----------
    start : where to begin; with the average alone where None.
    estimating : number of steps after which strengths are estimated.
    tolerance : largest entry of the gradient at the end, in rows of the total weight.
    """
    total = rows.amount
    if start is None:
        [level] = rows.measures([(np.zeros(rows.size), 0.0)])
        start = Start(np.zeros(rows.size), level.level())
    values, intercept, curvature, factor = start.values, start.intercept, start.curvature, start.factor
    point, before = rows.at(values, intercept), np.inf
    for step in range(estimating + _SETTLING):
        every = [each for block in penalties for each in block]
        ascent = point.residual - slopes(every, values)
        residual = max(float(np.abs(ascent).max(initial=0.0)), abs(point.upwards)) / total
        if curvature is not None and step >= estimating and residual <= tolerance:
            break
        if curvature is None or residual > _SLOWLY * before or curvature.changed(point, rows.slices) > _CHANGED:
            curvature, factor = Curvature.at(rows, values, intercept, point.total), None
        if factor is None:
            factor = cho_factor(added(every, curvature.alone), lower=True, overwrite_a=True, check_finite=False)
        moves = _newton(curvature, factor, ascent, point.upwards)
        values, intercept, point = _damped(rows, every, point, (values, intercept), moves)
        before = residual
        if step < estimating:
            rows, curvature, point = _dispersed(rows, penalties, curvature, point, total)
            penalties = [tuple(each.estimated(values, curvature.alone) for each in block) for block in penalties]
            factor, before = None, np.inf
    assert curvature is not None
    if tolerance <= TOLERANCE and not rows.family.dispersed and curvature.changed(point, rows.slices) > _SAME:
        curvature, factor = Curvature.at(rows, values, intercept, point.total), None
    kept = tuple(tuple(block) for block in penalties)
    return DenseFit(values, intercept, kept, rows.family, curvature, point.loss, residual, factor)


def _dispersed(
    rows: Rows, penalties: Sequence[Sequence[Penalty]], curvature: Curvature, point: Point, total: float
) -> tuple[Rows, Curvature, Point]:
    """Rows, curvature and loss by the dispersion that is estimated where the fit has come to.

    The parameters that the data determine are counted block by block, as they are for the strengths.

    Parameters
    ----------
    total : weight of the rows.
    """
    if not rows.family.dispersed:
        return rows, curvature, point
    blocks = zip(penalties, rows.slices, strict=True)
    parameters = 1.0 + sum(determined(own, bins, curvature.alone) for own, bins in blocks)
    family = rows.family.estimated(point.loss, parameters, total)
    factor = family.bounds(0.0).curvature / rows.family.bounds(0.0).curvature  # the same for every row
    return replace(rows, family=family), curvature.times(factor), point.times(factor)


def _newton(curvature: Curvature, factor: Any, ascent: Floats, upwards: float) -> tuple[Floats, float]:
    """The step of the values and of the intercept."""
    by_bin, total = curvature.by_bin, curvature.total
    moved: Floats = cho_solve(factor, ascent - by_bin * (upwards / total), check_finite=False)
    return moved, float((upwards - by_bin @ moved) / total)


def _damped(
    rows: Rows, penalties: Sequence[Penalty], point: Point, start: tuple[Floats, float], moves: tuple[Floats, float]
) -> tuple[Floats, float, Point]:
    """The start moved by the largest half, quarter, … of the step that does not raise the objective."""
    before, length = point.loss + cost(penalties, start[0]), 1.0
    for _ in range(_MOST_HALVINGS):
        values, intercept = start[0] + length * moves[0], start[1] + length * moves[1]
        reached = rows.at(values, intercept)
        if reached.loss + cost(penalties, values) <= before + 1e-12 * abs(before):
            return values, intercept, reached
        length /= 2
    return *start, point
