"""Weighted counts of a part of the applicants, overall and by group."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Cohort, favourable
from scrutable.errors import InputError
from scrutable.writing import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Applicants of a part by outcome; counts are sums of weights.

    Parameters
    ----------
    good, bad, unknown : applicants by outcome.
    share : of all applicants, or of all of the group.
    """

    good: float
    bad: float
    unknown: float
    share: float

    @property
    def applicants(self) -> float:
        """All of the part, whatever their outcome."""
        return self.good + self.bad + self.unknown

    @property
    def bad_rate(self) -> float:
        """Bad payers among those whose outcome is known; NaN where it is known of none."""
        return quotient(self.bad, self.good + self.bad)

    @property
    def odds(self) -> float:
        """Good payers for each bad one; NaN without a bad one."""
        return quotient(self.good, self.bad)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined.

        >>> Counts(good=3, bad=1, unknown=0, share=0.5).to_dict()["odds"]
        3.0
        """
        counts = {"applicants": self.applicants, "share": self.share, "good": self.good, "bad": self.bad}
        rates = {"unknown": self.unknown, "bad_rate": self.bad_rate, "odds": self.odds}
        return {name: plain(value) for name, value in (counts | rates).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCounts:
    """The applicants of one group in a part."""

    attribute: str
    group: str
    counts: Counts

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"attribute": self.attribute, "group": self.group, **self.counts.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPart:
    """A part of the applicants, overall and by group."""

    counts: Counts
    groups: tuple[GroupCounts, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**self.counts.to_dict(), "groups": [group.to_dict() for group in self.groups]}


#: Figures of counts, as columns of frames.
FIGURES = ("applicants", "share", "good", "bad", "unknown", "bad_rate", "odds")


def figures_of(counts: Counts) -> dict[str, float]:
    """Counts, share, bad rate and odds by name; NaN where undefined.

    >>> figures_of(Counts(good=3, bad=1, unknown=0, share=0.5))["odds"]
    3.0
    """
    return {name: getattr(counts, name) for name in FIGURES}


def part_rows(parts: Iterable[tuple[str, CountedPart]]) -> Iterator[dict[str, Any]]:
    """Flat rows: each part, and each group in it; everybody's have no attribute and no group."""
    for name, part in parts:
        yield {"part": name, "attribute": "", "group": "", **figures_of(part.counts)}
        for each in part.groups:
            yield {"part": name, "attribute": each.attribute, "group": each.group, **figures_of(each.counts)}


def parts_of(cohort: Cohort, index: NDArray[np.intp], parts: int) -> tuple[CountedPart, ...]:
    """Each part of the applicants.

    Parameters
    ----------
    index : (n,) the part of each row, from 0 to ``parts - 1``; -1 where it is in none.

    Examples
    --------
    >>> cohort = Cohort.read(3, [True, False, None])
    >>> [part.counts.applicants for part in parts_of(cohort, np.array([0, 0, 1]), 2)]
    [2.0, 1.0]
    """
    overall = _counts(cohort, index, parts)
    groups: list[list[GroupCounts]] = [[] for _ in range(parts)]
    for attribute, group, _, inside in cohort.by_group():
        for place, counts in enumerate(_counts(inside, index, parts)):
            groups[place].append(GroupCounts(attribute=attribute, group=group, counts=counts))
    return tuple(CountedPart(counts=of_all, groups=tuple(by)) for of_all, by in zip(overall, groups, strict=True))


def quotient(part: float, whole: float) -> float:
    """NaN where there is nothing to divide by.

    >>> quotient(1, 0)
    nan
    """
    return part / whole if whole else math.nan


def in_play(cohort: Cohort, knocked_out: Bools) -> Bools:
    """(n,) rows that the score decides about: those with weight that no knock-out or override declines.

    Raises
    ------
    InputError : there is none.
    """
    inside: Bools = ~knocked_out & (cohort.weight > 0)
    if not inside.any():
        raise InputError(
            "there is no applicant that the score decides about",
            where="knocked_out",
            got=f"{int(knocked_out.sum())} of {cohort.rows} knocked out",
            fix="give applicants with weight that no knock-out or override declines",
        )
    return inside


def read_knocked_out(knocked_out: Any, rows: int) -> Bools:
    """(n,) True where a knock-out or an override declines, whatever the score; none where nothing is given.

    >>> read_knocked_out(None, 2).tolist()
    [False, False]
    """
    return np.zeros(rows, dtype=bool) if knocked_out is None else favourable(knocked_out, "knocked_out", rows)


def _counts(cohort: Cohort, index: NDArray[np.intp], parts: int) -> Sequence[Counts]:
    total = cohort.total
    return [
        Counts(good=good, bad=bad, unknown=unknown, share=quotient(good + bad + unknown, total))
        for good, bad, unknown in cohort.tally(index, parts).tolist()
    ]
