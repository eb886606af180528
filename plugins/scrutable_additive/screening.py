"""Characteristics that tell no more than chance would, and are left out before any step is put together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.dense import DenseFit, dense_fit
from scrutable_additive.problem import Problem
from scrutable_additive.smoothing import determined, pulling

Ints = NDArray[np.intp]

#: Newton steps after which strengths are estimated again, once others are left out.
_ESTIMATING = 1
#: Largest entry of the gradient, in rows of the total weight, before the last fit.
_ROUGHLY = 1e-4
#: What each parameter has to gain in twice the log-likelihood: about what chance gives, or clearly more than that, as
#: it gives to one characteristic in twenty where none tells anything.
ABOUT_CHANCE, CLEARLY_MORE = 1.0, 2.5
#: What it has to gain where nothing is left out.
NOTHING_LEFT_OUT = 0.0
#: What is next to nothing, beside what each parameter has to gain.
_NOTHING = 0.3


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

    @property
    def gain_each(self) -> float:
        """The gain for each of the parameters, of which there is at least half a one."""
        return self.gain / max(self.parameters, 0.5)


def price_of(n_features: int, least: float = ABOUT_CHANCE) -> float:
    """What each parameter has to gain, in twice the log-likelihood: 1, about what chance gives, or more of many ones.

    Of many features some fit by chance alone, and the most that chance gives to one parameter of one of p features is
    about 2 ln p (the risk inflation criterion: Foster and George 1994, Annals of Statistics 22(4)). Strengths that are
    estimated from the same rows have taken most of that already: what is left is 6.6 less, found by trial.
    `benchmarks/card.py` prints how many of 200 features of noise stay at this price and at others.

    >>> [round(price_of(p), 2) for p in (20, 60, 200)]
    [1.0, 1.59, 4.0]
    """
    if least == NOTHING_LEFT_OUT:
        return least
    return max(least, 2 * float(np.log(n_features)) - 6.6)


def screened(
    problem: Problem, held: Collection[str] = (), price: float | None = None
) -> tuple[Problem, DenseFit, list[Evidential]]:
    """The problem without what tells no more than chance would, its dense fit, and what was left out.

    What tells next to nothing goes first, or else two thirds of those that tell too little, and the others are fitted
    again, since of two that tell the same each tells less beside the other. What has to stay on the card stays.

    Parameters
    ----------
    held : features that stay in any case.
    price : what each parameter has to gain; `price_of` the number of features where None.
    """
    left: list[Evidential] = []
    price = price_of(len(problem.features)) if price is None else price
    dense = dense_fit(problem.rows, problem.penalties, tolerance=_ROUGHLY)
    while gone := _least_telling(added_by(dense, problem), problem, price, held):
        left += gone.values()
        kept = [place for place in range(len(problem.features)) if place not in gone]
        start = dense.start(_bins_of(problem, kept))
        problem = problem.learned(dense).only(kept)
        dense = dense_fit(problem.rows, problem.penalties, start, estimating=_ESTIMATING, tolerance=_ROUGHLY)
    problem = problem.learned(dense)
    settled = dense_fit(problem.rows, problem.penalties, dense.further, estimating=0)
    return problem, settled, left


def _bins_of(problem: Problem, kept: Sequence[int]) -> Ints:
    """The bins of some of the blocks."""
    bins = np.arange(problem.rows.size)
    return np.concatenate([bins[:0], *(bins[problem.layouts[place].bins] for place in kept)])


def _least_telling(
    adding: Sequence[Evidential], problem: Problem, price: float, held: Collection[str]
) -> dict[int, Evidential]:
    """Blocks that go next, by place; none where all tell enough or have to stay."""
    failing = {
        place: each
        for place, (each, layout) in enumerate(zip(adding, problem.layouts, strict=True))
        if each.gain_each <= price and not (layout.kept or layout.fixed or layout.name in held)
    }
    nothing = {place: each for place, each in failing.items() if each.gain_each <= price * _NOTHING}
    by_gain = sorted(failing, key=lambda place: failing[place].gain_each)
    return nothing or {place: failing[place] for place in by_gain[: -(-2 * len(by_gain) // 3)]}


def added_by(dense: DenseFit, problem: Problem) -> list[Evidential]:
    """What each characteristic adds.

    With the block's curvature A and penalty P, and θ = (A + P)⁻¹ A û, the log-likelihood falls without the block by
    ½ (θᵀ A θ + 2 θᵀ P θ), and tr((A + P)⁻¹ A) parameters are determined by the data.
    """
    curvature = dense.curvature.alone
    told = []
    for layout, penalties in zip(problem.layouts, dense.penalties, strict=True):
        own, values = curvature[layout.bins, layout.bins], dense.values[layout.bins]
        pull = pulling(penalties, layout.bins)
        gain = float(values @ own @ values + 2 * values @ pull @ values)
        parameters = determined(penalties, layout.bins, curvature)
        told.append(Evidential(name=layout.name, gain=gain, parameters=parameters))
    return told
