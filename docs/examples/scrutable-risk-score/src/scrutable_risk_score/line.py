"""From integer scores to log-odds: the intercept and the multiplier, found exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_risk_score.patterns import Floats

#: Penalty on half the squared multiplier, which keeps it finite where a score separates good from bad.
RIDGE = 1e-6

_STEPS = 50
_TOLERANCE = 1e-11
#: Added to the curvature: that of the penalty, and enough for a solution where all rows are certain.
_DAMPING = np.diag([1e-12, RIDGE])
#: By as much a loss may seem to rise through rounding.
_ROUNDING = 1e-15


@dataclass(frozen=True, slots=True)
class Line:
    """Log-odds of the good class: intercept + slope * score."""

    intercept: float
    slope: float

    def losses(self, scores: Floats) -> tuple[Floats, Floats]:
        """Log loss of a good and of a bad row at each score."""
        z = self.intercept + self.slope * scores
        return np.logaddexp(0, -z), np.logaddexp(0, z)


def loss(line: Line, scores: Floats, good: Floats, bad: Floats) -> float:
    """The penalised log loss of counts by score."""
    of_good, of_bad = line.losses(scores)
    return float(good @ of_good + bad @ of_bad) + RIDGE / 2 * line.slope**2


def best_line(scores: Floats, good: Floats, bad: Floats, start: Line) -> Line:
    """The line of the least penalised log loss, by Newton's method with halved steps; the loss is convex.

    Parameters
    ----------
    scores : (m,) different scores.
    good, bad : (m,) shares of good and bad rows with each.

    Examples
    --------
    >>> line = best_line(np.array([0.0, 1.0]), np.array([0.2, 0.3]), np.array([0.3, 0.2]), Line(0.0, 0.0))
    >>> round(line.intercept, 3), round(line.slope, 3)  # odds of 2 to 3, then 3 to 2
    (-0.405, 0.811)
    """
    line, least = start, loss(start, scores, good, bad)
    design = np.stack([np.ones_like(scores), scores], axis=1)
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(design @ (line.intercept, line.slope), -500, 500)))
        gradient = design.T @ ((good + bad) * expected - good) + np.array([0.0, RIDGE * line.slope])
        curvature = design.T @ (design * ((good + bad) * expected * (1 - expected))[:, None])
        step = np.linalg.solve(curvature + _DAMPING, gradient)
        share = 1.0
        while (reached := loss(_moved(line, step, share), scores, good, bad)) > least + _ROUNDING:
            share /= 2
        line, least = _moved(line, step, share), reached
        if np.abs(step).max() < _TOLERANCE:
            break
    return line


def _moved(line: Line, step: Floats, share: float) -> Line:
    return Line(float(line.intercept - share * step[0]), float(line.slope - share * step[1]))
