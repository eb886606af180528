"""Every cutoff there is: what each distinct score would mean as the cutoff, and approving nobody."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data.arrays import Floats
from scrutable.measures.numerics.counts import exact_bincount
from scrutable.writing.plain import plain
from scrutable_lifecycle.strategy.applicants import BAD, GOOD, Applicants
from scrutable_lifecycle.strategy.counts import total_of
from scrutable_lifecycle.strategy.profit import Profit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCurve:
    """Approval and bad rates of one group at each cutoff of a `CutoffCurve`."""

    attribute: str
    group: str
    approval_rate: Floats
    bad_rate: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffCurve:
    """What each cutoff would mean; arrays are (m,), by ascending cutoff.

    The cutoffs are the distinct scores of applicants that the score decides about, and last the next double above the
    highest of them, which approves nobody.

    Parameters
    ----------
    approval_rate : approved among all applicants, those knocked out included.
    bad_rate : bad payers among the approved whose outcome is known; NaN without one.
    profit : of all applicants together, weighted; None where no profit is asked about.
    """

    cutoff: Floats
    approval_rate: Floats
    bad_rate: Floats
    profit: Floats | None = None
    groups: tuple[GroupCurve, ...] = ()

    def profit_at(self, cutoff: float) -> float | None:
        """The profit at any cutoff, None where no profit is asked about."""
        return None if self.profit is None else float(self.profit[self.place(cutoff)])

    def place(self, cutoff: float) -> int:
        """Which of the cutoffs decides as this one does; any above all scores approves nobody, as the last.

        >>> applicants = Applicants.read(2, [False, True], knocked_out=None)
        >>> found = cutoff_curve(np.array([1.0, 2.0]), applicants)
        >>> [found.place(cutoff) for cutoff in (0.5, 1.5, 2, 9)]
        [0, 1, 1, 2]
        """
        return min(int(np.searchsorted(self.cutoff, cutoff)), self.cutoff.size - 1)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each cutoff; those of groups are called ``approval_rate (sex: f)``."""
        columns = {"cutoff": self.cutoff, "approval_rate": self.approval_rate, "bad_rate": self.bad_rate}
        if self.profit is not None:
            columns["profit"] = self.profit
        for each in self.groups:
            columns[f"approval_rate ({each.attribute}: {each.group})"] = each.approval_rate
            columns[f"bad_rate ({each.attribute}: {each.group})"] = each.bad_rate
        values = [column.tolist() for column in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]

    def to_dict(self) -> list[dict[str, Any]]:
        """The rows as plain values for JSON; None for what is undefined."""
        return [plain(row) for row in self.rows]


def cutoff_curve(score: Floats, applicants: Applicants, profit: Profit | None = None) -> CutoffCurve:
    """The curve over every distinct score.

    Examples
    --------
    >>> applicants = Applicants.read(3, [False, True, True], knocked_out=None)
    >>> found = cutoff_curve(np.array([1.0, 2.0, 2.0]), applicants, Profit(approved_good=1, approved_bad=-3))
    >>> found.approval_rate.tolist(), found.bad_rate.tolist(), found.profit.tolist()
    ([1.0, 0.6666666666666666, 0.0], [0.3333333333333333, 0.0, nan], [-1.0, 2.0, 0.0])
    """
    inside = applicants.in_play
    levels, position = np.unique(score[inside], return_inverse=True)
    index = np.full(applicants.rows, -1, dtype=np.intp)
    index[inside] = position
    approval, bad = _rates(applicants, index, levels.size, applicants.weight)
    groups = []
    for attribute, group, _, weight in applicants.by_group():
        rates = _rates(applicants, index, levels.size, weight)
        groups.append(GroupCurve(attribute=attribute, group=group, approval_rate=rates[0], bad_rate=rates[1]))
    return CutoffCurve(
        cutoff=np.append(levels, math.nextafter(levels[-1], math.inf)),
        approval_rate=approval,
        bad_rate=bad,
        profit=None if profit is None else _profits(applicants, index, levels.size, profit),
        groups=tuple(groups),
    )


def from_the_top(values: Floats) -> Floats:
    """Sums of each row and all below it in the array, and 0 at the end.

    >>> from_the_top(np.array([1.0, 2.0])).tolist()
    [3.0, 2.0, 0.0]
    """
    sums = np.cumsum(values[::-1], axis=0)[::-1]
    return np.concatenate([sums, np.zeros((1, *values.shape[1:]))])


def _rates(applicants: Applicants, index: Any, levels: int, weight: Floats) -> tuple[Floats, Floats]:
    counts = from_the_top(applicants.tally(index, levels, weight))
    known = counts[:, GOOD] + counts[:, BAD]
    return _over(counts.sum(axis=1), total_of(weight)), _over(counts[:, BAD], known)


def _profits(applicants: Applicants, index: Any, levels: int, profit: Profit) -> Floats:
    """Everybody declined, and what each approval adds to that."""
    if_approved, if_declined = profit.by_row(applicants)
    inside = index >= 0
    gained = (applicants.weight * (if_approved - if_declined))[inside]
    nobody = total_of(applicants.weight * if_declined)
    return nobody + from_the_top(exact_bincount(index[inside], gained, levels))


def _over(part: Floats, whole: Floats | float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(np.greater(whole, 0), np.divide(part, whole), np.nan)
    return found
