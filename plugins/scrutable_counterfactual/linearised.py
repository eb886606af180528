"""The distance of a probability as a piecewise linear function that is never above it: paper, equations 7c to 7g.

The paper's fixed segments misjudge the probability by what their number allows. Here a solution's own score becomes a
break, where the lines are exact, and the program is solved again, until the error at the solution is negligible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import expit, logit

from scrutable.model import CLAMP, Calibration
from scrutable_counterfactual.arrays import Floats
from scrutable_counterfactual.linear_program import Linear, Program
from scrutable_counterfactual.problem import Distance

_WIDTH = 1.0  # of the first pieces of a logistic


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linearised:
    """Lines below |probability - target|, between breaks of the linear predictor intercept + slope * score.

    Parameters
    ----------
    distance : of kind "probability".
    breaks : (pieces + 1,) ascending; the function bends, or turns from convex to concave, nowhere but at one of them.
    """

    distance: Distance
    breaks: Floats

    @classmethod
    def of(cls, distance: Distance, low: float, high: float) -> Self:
        """A few pieces for scores between the two."""
        calibration = _calibration(distance)
        start = calibration.intercept + calibration.slope * low - 1.0
        end = calibration.intercept + calibration.slope * high + 1.0
        if calibration.link == "identity":
            inner = np.array([0.0, 1.0, distance.target])
        else:
            steps = np.arange(-8.0, 8.0 + _WIDTH, _WIDTH)
            inner = np.array([-CLAMP, *steps, _turn(distance), CLAMP])
        return cls(distance=distance, breaks=np.unique([start, *inner[(inner > start) & (inner < end)], end]))

    def finer(self, scores: Floats) -> Self:
        """With breaks at these scores too."""
        return replace(self, breaks=np.union1d(self.breaks, self._predictor(scores)))

    def errors(self, scores: Floats) -> Floats:
        """(n,) what the lines take from the distance at n scores."""
        at = self._predictor(scores)
        piece = np.clip(np.searchsorted(self.breaks, at, side="right") - 1, 0, len(self.breaks) - 2)
        level, slope = self._lines()
        below = (level[:, piece] + slope[:, piece] * (at - self.breaks[piece])).max(axis=0)
        errors: Floats = self.distance.of(scores) - below
        return errors

    def add_to(self, program: Program, score: Linear) -> Linear:
        """Columns and rows for a column that is the distance by these lines or more; one binary a piece."""
        calibration = _calibration(self.distance)
        start, width = self.breaks[:-1], np.diff(self.breaks)
        chosen, beyond = program.columns(len(start), integer=True), program.columns(len(start), upper=width.max())
        program.row(Linear.sum(chosen), low=1.0, high=1.0)
        for each, inside, room in zip(chosen, beyond, width, strict=True):
            within = Linear(columns=np.array([inside, each]), weights=np.array([1.0, -room]))
            program.row(within, high=0.0, scaled=True)
        both = np.concatenate([chosen, beyond])
        predictor = Linear(columns=both, weights=np.concatenate([start, np.ones(len(start))]))
        program.row(
            predictor - score * calibration.slope, low=calibration.intercept, high=calibration.intercept, scaled=True
        )
        far = Linear.sum(program.columns(1, upper=1.0 + abs(self.distance.target)))
        for level, slope in zip(*self._lines(), strict=True):
            program.row(far - Linear(columns=both, weights=np.concatenate([level, slope])), low=0.0, scaled=True)
        return far

    def _predictor(self, scores: Floats) -> Floats:
        calibration = _calibration(self.distance)
        return calibration.intercept + calibration.slope * scores

    def _lines(self) -> tuple[Floats, Floats]:
        """(2, pieces) values at the pieces' starts, and slopes: tangents at both ends, or twice the chord."""
        identity = _calibration(self.distance).link == "identity"
        start, width = self.breaks[:-1], np.diff(self.breaks)
        middle, value = start + width / 2, self._value(self.breaks)
        chord = np.clip(np.diff(value) / width, -1.0, 1.0)  # no steeper: rounding may be, over the shortest pieces
        level, slope = np.stack([value[:-1]] * 2), np.stack([chord] * 2)
        turn = _turn(self.distance)
        convex = ((middle > turn) == (middle < 0.0)) & (np.abs(middle) < CLAMP) & (not identity)
        steep = np.where(middle > turn, 1.0, -1.0) * np.stack([_steepness(start), _steepness(self.breaks[1:])])
        slope[:, convex] = steep[:, convex]
        level[1, convex] = (value[1:] - steep[1] * width)[convex]
        return level, slope

    def _value(self, predictor: Floats) -> Floats:
        plain = replace(self.distance, calibration=replace(_calibration(self.distance), slope=1.0, intercept=0.0))
        return plain.of(predictor)


def _calibration(distance: Distance) -> Calibration:
    assert distance.calibration is not None
    return distance.calibration


def _turn(distance: Distance) -> float:
    """The linear predictor where a logistic is at the target."""
    return float(logit(np.clip(distance.target, 0.0, 1.0)))


def _steepness(predictor: Floats) -> Floats:
    """Derivative of the logistic."""
    slope: Floats = expit(predictor) * expit(-predictor)
    return slope
