"""A line of a model that reasons come from, and the codes that it can give."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from scrutable_documents.common.part import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A code that a line can give.

    Parameters
    ----------
    feature : whose code it is; None for a knock-out.
    short : points, or votes, that the line makes the feature fall short by; None where that takes more than the line.
    most : of a leaf, the most that it can add to the shortfall of an applicant, who need not get there.
    """

    code: str
    text: str
    feature: str | None = None
    short: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An attribute, a rule, a leaf or a knock-out.

    Parameters
    ----------
    kind : what it is; a "step" is an attribute that trees of a single feature add up to.
    of : the feature of an attribute; what people call a rule or a tree.
    words : when it applies, in words.
    points : of an attribute, the weight of a rule, the value of a leaf.
    baseline : what the points of an attribute are compared with.
    votes_for : the class of a rule.
    share : of the applicants to whom it applies; None where that is not known.
    codes : none where nothing can fall short here.
    """

    kind: Literal["attribute", "step", "rule", "fallback", "leaf", "knock-out"]
    of: str
    words: str
    points: float | None = None
    baseline: float | None = None
    votes_for: str | None = None
    share: float | None = None
    codes: tuple[Carried, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether some code can come of it by itself."""
        return any(each.short is not None and each.short > 0 for each in self.codes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def carried(part: Part, feature: str, short: float | None, most: float | None = None) -> tuple[Carried, ...]:
    """The code of a feature, where the model has a reason policy in which the feature can be a reason."""
    if part.policy is None or feature not in part.policy.codes:
        return ()
    code = part.policy.codes[feature]
    return (Carried(code=code, text=part.text(code), feature=feature, short=short, most=most),)
