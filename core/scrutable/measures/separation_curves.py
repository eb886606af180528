"""Curves of how well a score separates good payers from bad ones: ROC, CAP, gains by tenths, and KS.

All of them are drawn from one thing: at each cutoff, the shares of the good and of the bad that score below it. These
come from counts by score, so that rows with equal scores are one step, in whatever order they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Floats
from scrutable.data.cohort import Cohort
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.exact import exact_bincount, exact_sum
from scrutable.writing.plain_values import plain

#: Parts of the applicants that gains are told of.
TENTHS = 10
#: Between two points that are drawn, the shares of the good and of the bad grow by this together, or by one score.
_STEP = 1 / 500
#: Absorbs the rounding of a sum of weights, far below the share of any row.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """The applicants between two cutoffs, and all that score lower.

    Parameters
    ----------
    upper : the cutoff above them.
    share, bads : the shares of all payers and of the bad ones that score below it.
    bad_rate : of the applicants between the two cutoffs.
    lift : their bad rate over that of all payers.
    """

    upper: float
    share: float
    bads: float
    bad_rate: float
    lift: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None where the cutoff is open."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)} | (
            {"upper": None} if math.isinf(self.upper) else {}
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeparationCurve:
    """What scores below each cutoff; arrays are (m,), by ascending cutoff, from nobody to everybody.

    Parameters
    ----------
    cutoff : every score that a row with weight and a known outcome has, and last infinity.
    goods, bads : the shares of the good and of the bad payers that score below it.
    below : rows that score below it, whatever their weight above 0.
    bad_rate : the share of the bad among all payers, by weight.
    """

    cutoff: Floats
    goods: Floats
    bads: Floats
    below: NDArray[np.intp]
    bad_rate: float

    @property
    def rows(self) -> int:
        """Number of payers."""
        return int(self.below[-1])

    @property
    def everybody(self) -> Floats:
        """(m,) the share of all payers that score below each cutoff: the way across of a CAP."""
        shares: Floats = self.bad_rate * self.bads + (1 - self.bad_rate) * self.goods
        return shares

    @property
    def auc(self) -> float:
        """Area under the ROC: the probability that a good payer scores above a bad one, ties counting one half."""
        return float((np.diff(self.goods) * (self.bads[1:] + self.bads[:-1])).sum() / 2)

    @property
    def accuracy_ratio(self) -> float:
        """Area between the CAP and the diagonal, over that of a perfect score: the Gini coefficient, 2 AUC - 1."""
        return 2 * self.auc - 1

    @property
    def ks(self) -> float:
        """Kolmogorov-Smirnov distance: the largest difference between the shares of the bad and of the good."""
        return float(abs(self.bads[self._widest] - self.goods[self._widest]))

    @property
    def ks_at(self) -> float:
        """The cutoff that has it, the lowest of several."""
        return float(self.cutoff[self._widest])

    @property
    def _widest(self) -> int:
        return int(np.argmax(np.abs(self.bads - self.goods)))

    @property
    def shown(self) -> NDArray[np.intp]:
        """Which of the points are drawn: few enough for a picture, and none that tells of few rows.

        From one to the next the shares of the good and of the bad grow by a 500th together or more, and at least
        `min_cell` rows lie between them. So a point that is left out is nearer to one that is drawn than a 500th of the
        axes, which no picture shows, or than `min_cell` rows where these are more. Where KS lies is drawn, unless fewer
        rows lie below or above it. AUC, accuracy ratio and KS are of all points.
        """
        least, position, last = min_cell(), self.goods + self.bads, self.cutoff.size - 1

        def walk(start: int, end: int) -> list[int]:
            """From a point that is drawn to another, the first that is far enough from the one before."""
            places = [start]
            while True:
                far = int(np.searchsorted(position, position[places[-1]] + _STEP - _ROUNDING))
                place = max(far, int(np.searchsorted(self.below, self.below[places[-1]] + least)))
                if place >= end or self.below[end] - self.below[place] < least:
                    return places
                places.append(place)

        middle = self._widest
        told = min(self.below[middle], self.rows - self.below[middle]) >= least
        ways = walk(0, middle) + walk(middle, last) if told else walk(0, last)
        return np.array([*ways, last], dtype=np.intp)

    @property
    def widest_shown(self) -> int | None:
        """Which of the points is where KS lies; None where it is not drawn."""
        return self._widest if self._widest in self.shown else None

    @property
    def tenths(self) -> tuple[Tenth, ...]:
        """Tenths of the payers, the riskiest first; fewer where many have one score, or `min_cell` asks for more rows.

        Their ends are those of `band_edges`: the lowest cutoffs below which there are at least so many tenths.
        """
        everybody, least = self.everybody, min_cell()
        wanted = np.searchsorted(everybody, np.arange(1, TENTHS) / TENTHS - _ROUNDING)
        ends, before = [], 0
        for end in np.unique(wanted[everybody[wanted] < 1]).tolist():  # beyond the last, rows have no share that counts
            if self.below[end] - before >= least and self.rows - self.below[end] >= least:
                ends.append(end)
                before = self.below[end]
        places = np.array([0, *ends, self.cutoff.size - 1])
        shares, bads = everybody[places], self.bads[places]
        lifts = np.diff(bads) / np.diff(shares)
        figures = zip(self.cutoff[places[1:]], shares[1:], bads[1:], lifts * self.bad_rate, lifts, strict=True)
        return tuple(
            Tenth(upper=upper, share=share, bads=held, bad_rate=rate, lift=lift)
            for upper, share, held, rate, lift in (map(float, each) for each in figures)
        )

    def to_dict(self) -> dict[str, Any]:
        """Figures and tenths as plain values for JSON."""
        figures = {name: plain(getattr(self, name)) for name in ("rows", "auc", "accuracy_ratio", "ks", "ks_at")}
        return {**figures, "bad_rate": plain(self.bad_rate), "tenths": [each.to_dict() for each in self.tenths]}


def separation_curve(score: Floats, cohort: Cohort) -> SeparationCurve | None:
    """The curve of the rows with weight whose outcome is known; None where these have not both outcomes.

    Parameters
    ----------
    score : (n,) points, more being better for the applicant.
    cohort : their outcomes and weights.

    Examples
    --------
    >>> curve = separation_curve(np.array([1.0, 2.0, 2.0, 3.0]), Cohort.read(4, [False, False, True, True]))
    >>> curve.cutoff.tolist(), curve.goods.tolist(), curve.bads.tolist()
    ([1.0, 2.0, 3.0, inf], [0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    >>> curve.auc, curve.accuracy_ratio, curve.ks, curve.ks_at
    (0.875, 0.75, 0.5, 2.0)
    """
    counted = cohort.known & (cohort.weight > 0)
    levels, place = np.unique(score[counted], return_inverse=True)
    good, weight = cohort.good[counted], cohort.weight[counted]
    if good.all() or not good.any():
        return None
    held = [exact_bincount(place[side], weight[side], levels.size) for side in (good, ~good)]
    goods, bads = (_shares_below(each) for each in held)
    whole = [exact_sum(weight[side]) for side in (good, ~good)]
    rows = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=levels.size))])
    return SeparationCurve(
        cutoff=np.append(levels, np.inf), goods=goods, bads=bads, below=rows, bad_rate=whole[1] / (whole[0] + whole[1])
    )


def _shares_below(held: Floats) -> Floats:
    """(m + 1,) of weights by score, the share below each score and below infinity."""
    sums = np.concatenate([[0.0], np.cumsum(held)])
    shares: Floats = sums / sums[-1]
    return shares
