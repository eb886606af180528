"""What one notice says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from scrutable_documents.notices.lender import Lender


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedReason:
    """A reason's code and its text in the notice's language; a key factor of a score from elsewhere has no code."""

    code: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedScore:
    """The score that was used, as it is disclosed.

    Parameters
    ----------
    own : whether it is the model's, rather than one that came with a consumer report.
    created : the date it was created on, in ISO form.
    factors : what adversely affected the score, most important first.
    """

    own: bool
    name: str
    value: float
    lowest: float
    highest: float
    supplier: str
    created: str
    factors: tuple[StatedReason, ...]

    @property
    def shown(self) -> str:
        """The score as it is written: without decimals where it has none, else with two at most."""
        return shown_number(self.value)

    @property
    def range(self) -> tuple[str, str]:
        """The lowest and the highest possible score as they are written."""
        return shown_number(self.lowest), shown_number(self.highest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """An adverse-action notice to one applicant.

    Parameters
    ----------
    id : what the applicant is called by.
    row : the applicant's row, 1 being the first.
    date : of the notice, in ISO form.
    language : of the reasons; empty where they are the model's own texts, whose language it does not say.
    name, address : of the applicant; may be empty.
    reasons : the principal reasons of the decision, most important first.
    score : the score that was used, where one was.
    draft : whether it is not to be sent.
    """

    id: str
    row: int
    date: str
    language: str
    lender: Lender
    name: str
    address: tuple[str, ...]
    reasons: tuple[StatedReason, ...]
    score: UsedScore | None
    draft: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values = asdict(self)
        values["lender"].pop("score")  # where scores are found, which is not part of a notice
        if values["lender"]["bureau"] is not None:
            values["lender"]["bureau"].pop("columns")
        return values


def distinct(reasons: Iterable[StatedReason]) -> tuple[StatedReason, ...]:
    """The reasons without those whose text an earlier one has.

    >>> [reason.code for reason in distinct(StatedReason(code=code, text="Income") for code in ("R1", "R2"))]
    ['R1']
    """
    first: dict[str, StatedReason] = {}
    for reason in reasons:
        first.setdefault(reason.text, reason)
    return tuple(first.values())


def shown_number(value: float) -> str:
    """A number with two decimals at most, and none where it has none.

    >>> shown_number(640.0), shown_number(529.566)
    ('640', '529.57')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
