"""The cells that the thresholds of trees cut each column into: within a cell the score is the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_fcca.counterfactuals.problem import Plausibility
from scrutable_fcca.target import Doubles, Indices, Trees

#: How far beyond a threshold a changed value lies, in units of the scaled column; less where thresholds are closer.
#: Half a gap between values would put counterfactuals on other points, and change which points cross what.
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Cells of all m columns, one column after another; a column with k thresholds has k + 1.

    Parameters
    ----------
    start : (m + 1,) where the cells of each column begin.
    low, high : (cells,) least and largest value that a change into the cell may give; low > high where none is
        plausible. A point in its own cell keeps its value.
    thresholds : for each column its thresholds, rising; a value at a threshold lies in the cell below. Columns of a
        group that the target does not ask about have one, too, since another can only be 1 where they change to 0.
    """

    start: Indices
    low: Doubles
    high: Doubles
    thresholds: tuple[Doubles, ...]

    @classmethod
    def of(cls, target: Trees, plausible: Plausibility) -> Cells:
        """The cells of a target, as far as they are plausible."""
        thresholds = _with_groups(target.thresholds(), plausible)
        low, high = [], []
        for j, cuts in enumerate(thresholds):
            if not len(cuts):  # one cell, which every value is in
                low.append(plausible.lower[j : j + 1])
                high.append(plausible.upper[j : j + 1])
                continue
            ends = np.concatenate([[-np.inf], cuts, [np.inf]])
            beyond = min(TOLERANCE, _closest(cuts, plausible.lower[j], plausible.upper[j]) / 4)
            least = np.maximum(ends[:-1] + beyond, np.nextafter(ends[:-1], np.inf))  # where cuts are an ulp apart
            largest = np.maximum(ends[1:] - beyond, least)
            if plausible.binary[j]:
                zero, one = (ends[:-1] < 0) & (ends[1:] >= 0), (ends[:-1] < 1) & (ends[1:] >= 1)
                least, largest = np.where(zero, 0.0, 1.0), np.where(one, 1.0, np.where(zero, 0.0, -1.0))
            low.append(np.maximum(least, plausible.lower[j]))
            high.append(np.minimum(largest, plausible.upper[j]))
        start = np.concatenate([[0], np.cumsum([len(cuts) + 1 for cuts in thresholds])]).astype(np.int64)
        return cls(start=start, low=np.concatenate(low), high=np.concatenate(high), thresholds=thresholds)

    def place(self, points: Doubles) -> Indices:
        """(n, m) cell of each value, counted from the first cell of its column."""
        return np.stack(
            [np.searchsorted(cuts, points[:, j], side="left") for j, cuts in enumerate(self.thresholds)], axis=1
        ).astype(np.int64)

    def crossed(self, j: int, own: int, reached: int) -> float:
        """The threshold that a column moved just beyond, from its own cell to another; equation (10)."""
        cuts = self.thresholds[j]
        return float(cuts[reached - 1] if reached > own else cuts[reached])


def _with_groups(thresholds: tuple[Doubles, ...], plausible: Plausibility) -> tuple[Doubles, ...]:
    """Thresholds, and one between 0 and 1 for columns of groups that have none."""
    grouped = {j for group in plausible.one_of for j in group}
    return tuple(np.array([0.5]) if j in grouped and not len(cuts) else cuts for j, cuts in enumerate(thresholds))


def _closest(cuts: Doubles, lower: float, upper: float) -> float:
    """The smallest distance between neighbouring thresholds, or between one inside of a range and its ends."""
    inside = cuts[(cuts > lower) & (cuts < upper)]
    gaps = [np.diff(cuts), inside - lower, upper - inside]
    return float(np.concatenate(gaps).min(initial=np.inf))
