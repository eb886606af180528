"""Decisions, separation, calibration and groups of the applicants of a period."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scrutable.data import Bools
from scrutable.fairness import FourFifths, Performance
from scrutable.measures import Stability
from scrutable.writing import plain
from scrutable_lifecycle.monitoring.disparity import GroupPeriod, group_periods
from scrutable_lifecycle.monitoring.outcomes import Calibrated, Measuring
from scrutable_lifecycle.monitoring.profiles import Profiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """What a model did in a period. What is undefined is NaN, what cannot be measured None.

    Parameters
    ----------
    rows, weight : number of applicants, and the sum of their weights.
    mean_score, mean_pd : of all applicants; PD is the probability of the unfavourable outcome. The votes of a rule set
        are no probability, so it has none. Scores of segments are on scales of their own, and have no common mean.
    outcomes : weighted number of applicants whose outcome is known; `bad_rate` is theirs.
    performance : AUC, Gini and KS on these, of segments those of the probability; None where one of the outcomes does
        not occur.
    calibrated : expected and observed bad rate; None without outcomes or without a PD.
    four_fifths : the ratio of each protected attribute.
    psi : the index of the score, or of segments that of the probability, against the baseline, in the baseline's
        bands; None for the baseline, and for all new applicants where `Part.score` has it.
    csi : the index of each characteristic; of periods only.
    segments : the same of each segment's applicants, by the segment's own score and without groups.
    """

    name: str
    rows: int
    weight: float
    approval_rate: float
    mean_score: float
    mean_pd: float
    outcomes: float
    bad_rate: float
    bad_rate_among_approved: float
    performance: Performance | None
    calibrated: Calibrated | None
    groups: tuple[GroupPeriod, ...]
    four_fifths: tuple[FourFifths, ...] = ()
    psi: Stability | None = None
    csi: tuple[Stability, ...] = ()
    segments: tuple[Period, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "name": self.name,
            "rows": self.rows,
            "weight": self.weight,
            "approval_rate": plain(self.approval_rate),
            "mean_score": plain(self.mean_score),
            "mean_pd": plain(self.mean_pd),
            "outcomes": self.outcomes,
            "bad_rate": plain(self.bad_rate),
            "bad_rate_among_approved": plain(self.bad_rate_among_approved),
            "performance": None if self.performance is None else self.performance.to_dict(),
            "calibration": None if self.calibrated is None else self.calibrated.to_dict(),
            "psi": None if self.psi is None else self.psi.to_dict(),
            "csi": [each.summary() for each in self.csi],
            "groups": [each.to_dict() for each in self.groups],
            "four_fifths": [each.to_dict() for each in self.four_fifths],
            "segments": [each.to_dict() for each in self.segments],
        }


def measured_period(
    measuring: Measuring,
    name: str,
    sample: Profiles,
    rows: Bools | None = None,
    *,
    place: int = 0,
    psi: Stability | None = None,
    csi: tuple[Stability, ...] = (),
    segments: tuple[Period, ...] = (),
) -> Period:
    """Measure some rows, or all of them; `place` numbers the period, so that each has draws of its own."""
    rows = sample.everybody if rows is None else rows
    known, approved = rows & sample.known, sample.approved
    groups, four_fifths = group_periods(measuring, sample, rows, place)
    return Period(
        name=name,
        rows=int(sample.count[rows].sum()),
        weight=sample.size(rows),
        approval_rate=sample.mean(approved, rows),
        mean_score=math.nan if sample.segment is not None else sample.mean(sample.score, rows),
        mean_pd=sample.mean(1.0 - sample.probability, rows) if measuring.calibrated else math.nan,
        outcomes=sample.size(known),
        bad_rate=sample.mean(~sample.good, known),
        bad_rate_among_approved=sample.mean(~sample.good, known & approved),
        performance=measuring.separation(sample, rows, place=place),
        calibrated=measuring.calibration(sample, rows),
        groups=groups,
        four_fifths=four_fifths,
        psi=psi,
        csi=csi,
        segments=segments,
    )
