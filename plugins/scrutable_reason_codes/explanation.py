"""What the explainer says of one applicant."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason: its code, its text, and by how many points the applicant falls short of the baseline.

    A knock-out has no points; otherwise `characteristic`, `value` and `attribute` say what was found in the file.
    """

    code: str
    text: str
    points_short: float | None = None
    characteristic: str | None = None
    value: float | str | None = None
    attribute: str | None = None

    def describe(self) -> str:
        """The reason as a line of text.

        >>> Reason(code="R02", text="Savings", points_short=12.34, attribute="'< 100 DM'").describe()
        "Savings: '< 100 DM' (12.3 points below the baseline)"
        """
        if self.points_short is None:
            return self.text
        return f"{self.text}: {self.attribute} ({self.points_short:.1f} points below the baseline)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonExplanation:
    """The decision on the applicant in one row, and its reasons, most important first."""

    row: int
    score: float
    cutoff: float
    probability: float
    approved: bool
    reasons: tuple[Reason, ...]

    def describe(self) -> str:
        """A line for the decision, then one for each reason."""
        decision = "Approved" if self.approved else "Declined"
        reasons = [f" {place}. {reason.code} {reason.describe()}" for place, reason in enumerate(self.reasons, 1)]
        lines = reasons or [" nothing falls below the baseline"]
        return "\n".join([f"{decision}: score {self.score:.1f}, cutoff {self.cutoff:.1f}", *lines])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)
