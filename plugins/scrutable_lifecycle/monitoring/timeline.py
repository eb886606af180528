"""The baseline, all new applicants, and each period of them, measured alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable.data import Bools
from scrutable.measures import ScoreBands, Scored, Stability
from scrutable.model import DecisionModel
from scrutable_lifecycle.monitoring.characteristics import characteristic_stability
from scrutable_lifecycle.monitoring.model_drift import Inside, insides_of_both, score_bands
from scrutable_lifecycle.monitoring.outcomes import Measuring
from scrutable_lifecycle.monitoring.performance import Period, measured_period
from scrutable_lifecycle.monitoring.periods import PeriodKind, periods_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timeline:
    """Two samples, whole and by segment, and how they are measured.

    Parameters
    ----------
    before, now : the baseline and the new applicants.
    inside : of each segment, or of the whole model, its applicants of either.
    fixed : bands of the score, made of the baseline.
    bands : how many bands a feature with many cells is divided into.
    """

    before: Scored
    now: Scored
    inside: tuple[tuple[Inside, Inside], ...]
    measuring: Measuring
    fixed: ScoreBands
    bands: int

    @classmethod
    def of(cls, model: DecisionModel, before: Scored, now: Scored, measuring: Measuring, bands: int) -> Timeline:
        """Divide both samples by segment, and fix the bands on the baseline."""
        inside = insides_of_both(model, before, now)
        fixed = score_bands(model, before, bands)
        return cls(before=before, now=now, inside=inside, measuring=measuring, fixed=fixed, bands=bands)

    def baseline(self) -> Period:
        """All of the baseline."""
        rows = np.ones(self.before.cohort.rows, dtype=bool)
        segments = self._segments([before for before, _ in self.inside], rows, 0)
        return measured_period(self.measuring, "baseline", self.before, segments=segments)

    def all_new(self) -> Period:
        """All new applicants. Where there are no segments, the index of the score is that of the only part."""
        rows = np.ones(self.now.cohort.rows, dtype=bool)
        return measured_period(
            self.measuring,
            "new",
            self.now,
            place=1,
            psi=self.fixed.compare(self.before, self.now) if self.now.ranked_by == "probability" else None,
            segments=self._segments([now for _, now in self.inside], rows, 1),
        )

    def periods(self, dates: Any, period: PeriodKind) -> tuple[Period, ...]:
        """The new applicants by period."""
        return tuple(
            self._period(name, rows, place)
            for place, (name, rows) in enumerate(periods_of(dates, period, self.now.cohort.rows), 2)
        )

    def _period(self, name: str, rows: Bools, place: int) -> Period:
        return measured_period(
            self.measuring,
            name,
            self.now,
            rows,
            place=place,
            psi=self.fixed.compare(self.before, self.now, rows) if self.now.cohort.weight[rows].any() else None,
            csi=self._characteristics(rows),
            segments=self._segments([now for _, now in self.inside], rows, place),
        )

    def _characteristics(self, rows: Bools) -> tuple[Stability, ...]:
        """The index of each characteristic on some of the new applicants, of segments in the segment's name."""
        stabilities: list[Stability] = []
        for before, now in self.inside:
            if before.sample is None or now.sample is None:
                continue
            chosen = rows[now.rows]
            if before.sample.cohort.weight.any() and now.sample.cohort.weight[chosen].any():
                within = "" if now.segment is None else f", segment {now.segment}"
                indices = characteristic_stability(now.model, before.sample, now.sample, self.bands, chosen)
                stabilities += [replace(each, name=f"{each.name}{within}") for each in indices]
        return tuple(stabilities)

    def _segments(self, insides: list[Inside], rows: Bools, place: int) -> tuple[Period, ...]:
        """Some applicants by segment, groups left out."""
        return tuple(
            measured_period(self.measuring, each.segment, _without_groups(each.sample), rows[each.rows], place=place)
            for each in insides
            if each.segment is not None and each.sample is not None and rows[each.rows].any()
        )


def _without_groups(sample: Scored) -> Scored:
    return replace(sample, cohort=replace(sample.cohort, groups=None))
