"""The disclosure of a credit score that a decision used (15 U.S.C. 1681m(a)(2), 1681g(f)(1))."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError
from scrutable.errors.checks import check_mapping
from scrutable.model import FrozenMapping
from scrutable_documents.common.clean import cleaned, one_text, several
from scrutable_documents.notices.dates import checked_date

#: At most four key factors, and inquiries beside them where they are one (15 U.S.C. 1681g(f)(1)(C) and (9)).
MOST_FACTORS = 4

_COLUMNS = ("created_column", "column", "inquiries_column")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDisclosure:
    """Which score was used, and where each applicant's is found.

    Parameters
    ----------
    name : of the score.
    lowest, highest : the range of possible scores.
    ranges : the lowest and the highest possible score by segment, where the score is that of a model of segments and
        the scores of a segment have another range.
    supplier : who provided the score, or the file that it was created from.
    created : the date it was created on, in ISO form, where it is the same for everybody.
    created_column : the column that holds it otherwise.
    column : the column that holds the score; the model's own score if None.
    factor_columns : with `column`: columns of the texts of the key factors that came with the score, in their order.
        At most four. The key factors of the model's own score are the model's.
    inquiries_column : with `column`: a column that says so, in words, where the number of inquiries was a key factor
        and is none of the four.

    Raises
    ------
    InputError : a range that is none, no date or two, or a score from elsewhere without its key factors.

    Examples
    --------
    >>> ScoreDisclosure(name="Score", lowest=300, highest=850, supplier="Agency", created="2026-11-20").column is None
    True
    """

    name: str
    lowest: float
    highest: float
    supplier: str
    created: str | None = None
    created_column: str | None = None
    column: str | None = None
    factor_columns: tuple[str, ...] = ()
    inquiries_column: str | None = None
    ranges: Mapping[str, Sequence[float]] = FrozenMapping()

    def __post_init__(self) -> None:
        for key in ("name", "supplier"):
            kept = cleaned(one_text(getattr(self, key), f"score: {key}"))
            if not kept:
                raise InputError("it must not be empty", where=f"score: {key}", fix="fill it in")
            object.__setattr__(self, key, kept)
        for key in _COLUMNS:
            if getattr(self, key) is not None:
                one_text(getattr(self, key), f"score: {key}")
        _check_range((self.lowest, self.highest), "score: lowest, highest")
        self._check_ranges()
        if (self.created is None) == (self.created_column is None):
            raise InputError(
                "a score was created on one date", where="score: created", fix="give created or created_column"
            )
        if self.created is not None:
            object.__setattr__(self, "created", checked_date(self.created, "score: created"))
        self._check_factors()

    def range_of(self, segment: str | None) -> tuple[float, float]:
        """The lowest and the highest possible score of a segment; None where there are no segments."""
        lowest, highest = self.ranges.get(segment or "", (self.lowest, self.highest))
        return float(lowest), float(highest)

    def _check_ranges(self) -> None:
        check_mapping(self.ranges, "score: ranges", "{'thin file': [300, 600]}")
        for segment, ends in self.ranges.items():
            _check_range(ends, f"score: ranges: {segment}")
        if self.ranges and self.column is not None:
            raise InputError(
                "ranges by segment are of the model's own score",
                where="score: ranges",
                got=list(self.ranges),
                fix="leave them out, or leave column out",
            )
        object.__setattr__(self, "ranges", FrozenMapping({name: tuple(ends) for name, ends in self.ranges.items()}))

    def _check_factors(self) -> None:
        where = "score: factor_columns"
        object.__setattr__(self, "factor_columns", several(self.factor_columns, where))
        got = list(self.factor_columns)
        elsewhere = self.column is not None
        if elsewhere != bool(got) or (self.inquiries_column is not None and not elsewhere):
            raise InputError(
                "key factors belong to their score",
                where=where,
                got=got,
                fix="give column and factor_columns, or neither for the model's own score and factors",
            )
        if len(got) > MOST_FACTORS:
            fix = "name the column of inquiries as inquiries_column, if it is one of them"
            raise InputError("too many key factors", where=where, got=got, allowed=f"{MOST_FACTORS} at most", fix=fix)


def _check_range(given: Any, where: str) -> None:
    two = isinstance(given, list | tuple) and len(given) == 2
    numbers = two and all(type(each) in (int, float) and math.isfinite(each) for each in given)
    if not numbers or given[0] >= given[1]:
        raise InputError("not a range of scores", where=where, got=given, fix="give two numbers, the lower one first")
