"""Characteristics that tell no more than chance would, and are left out before any step is put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.dense import DenseFit, dense_fit
from scrutable_additive.problem import Problem
from scrutable_additive.smoothing import RIDGE, Penalty

Floats = NDArray[np.float64]

#: Newton steps after each of which strengths are estimated again, once others are left out.
_ESTIMATING = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidential:
    """What one characteristic adds to the dense fit.

    Parameters
    ----------
    name : of the feature.
    gain : twice the log-likelihood that it gains, by its own curvature, the others being kept.
    parameters : how many the data determine.
    """

    name: str
    gain: float
    parameters: float

    def beyond_chance(self, price: float) -> bool:
        """Whether it gains more than that for each of its parameters."""
        return self.gain > price * self.parameters


def price_of(n_features: int) -> float:
    """What each parameter has to gain, in twice the log-likelihood: 1, which chance gives, or more among many features.

    Of many features some fit by chance alone, and the most that chance gives to one parameter of one of p features is
    about 2 ln p (the risk inflation criterion: Foster and George 1994, Annals of Statistics 22(4)). Strengths that are
    estimated from the same rows have taken most of that already: what is left is 6.6 less, as trials with features of
    noise alone showed.

    >>> [round(price_of(p), 2) for p in (20, 60, 200)]
    [1.0, 1.59, 4.0]
    """
    return max(1.0, 2 * float(np.log(n_features)) - 6.6)


def screened(problem: Problem) -> tuple[Problem, DenseFit, list[Evidential]]:
    """The problem without what tells no more than chance would, its dense fit, and what was left out.

    The half of those that tell least goes first, and the others are fitted again, since of two that tell the same each
    tells less beside the other. What has to stay on the card stays.
    """
    price, left = price_of(len(problem.features)), []
    dense = dense_fit(problem.rows, problem.penalties)
    while True:
        adding = added_by(dense, problem)
        failing = [
            place
            for place, (each, layout) in enumerate(zip(adding, problem.layouts, strict=True))
            if not (layout.kept or layout.fixed or each.beyond_chance(price))
        ]
        if not failing:
            return problem, dense, left
        failing.sort(key=lambda place: adding[place].gain / max(adding[place].parameters, 1e-6))
        gone = set(failing[: (len(failing) + 1) // 2])
        left += [adding[place] for place in sorted(gone)]
        kept = [place for place in range(len(adding)) if place not in gone]
        values = np.concatenate([np.empty(0), *(dense.values[problem.layouts[place].bins] for place in kept)])
        problem = problem.only(kept, dense.penalties)
        dense = dense_fit(problem.rows, problem.penalties, (values, dense.intercept), estimating=_ESTIMATING)


def added_by(dense: DenseFit, problem: Problem) -> list[Evidential]:
    """What each characteristic adds.

    With the block's curvature A and penalty P, and θ = (A + P)⁻¹ A û, the log-likelihood falls without the block by
    ½ (θᵀ A θ + 2 θᵀ P θ), and tr((A + P)⁻¹ A) parameters are determined by the data.
    """
    curvature = dense.curvature.without_intercept()
    told = []
    for layout, penalties in zip(problem.layouts, dense.penalties, strict=True):
        own, values = curvature[layout.bins, layout.bins], dense.values[layout.bins]
        pull = _matrix(penalties, layout.bins)
        gain = float(values @ own @ values + 2 * values @ pull @ values)
        parameters = float(np.trace(np.linalg.solve(own + pull, own)))
        told.append(Evidential(name=layout.name, gain=gain, parameters=parameters))
    return told


def _matrix(penalties: Sequence[Penalty], bins: slice) -> Floats:
    matrix = RIDGE * np.eye(bins.stop - bins.start)
    for each in penalties:
        inner = slice(each.bins.start - bins.start, each.bins.stop - bins.start)
        matrix[inner, inner] += each.strength * each.matrix
    return matrix
