"""Coordinate descent over integer points: characteristics join one by one, and each is set exactly in turn.

As in FasterRisk, points are small integers and one multiplier carries them to log-odds; as in RiskSLIM, the log loss of
the integer score itself is what falls, so nothing is rounded afterwards. The intercept is a real number here, since
calibration of a `Scorecard` holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrutable_risk_score.line import Line, best_line, loss
from scrutable_risk_score.patterns import Integers, Patterns
from scrutable_risk_score.points import SAME, Shape, best_points, losses_by_points

#: What the largest weight of evidence is worth in points at the start, as shares of the most points.
_STARTS = (1.0, 0.7, 0.5, 0.35)
#: Points that all attributes of a characteristic may lose together, to the intercept's gain, while it is set.
_SHIFTS = (0, -1, 1)

_SWEEPS = 50


@dataclass(frozen=True, slots=True)
class Found:
    """Points of each characteristic, by position; those that are not listed have none."""

    points: dict[int, Integers]
    line: Line
    loss: float


class Search:
    """The search for one number of points and characteristics.

    Parameters
    ----------
    shapes : what the points of each characteristic must follow.
    most_points : largest points of an attribute, of either sign.
    most : largest number of characteristics.
    """

    def __init__(self, patterns: Patterns, shapes: Sequence[Shape], most_points: int, most: int) -> None:
        self._patterns = patterns
        self._shapes = shapes
        self._most_points = most_points
        self._most = most

    def best(self, largest_evidence: float) -> Found:
        """The least loss from several starts, of equal ones the first, with single characteristics exchanged.

        Parameters
        ----------
        largest_evidence : largest absolute weight of evidence of an attribute.
        """
        slopes = [max(largest_evidence, 0.1) / (self._most_points * share) for share in _STARTS]
        found = [self._from(slope) for slope in slopes]
        return self._swapped(_least(found))

    def _from(self, slope: float) -> Found:
        share = float(np.clip(self._patterns.good.sum(), 1e-9, 1 - 1e-9))
        found = self._rescaled(Found({}, Line(float(np.log(share / (1 - share))), slope), np.inf), keep_slope=True)
        while len(found.points) < self._most:
            joined = self._joined(found)
            if joined.loss > found.loss - SAME:
                break
            found = self._settled(joined)
        return found

    def _joined(self, found: Found) -> Found:
        """With the characteristic that lowers the loss most."""
        positions = [position for position in range(len(self._shapes)) if position not in found.points]
        moved = [self._set(found, position) for position in positions]
        return _least(moved) if moved else found

    def _settled(self, found: Found) -> Found:
        """Each characteristic set in turn, until none moves; those without any points leave."""
        for _ in range(_SWEEPS):
            before = found.loss
            for position in list(found.points):
                moved = _least([self._set(found, position, shift) for shift in _SHIFTS])
                found = moved if moved.loss < found.loss - SAME else found
            if found.loss > before - SAME:
                break
        kept = {position: points for position, points in found.points.items() if points.any()}
        return replace(found, points=kept)

    def _swapped(self, found: Found) -> Found:
        """With single characteristics replaced by others, as long as that lowers the loss."""
        for position in list(found.points):
            others = {key: points for key, points in found.points.items() if key != position}
            without = self._rescaled(replace(found, points=others))
            moved = self._settled(self._joined(without))
            if moved.loss < found.loss - SAME:
                return self._swapped(moved)
        return found

    def _set(self, found: Found, position: int, shift: int = 0) -> Found:
        """With the best points of one characteristic, the intercept higher by `shift`, and the line that fits then."""
        others = {key: points for key, points in found.points.items() if key != position}
        line = replace(found.line, intercept=found.line.intercept + shift * found.line.slope)
        losses = losses_by_points(self._patterns, position, self._score(others), line, self._most_points)
        points = best_points(losses, self._shapes[position])
        return self._rescaled(replace(found, points={**others, position: points}))

    def _score(self, points: dict[int, Integers]) -> Integers:
        """(patterns,) the score of each pattern."""
        score = np.zeros(len(self._patterns.good), dtype=np.intp)
        for position, its in points.items():
            score += its[self._patterns.attribute[:, position]]
        return score

    def _rescaled(self, found: Found, *, keep_slope: bool = False) -> Found:
        """With the intercept and multiplier that fit the points best."""
        score = self._score(found.points)
        low = int(score.min())
        good, bad = self._patterns.counts(score - low, int(score.max()) - low + 1)
        scores = np.arange(low, low + len(good), dtype=float)
        line = found.line if keep_slope or len(good) == 1 else best_line(scores, good, bad, found.line)
        return Found(found.points, line, loss(line, scores, good, bad))


def _least(found: Sequence[Found]) -> Found:
    """The first of those whose losses are the least but for rounding, which differs from machine to machine."""
    least = min(each.loss for each in found)
    return next(each for each in found if each.loss <= least + SAME)
