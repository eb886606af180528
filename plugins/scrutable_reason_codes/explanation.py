"""What the explainer says of one applicant."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from scrutable.writing import decimals_apart, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason: its code, its text, and by how much the applicant falls short.

    Knock-outs and overrides fall short by nothing, and a score adjustment by the points that it takes away; otherwise
    `characteristic`, `value` and `attribute` say what was found in the file, `title` is the characteristic's label, and
    `measure` says in what `points_short` is counted, and `turns` what points do as the number rises, where they neither
    rise nor fall throughout. An interaction has no single `value`.
    """

    code: str
    text: str
    points_short: float | None = None
    characteristic: str | None = None
    title: str | None = None
    value: float | str | None = None
    attribute: str | None = None
    measure: str = "points below the baseline"
    turns: str | None = None

    def describe(self) -> str:
        """The reason as a line of text.

        >>> Reason(code="R02", text="Savings", points_short=12.34, attribute="'< 100 DM'").describe()
        "Savings: '< 100 DM' (12.3 points below the baseline)"

        Where the text is not the characteristic's label, as with codes that several share, the label stands before
        what was found. Where neither more nor less is better throughout, it says so.

        >>> print(Reason(code="R03", text="Age", points_short=9.5, attribute=">= 70",
        ...              turns="rise up to [50, 60) and fall above").describe())
        Age: >= 70 (9.5 points below the baseline; points rise up to [50, 60) and fall above)
        """
        if self.points_short is None:
            return self.text
        short = f"{self.points_short:.1f}" if self.points_short >= 1 else f"{self.points_short:.2g}"
        if self.attribute is None:
            return f"{self.text} ({short} {self.measure})"
        named = "" if self.title in (None, self.text) else f"{self.title} "
        turns = "" if self.turns is None else f"; points {self.turns}"
        return f"{self.text}: {named}{self.attribute} ({short} {self.measure}{turns})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonExplanation:
    """The decision on the applicant in one row, and why.

    Parameters
    ----------
    reasons : principal reasons of the decision, most important first; a knock-out comes before all others.
    key_factors : what adversely affected the score, most important first: four at most, and the number of inquiries
        beyond that where it is one (15 U.S.C. 1681g(f)(1)(C), (9)). Knock-outs are none; where a knock-out alone
        declined, and the score did not, there are none at all.
    segment : the applicant's segment, whose score, cutoff and reasons these are; None where the model has none.
    override : the code of the override that decided in the place of the score; None where none did.
    adjustment : points of score adjustments in the score; None where the model has none.
    grade : the grade of the score; None where the model has none.
    """

    row: int
    score: float
    cutoff: float
    probability: float
    approved: bool
    reasons: tuple[Reason, ...]
    key_factors: tuple[Reason, ...] = ()
    segment: str | None = None
    override: str | None = None
    adjustment: float | None = None
    grade: str | None = None

    def describe(self) -> str:
        """A line for the decision, then one for each reason, whatever the texts of the model hold.

        Score and cutoff have as many decimals as tell them apart.

        >>> near = ReasonExplanation(row=0, score=0.0229, cutoff=0.044, probability=0.5, approved=False, reasons=())
        >>> print(near.describe())
        Declined: score 0.023, cutoff 0.044
         nothing falls below the baseline
        """
        decision = "Approved" if self.approved else "Declined"
        reasons = [f" {place}. {reason.code} {reason.describe()}" for place, reason in enumerate(self.reasons, 1)]
        hidden = self.override is not None and not self.approved
        nothing = " no reason that may be told" if hidden else " nothing falls below the baseline"
        lines = reasons or [nothing]
        segment = "" if self.segment is None else f", segment {self.segment!r}"
        grade = "" if self.grade is None else f", grade {self.grade}"
        override = "" if self.override is None else f", decided by override {self.override}"
        digits = decimals_apart([self.score, self.cutoff])
        first = f"{decision}: score {self.score:.{digits}f}, cutoff {self.cutoff:.{digits}f}{segment}{grade}{override}"
        return "\n".join(map(visible, [first, *lines]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; infinite values are the texts "inf" and "-inf", as in model files."""
        return asdict(self, dict_factory=_plain)


def _plain(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {key: str(value) if isinstance(value, float) and math.isinf(value) else value for key, value in items}
