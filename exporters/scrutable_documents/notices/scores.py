"""The score that was used for each applicant, from the model or from columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError
from scrutable_documents.common.clean import cleaned
from scrutable_documents.notices.dates import checked_date
from scrutable_documents.notices.notice import StatedReason, UsedScore, distinct
from scrutable_documents.notices.refusal import Refusals
from scrutable_documents.notices.score import ScoreDisclosure
from scrutable_documents.notices.values import Applicants


@dataclass(frozen=True, slots=True)
class Scores:
    """Columns that a disclosure reads; nothing where there is none."""

    disclosure: ScoreDisclosure | None
    values: Any = None
    created: list[Any] | None = None
    factors: tuple[list[str | None], ...] = ()

    @classmethod
    def read(cls, disclosure: ScoreDisclosure | None, applicants: Applicants) -> Scores:
        """Read the columns.

        Raises
        ------
        InputError : a column that is not there, or holds something else.
        """
        if disclosure is None:
            return cls(None)
        column, created, inquiries = disclosure.column, disclosure.created_column, disclosure.inquiries_column
        factors = [applicants.texts(each, "score: factor_columns") for each in disclosure.factor_columns]
        if inquiries is not None:
            factors.append(applicants.texts(inquiries, "score: inquiries_column"))
        return cls(
            disclosure,
            None if column is None else applicants.numbers(column, "score: column"),
            None if created is None else applicants.values(created, "score: created_column"),
            tuple(factors),
        )

    def used(
        self, place: int, explanation: Any, factors: tuple[StatedReason, ...], refusals: Refusals
    ) -> UsedScore | None:
        """The score that was used in declining an applicant, or None.

        Where the score is the model's, it was used if it failed the cutoff: otherwise a knock-out alone declined. A
        score from a column was used if the applicant has one.

        Parameters
        ----------
        explanation : the model's explanation, which has its score and the cutoff, those of the applicant's segment.
        factors : the key factors of the model's own score.
        """
        disclosure = self.disclosure
        if disclosure is None:
            return None
        own = self.values is None
        value = explanation.score if own else self.values[place]
        if explanation.score >= explanation.cutoff if own else math.isnan(value):
            return None
        lowest, highest = disclosure.range_of(explanation.segment if own else None)
        if not lowest <= value <= highest:
            refusals.add(place, f"with a score outside of {lowest:g} to {highest:g}")
        if not own:
            texts = (cleaned(column[place] or "") for column in self.factors)
            factors = distinct(StatedReason(code=None, text=text) for text in texts if text)
        return UsedScore(
            own=own,
            name=disclosure.name,
            value=float(value),
            lowest=lowest,
            highest=highest,
            supplier=disclosure.supplier,
            created=self._created(place, refusals),
            factors=factors,
        )

    def _created(self, place: int, refusals: Refusals) -> str:
        if self.created is None:
            assert self.disclosure is not None
            return str(self.disclosure.created)
        try:
            return checked_date(self.created[place], "score: created_column")
        except InputError:
            refusals.add(place, "whose score has no date of the form YYYY-MM-DD")
            return ""
