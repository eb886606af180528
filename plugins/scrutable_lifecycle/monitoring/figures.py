"""What a monitoring measured, and what its thresholds say of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrutable.fairness import Thresholds
from scrutable.measures import RankedBy, Stability
from scrutable_lifecycle.monitoring.checks import Check, Status, check_index, check_period
from scrutable_lifecycle.monitoring.model_drift import ModelDrift, within_segment
from scrutable_lifecycle.monitoring.performance import Period
from scrutable_lifecycle.monitoring.reasons import ReasonDrift

#: Of two, the later one is the more serious.
_ORDER: tuple[Status, ...] = ("ok", "note", "warn", "alert")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MonitoringFigures:
    """What was measured of a model on new applicants beside a baseline.

    Parameters
    ----------
    model_kind, model_sha256, target, favourable : which model, and what it decides about.
    thresholds : what is an alert.
    ranked_by : what the AUC, the KS and the PSI of a period are about: the score, or of segments, whose scores may be
        on scales of their own, the calibrated probability of the favourable outcome.
    baseline, new : all applicants of the two samples.
    periods : the new applicants by period; empty without dates.
    segments : the index of the segments' shares; None for a model without segments.
    parts : the model, or each of its segments.
    reasons : the reasons of the declined; None where the model gives none.
    missing : what could not be measured, and what it would take.

    The order of `checks` is that of the parts: score and characteristics, then periods, groups and reasons.
    """

    model_kind: str
    model_sha256: str
    target: str
    favourable: str
    thresholds: Thresholds
    ranked_by: RankedBy
    baseline: Period
    new: Period
    periods: tuple[Period, ...]
    segments: Stability | None
    parts: tuple[ModelDrift, ...]
    reasons: ReasonDrift | None
    missing: tuple[str, ...]

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every figure that has a threshold."""
        return tuple(self._checks())

    @property
    def alerts(self) -> tuple[Check, ...]:
        """The checks that are alerts."""
        return tuple(check for check in self.checks if check.status == "alert")

    @property
    def status(self) -> Status:
        """The most serious status of all checks."""
        return max((check.status for check in self.checks), key=_ORDER.index, default="ok")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        checks = self.checks
        return {
            "status": self.status,
            "alerts": [check.to_dict() for check in checks if check.status == "alert"],
            "model": {
                "kind": self.model_kind,
                "sha256": self.model_sha256,
                "target": self.target,
                "favourable": self.favourable,
            },
            "thresholds": self.thresholds.to_dict(),
            "checks": [check.to_dict() for check in checks],
            "ranked_by": self.ranked_by,
            "baseline": self.baseline.to_dict(),
            "new": self.new.to_dict(),
            "periods": [period.to_dict() for period in self.periods],
            "segments": None if self.segments is None else self.segments.to_dict(),
            "parts": [part.to_dict() for part in self.parts],
            "reasons": None if self.reasons is None else self.reasons.to_dict(),
            "missing": list(self.missing),
        }

    def _checks(self) -> Iterator[Check]:
        limits = self.thresholds
        if self.segments is not None:
            yield check_index("psi", self.segments, limits, subject="segments")
        for part in self.parts:
            yield from _part_checks(part, limits)
        for period in (self.new, *self.periods):
            yield from check_period(period, self.baseline, limits)
        if self.reasons is not None:
            yield check_index("psi", self.reasons.first, limits)


def _part_checks(part: ModelDrift, limits: Thresholds) -> Iterator[Check]:
    within = within_segment(part.segment)
    if part.score is not None:
        yield check_index("psi", part.score, limits, subject=f"score{within}")
    for each in part.characteristics:
        yield check_index("csi", each, limits, subject=f"{each.name}{within}")
    for each in part.rules:
        yield check_index("csi", each, limits, subject=f"rule {each.name}{within}")
