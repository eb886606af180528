"""Drift of the reasons that the declined are given."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrutable.measures import Stability, stability
from scrutable_lifecycle.monitoring.sample import Sample

#: How the first reason of a declined applicant is called where no feature falls short of its baseline.
NO_REASON = "(no reason)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeShare:
    """Shares of the declined that a reason code is the first reason of, and any reason of."""

    code: str
    text: str
    first_baseline: float
    first_new: float
    any_baseline: float
    any_new: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonDrift:
    """How the reasons of declines moved.

    Parameters
    ----------
    baseline_declined, new_declined : weighted number of the declined.
    first : the index of the first reasons.
    codes : the shares of each code, the largest change of a share first.
    """

    baseline_declined: float
    new_declined: float
    first: Stability
    codes: tuple[CodeShare, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "declined": {"baseline": self.baseline_declined, "new": self.new_declined},
            "first": self.first.to_dict(),
            "codes": [asdict(each) for each in self.codes],
        }


def reason_drift(baseline: Sample, new: Sample) -> ReasonDrift | None:
    """Compare the reasons of the declined; None where the model gives none, or nobody is declined on a side.

    The declined of segments without a reason policy are left out: that they are given no reason says nothing.
    """
    texts = new.reasons.texts
    declined = [
        sample.reasons.counts(sample.profiles.approved, sample.profiles.weight, sample.profiles.segment)
        for sample in (baseline, new)
    ]
    if not texts or not all(rows.any() for rows in declined):
        return None
    codes = [*texts, NO_REASON]
    (first, some), (first_now, some_now) = ((each.reasons.first, each.reasons.any) for each in (baseline, new))
    both = list(zip((baseline.profiles, new.profiles), declined, strict=True))
    n, m = (profiles.size(rows) for profiles, rows in both)
    before, now = (profiles.effective_size(rows) for profiles, rows in both)
    shares = [
        CodeShare(
            code=code,
            text=texts.get(code, "nothing falls short of its baseline"),
            first_baseline=float(first[i]) / n,
            first_new=float(first_now[i]) / m,
            any_baseline=float(some[i]) / n,
            any_new=float(some_now[i]) / m,
        )
        for i, code in enumerate(codes)
        if some[i] or some_now[i]
    ]
    shares.sort(key=_change, reverse=True)
    return ReasonDrift(
        baseline_declined=n,
        new_declined=m,
        first=stability("first reason", codes, first, first_now, sizes=(before, now)),
        codes=tuple(shares),
    )


def _change(code: CodeShare) -> float:
    """Largest change of a share; rounded, so that rounding does not order equal ones."""
    return round(max(abs(code.first_new - code.first_baseline), abs(code.any_new - code.any_baseline)), 12)
