"""Rating grades: bands of the score, each with a name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.data.values import double, name, text, unique
from scrutable.errors import ModelError
from scrutable.model.conditions import Extended


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A band of the score: from `at_least` points up to the grade before it.

    Parameters
    ----------
    name : what the applicant is given, for example "A".
    at_least : the lowest score of the grade; minus infinity for the last one.
    label : what the grade stands for, in words.

    Examples
    --------
    >>> Grade(name="A", at_least=620).name
    'A'
    """

    name: str
    at_least: Extended = -math.inf
    label: str = ""

    def __post_init__(self) -> None:
        name(self.name, "name of a grade")
        text(self.label, f"label of grade {self.name!r}")
        object.__setattr__(self, "at_least", double(self.at_least, f"grade {self.name!r}"))


def check_grades(grades: Sequence[Grade]) -> None:
    """Refuse grades that leave a score without one, or that no score can have."""
    unique(tuple(grade.name for grade in grades), "names of grades")
    limit = math.inf
    for grade in grades[:-1]:
        if grade.at_least == -math.inf:
            where, fix = f"grade {grade.name!r}", "list grades from the highest score to the lowest"
            raise ModelError("only the last grade has no lowest score", where=where, fix=fix)
    for grade in grades:
        where = f"grade {grade.name!r}"
        if grade.at_least >= limit:
            allowed = f"below {limit!r}"
            fix = "list grades from the highest score to the lowest"
            raise ModelError("no score can have the grade", where=where, got=grade.at_least, allowed=allowed, fix=fix)
        limit = grade.at_least
    if grades and limit > -math.inf:
        raise ModelError(
            "low scores have no grade", where=where, got=limit, fix="leave out `at_least` of the last grade"
        )
