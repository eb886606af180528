"""Figures held against their thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from scrutable.fairness import MISSING, FourFifths, Thresholds
from scrutable.measures import Interval, Stability
from scrutable.writing import in_digits, plain_fields
from scrutable_lifecycle.monitoring.disparity import GroupPeriod
from scrutable_lifecycle.monitoring.performance import Period

#: Figures are quotients and sums: by so little, one at its threshold may seem to lie beyond it.
ROUNDING = 1e-12

#: `note`: beyond a threshold, or perhaps so, but on too few rows to tell.
Status = Literal["ok", "note", "warn", "alert"]
Figure = Literal["psi", "csi", "auc-drop", "calibration", "four-fifths-ratio", "adverse-impact-ratio"]

_WORDS: dict[Figure, str] = {
    "psi": "PSI",
    "csi": "CSI",
    "auc-drop": "Fall of the AUC",
    "calibration": "Observed / expected bad rate",
    "four-fifths-ratio": "Four-fifths ratio",
    "adverse-impact-ratio": "Adverse impact ratio",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A figure, its threshold, and what became of it.

    Parameters
    ----------
    figure : which figure.
    subject : of what: the score, a characteristic, a group.
    period : of which applicants: "new" for all of them, or a period's name.
    value, threshold : the figure, and the limit that it is beyond; of one within, the limit that makes it an alert.
    note : what else is to be known of it, such as its interval.
    """

    figure: Figure
    subject: str
    period: str
    value: float
    threshold: float
    status: Status
    note: str = ""

    @property
    def title(self) -> str:
        """The figure in words."""
        return _WORDS[self.figure]

    def describe(self) -> str:
        """The check as a line.

        >>> Check(figure="psi", subject="score", period="new", value=0.3, threshold=0.25, status="alert").describe()
        'PSI of score (new): 0.300, threshold 0.25'
        """
        more = f"; {self.note}" if self.note else ""
        value = "undefined" if math.isnan(self.value) else f"{self.value:.3f}"
        return f"{self.title} of {self.subject} ({self.period}): {value}, threshold {self.threshold:g}{more}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


def check_index(
    figure: Literal["psi", "csi"], stability: Stability, limits: Thresholds, *, subject: str = "", period: str = "new"
) -> Check:
    """A stability index beside its warning and its alert."""
    warn, alert = (limits.psi_warn, limits.psi_alert) if figure == "psi" else (limits.csi_warn, limits.csi_alert)
    status: Status = "alert" if stability.index >= alert else "warn" if stability.index >= warn else "ok"
    if limits.significant and status != "ok" and stability.p_value >= 1 - limits.confidence:
        status = "note"
    return Check(
        figure=figure,
        subject=subject or stability.name,
        period=period,
        value=stability.index,
        threshold=warn if warn <= stability.index < alert else alert,
        status=status,
        note=f"without drift {stability.expected_index:.3f} on average, {p_words(stability.p_value)}",
    )


def p_words(p_value: float) -> str:
    """A p-value in words.

    >>> p_words(0.034), p_words(1e-12), p_words(math.nan)
    ('p 0.034', 'p < 0.0001', 'no p-value')
    """
    if math.isnan(p_value):
        return "no p-value"
    return "p < 0.0001" if p_value < 0.0001 else f"p {p_value:.2g}"


def check_period(period: Period, baseline: Period, limits: Thresholds) -> Iterator[Check]:
    """The figures of a period that can be measured."""
    if period.psi is not None:
        yield check_index("psi", period.psi, limits, period=period.name)
    if period.performance is not None and baseline.performance is not None:
        yield _auc_drop(period, baseline, limits)
    if period.calibrated is not None and not math.isnan(period.calibrated.ratio):
        yield _calibration(period, limits)
    if limits.ratio == "four-fifths":
        for ratio in period.four_fifths:
            yield from _four_fifths(ratio, period, baseline, limits)
        return
    by_name = {(each.attribute, each.group): each for each in period.groups}
    for group in period.groups:
        if group.judged and not math.isnan(group.approval_rate):
            yield from _adverse_impact(group, by_name[group.attribute, group.reference], period.name, baseline, limits)


