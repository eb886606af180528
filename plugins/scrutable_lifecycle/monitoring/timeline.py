"""The baseline, all new applicants, and each period of them, measured alike."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scrutable.data import Bools
from scrutable.measures import ScoreBands, Stability
from scrutable.model import DecisionModel
from scrutable_lifecycle.monitoring.characteristics import characteristic_stability
from scrutable_lifecycle.monitoring.model_drift import (
    is_compared,
    score_bands,
    score_stability,
    sizes_of,
    within_segment,
)
from scrutable_lifecycle.monitoring.outcomes import Measuring
from scrutable_lifecycle.monitoring.performance import Period, measured_period
from scrutable_lifecycle.monitoring.profiles import Profiles
from scrutable_lifecycle.monitoring.sample import Sample


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timeline:
    """Two samples, whole and by segment, and how they are measured.

    Parameters
    ----------
    before, now : the baseline and the new applicants.
    fixed : bands of the score, made of the baseline.
    bands : how many bands a feature with many cells is divided into.
    """

    before: Sample
    now: Sample
    measuring: Measuring
    fixed: ScoreBands
    bands: int

    @classmethod
    def of(cls, model: DecisionModel, before: Sample, now: Sample, measuring: Measuring, bands: int) -> Timeline:
        """Fix the bands on the baseline."""
        fixed = score_bands(model, before.profiles, bands)
        return cls(before=before, now=now, measuring=measuring, fixed=fixed, bands=bands)

    def baseline(self) -> Period:
        """All of the baseline."""
        segments = self._segments(self.before, None, 0)
        return measured_period(self.measuring, "baseline", self.before.profiles, segments=segments)

    def all_new(self) -> Period:
        """All new applicants. Where there are no segments, the index of the score is that of the only part."""
        before, now = self.before.profiles, self.now.profiles
        return measured_period(
            self.measuring,
            "new",
            now,
            place=1,
            psi=score_stability(self.fixed, before, now) if now.ranked_by == "probability" else None,
            segments=self._segments(self.now, None, 1),
        )

    def periods(self) -> tuple[Period, ...]:
        """The new applicants by period; none without dates."""
        return tuple(self._period(name, place) for place, name in enumerate(self.now.periods or ()))

    def _period(self, name: str, place: int) -> Period:
        before, now = self.before.profiles, self.now.profiles
        rows = _of_period(now, place)
        return measured_period(
            self.measuring,
            name,
            now,
            rows,
            place=place + 2,
            psi=score_stability(self.fixed, before, now, rows) if now.weight[rows].any() else None,
            csi=self._characteristics(place),
            segments=self._segments(self.now, place, place + 2),
        )

    def _characteristics(self, period: int) -> tuple[Stability, ...]:
        """The index of each characteristic on a period's applicants, of segments in the segment's name."""
        stabilities: list[Stability] = []
        for before, now in zip(self.before.parts, self.now.parts, strict=True):
            if not is_compared(before) or now.profiles is None:
                continue
            assert before.profiles is not None
            chosen = _of_period(now.profiles, period)
            if now.profiles.weight[chosen].any():
                within = within_segment(now.segment)
                sizes = sizes_of(before.profiles, now.profiles, chosen)
                indices = characteristic_stability(before, now, self.bands, sizes, period)
                stabilities += [replace(each, name=f"{each.name}{within}") for each in indices]
        return tuple(stabilities)

    def _segments(self, sample: Sample, period: int | None, place: int) -> tuple[Period, ...]:
        """The applicants of a sample, or of a period, by segment."""
        measured = []
        for part in sample.parts:
            if part.segment is None or part.profiles is None:
                continue
            rows = _of_period(part.profiles, period)
            if rows.any():
                measured.append(measured_period(self.measuring, part.segment, part.profiles, rows, place=place))
        return tuple(measured)


def _of_period(profiles: Profiles, period: int | None) -> Bools:
    """(k,) whose profile is of a period; of all without one."""
    return profiles.everybody if period is None else np.asarray(profiles.period == period, dtype=bool)
