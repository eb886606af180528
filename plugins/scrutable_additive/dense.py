"""The dense fit: a value for every bin, all fitted as one problem whose smoothness is estimated from the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from scrutable.data import exact_sum
from scrutable_additive.families import Family, Point
from scrutable_additive.smoothing import Penalty, added, cost, determined, slopes
from scrutable_additive.tallies import Rows

Floats = NDArray[np.float64]

#: Newton steps after each of which the strengths are estimated anew, and most steps with the last ones.
ESTIMATING, _SETTLING = 6, 50
#: Largest entry of the gradient at the end, in rows of the total weight.
TOLERANCE = 1e-9
_MOST_HALVINGS = 40
#: A gradient of more than that share of the one before falls slowly, and the curvature is taken anew.
_SLOWLY = 0.25


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
    def of(cls, pairs: Floats, total: float) -> Curvature:
        """From the (K, K) sums over the rows of both bins of a pair, which are used up."""
        by_bin = np.diag(pairs).copy()
        pairs -= np.outer(by_bin, by_bin / total)
        return cls(pairs, by_bin, total)

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
    curvature : of the loss, close to these values.
    loss : sum of weight times loss.
    kkt_residual : largest entry of the gradient, in absolute value, over the total weight.
    """

    values: Floats
    intercept: float
    penalties: tuple[tuple[Penalty, ...], ...]
    family: Family
    curvature: Curvature
    loss: float
    kkt_residual: float


def dense_fit(
    rows: Rows,
    penalties: Sequence[Sequence[Penalty]],
    start: tuple[Floats, float] | None = None,
    *,
    estimating: int = ESTIMATING,
    tolerance: float = TOLERANCE,
) -> DenseFit:
    """Minimise Σ weight · loss + Σ ½ strength · θᵀ S θ + ½ ridge · θᵀθ.

    Damped Newton steps on sums by bin and by pair of bins; after each of the first ones the strengths, and where there
    is one the dispersion, are estimated anew, and then kept until the gradient is 0. The last steps share a curvature
    while the gradient falls fast, and all of them where it is the same everywhere.

    Parameters
    ----------
    start : values and intercept to begin with; the average alone where None.
    estimating : number of steps after which strengths are estimated.
    tolerance : largest entry of the gradient at the end, in rows of the total weight.
    """
    total = exact_sum(rows.weight)
    values, intercept = start or (np.zeros(rows.size), levelled(rows, np.zeros(rows.size), 0.0))
    point, curvature, factor, before = rows.at(values, intercept), None, None, np.inf
    for step in range(estimating + _SETTLING):
        every = [each for block in penalties for each in block]
        ascent, upwards = rows.by_bin(point.residual) - slopes(every, values), exact_sum(point.residual)
        residual = max(float(np.abs(ascent).max(initial=0.0)), abs(upwards)) / total
        if curvature is not None and step >= estimating and residual <= tolerance:
            break
        if curvature is None or (step < estimating and not rows.family.dispersed) or residual > _SLOWLY * before:
            curvature, factor = Curvature.of(rows.by_pair(point.curvature), exact_sum(point.curvature)), None
        if factor is None:
            factor = cho_factor(added(every, curvature.alone), lower=True, overwrite_a=True, check_finite=False)
        moves = _newton(curvature, factor, ascent, upwards)
        values, intercept, point = _damped(rows, every, point, (values, intercept), moves)
        before = residual
        if step < estimating:
            rows, curvature, point = _dispersed(rows, penalties, curvature, point, (values, intercept))
            penalties = [tuple(each.estimated(values, curvature.alone) for each in block) for block in penalties]
            factor, before = None, np.inf
    assert curvature is not None
    strengths = tuple(tuple(block) for block in penalties)
    return DenseFit(values, intercept, strengths, rows.family, curvature, point.loss, residual)


def levelled(rows: Rows, values: Floats, intercept: float) -> float:
    """The intercept with which these values expect as much of the target as there is."""
    total = exact_sum(rows.weight)
    for _ in range(_SETTLING):
        point = rows.at(values, intercept)
        upwards = exact_sum(point.residual)
        if abs(upwards) <= TOLERANCE * total:
            break
        intercept += upwards / max(exact_sum(point.curvature), abs(upwards) / 2)  # steps of 2 at most
    return intercept


def _dispersed(
    rows: Rows,
    penalties: Sequence[Sequence[Penalty]],
    curvature: Curvature,
    point: Point,
    reached: tuple[Floats, float],
) -> tuple[Rows, Curvature, Point]:
    """Rows, curvature and loss by the dispersion that is estimated where the fit has come to.

    The parameters that the data determine are counted block by block, as they are for the strengths.
    """
    if not rows.family.dispersed:
        return rows, curvature, point
    blocks = zip(penalties, rows.slices(), strict=True)
    parameters = 1.0 + sum(determined(own, bins, curvature.alone) for own, bins in blocks)
    family = rows.family.estimated(point.loss, parameters, exact_sum(rows.weight))
    told = replace(rows, family=family)
    again = told.at(*reached)
    return told, curvature.times(exact_sum(again.curvature) / curvature.total), again


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
