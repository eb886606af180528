"""What a comparison says of a model beside a search: its probabilities, and whom it decides otherwise than today."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from scrutable.data import min_cell
from scrutable.measures import ReliabilityCurve, Scored, SeparationCurve, reliability_of, separation_curve
from scrutable.writing import plain
from scrutable_lifecycle.strategy.counts import Counts, parts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Swapped:
    """Applicants whom one of two models approves and the other declines, as shares of all of them.

    Parameters
    ----------
    swapped_in, swapped_out : whom the challenger alone approves, and whom the champion alone.
    told : whether counts and bad rates may be told: neither part holds a few people only, see
        `scrutable.data.disclosure`. Where it does, all figures are NaN.
    """

    swapped_in: Counts
    swapped_out: Counts
    told: bool

    @classmethod
    def of(cls, champion: Scored, challenger: Scored) -> Swapped:
        """The swap set of two models' own decisions on the same applicants.

        >>> from scrutable import create
        >>> from scrutable.data import Cohort
        >>> from scrutable.data.datasets import make_credit
        >>> from scrutable.measures import score_cohort
        >>> data = make_credit(400, seed=1)
        >>> one, other = (create("learner", "scorecard", binner=create("binner", "quantile", max_bins=bins),
        ...               favourable=0).fit(data.X, data.y).model_ for bins in (2, 6))
        >>> cohort = Cohort.read(data.X, data.y == 0)
        >>> swapped = Swapped.of(score_cohort(one, cohort), score_cohort(other, cohort))
        >>> swapped.told, swapped.swapped_in.applicants > 0
        (True, True)
        """
        alone = (challenger.approved & ~champion.approved, champion.approved & ~challenger.approved)
        place = np.select(alone, (0, 1), -1)
        into, out = parts_of(replace(champion.cohort, groups=None), place, 2)
        few = [0 < int(part.sum()) < min_cell() for part in alone]
        return cls(swapped_in=into.counts, swapped_out=out.counts, told=not any(few))

    def figures(self) -> dict[str, float]:
        """Share and bad rate of both parts, by name; NaN where undefined or not told."""
        parts = {"swapped_in": self.swapped_in, "swapped_out": self.swapped_out}
        shares = {name: counts.share if self.told else nan for name, counts in parts.items()}
        rates = {f"{name}_bad_rate": counts.bad_rate if self.told else nan for name, counts in parts.items()}
        return shares | rates


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BesideChampion:
    """One model of a comparison on the rows that all are measured on.

    Parameters
    ----------
    calibration : predicted beside observed default rates.
    curve : how well it separates, cutoff by cutoff.
    swapped : its swap set with the champion, each at the cutoff that approves as many; None for the champion.
    """

    calibration: ReliabilityCurve
    curve: SeparationCurve | None
    swapped: Swapped | None

    @classmethod
    def of(cls, champion: Scored | None, own: Scored) -> BesideChampion:
        """What is measured of a model; `champion` is None where it is the champion itself."""
        return cls(
            calibration=reliability_of(replace(own, cohort=replace(own.cohort, groups=None))).overall,
            curve=separation_curve(own.ranking, own.cohort),
            swapped=None if champion is None else Swapped.of(champion, own),
        )

    def figures(self) -> dict[str, float]:
        """Flat figures by name, as a row of a frame has them; NaN where undefined."""
        undefined = dict.fromkeys(("swapped_in", "swapped_out", "swapped_in_bad_rate", "swapped_out_bad_rate"), nan)
        return {
            "expected_over_observed": self.calibration.expected_over_observed,
            "calibration_slope": self.calibration.slope,
            "calibration_intercept": self.calibration.intercept,
            "brier": self.calibration.brier.score,
        } | (undefined if self.swapped is None else self.swapped.figures())

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined, or not told."""
        calibration = {name: value for name, value in self.calibration.to_dict().items() if name != "bins"}
        swapped = None if self.swapped is None else {key: plain(own) for key, own in self.swapped.figures().items()}
        return {"calibration": calibration, "swapped": swapped}