def _auc_drop(period: Period, baseline: Period, limits: Thresholds) -> Check:
    assert period.performance is not None
    assert baseline.performance is not None
    auc, before = period.performance.auc, baseline.performance.auc
    interval = period.performance.auc_interval
    status: Status = "ok"
    if before - auc > limits.auc_drop + ROUNDING:
        status = "note" if period.performance.small else "alert" if interval[1] < before else "warn"
    return Check(
        figure="auc-drop",
        subject="score",
        period=period.name,
        value=before - auc,
        threshold=limits.auc_drop,
        status=status,
        note=f"AUC {before:.3f} before, {auc:.3f} now, {_interval_words(interval, limits)}",
    )


def _calibration(period: Period, limits: Thresholds) -> Check:
    calibrated = period.calibrated
    assert calibrated is not None
    few = math.isnan(calibrated.interval[0])
    status: Status = "ok"
    if not limits.calibration_low - ROUNDING <= calibrated.ratio <= limits.calibration_high + ROUNDING:
        status = "note" if few else "alert" if calibrated.p_value < 1 - limits.confidence else "warn"
    sure = "too few outcomes to tell" if few else p_words(calibrated.p_value)
    return Check(
        figure="calibration",
        subject="known outcomes",
        period=period.name,
        value=calibrated.ratio,
        threshold=limits.calibration_low if calibrated.ratio < 1 else limits.calibration_high,
        status=status,
        note=f"expected {calibrated.expected:.1%}, observed {calibrated.observed:.1%}, {sure}",
    )


def _four_fifths(four_fifths: FourFifths, period: Period, baseline: Period, limits: Thresholds) -> Iterator[Check]:
    """The check of an attribute's ratio; a note where there is none, as groups are small or nobody is approved."""
    seen = [each for each in period.groups if each.attribute == four_fifths.attribute and each.size]
    if sum(each.group != MISSING for each in seen) < 2:
        return
    status, note = _judged(four_fifths.ratio, four_fifths.interval, limits)
    if math.isnan(four_fifths.ratio):
        few = "fewer than two groups have enough applicants to judge"
        status, note = "note", few if len(four_fifths.groups) < 2 else "nobody of these groups is approved"
    left_out = ", ".join(map(repr, four_fifths.too_small))
    note += (
        f"; too few applicants to judge, left out: {left_out}" if left_out else f"; {len(four_fifths.groups)} groups"
    )
    before = [each.ratio for each in baseline.four_fifths if each.attribute == four_fifths.attribute]
    if before and not math.isnan(before[0]):
        note += f"; baseline {before[0]:.3f}"
    yield Check(
        figure="four-fifths-ratio",
        subject=four_fifths.title,
        period=period.name,
        value=four_fifths.ratio,
        threshold=limits.impact_ratio,
        status=status,
        note=note,
    )


def _adverse_impact(
    group: GroupPeriod, reference: GroupPeriod, period: str, baseline: Period, limits: Thresholds
) -> Iterator[Check]:
    """The check of a ratio; where nobody of the reference is approved there is none, and that is worth a note."""
    if math.isnan(reference.approval_rate):
        return
    status, note = _judged(group.impact_ratio, group.impact_ratio_interval, limits)
    if math.isnan(group.impact_ratio):
        status, note = "note", "nobody of the reference is approved, so there is no ratio"
    if group.small or reference.small:
        smallest = min(group.effective_size, reference.effective_size)
        status, note = "note", f"{in_digits(smallest)} applicants are too few to judge; {note}"
    before = [each for each in baseline.groups if (each.attribute, each.group) == (group.attribute, group.group)]
    if before and not math.isnan(before[0].impact_ratio):
        note += f"; baseline {before[0].impact_ratio:.3f}"
    yield Check(
        figure="adverse-impact-ratio",
        subject=f"{group.attribute}: {group.group} / {group.reference}",
        period=period,
        value=group.impact_ratio,
        threshold=limits.impact_ratio,
        status=status,
        note=note,
    )


def _judged(ratio: float, interval: Interval, limits: Thresholds) -> tuple[Status, str]:
    """A ratio held against its threshold, and its interval in words; without an interval it is never significant."""
    least = limits.impact_ratio - ROUNDING
    status: Status = "ok" if ratio >= least else "alert"
    if status == "alert" and limits.significant and not interval[1] < least:
        status = "note"
    return status, _interval_words(interval, limits)


def _interval_words(interval: Interval, limits: Thresholds) -> str:
    low, high = interval
    return "no interval" if math.isnan(low) else f"{limits.confidence:.0%} interval {low:.3f} to {high:.3f}"
