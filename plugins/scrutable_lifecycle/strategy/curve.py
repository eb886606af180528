"""Every cutoff there is: what each distinct score would mean as the cutoff, and approving nobody."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Cohort, Floats, exact_bincount, exact_sum
from scrutable.writing import plain
from scrutable_lifecycle.strategy.counts import in_play
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

        >>> curve = cutoff_curve(np.array([1.0, 2.0]), np.full(2, False), Cohort.read(2, [False, True]))
        >>> [curve.place(cutoff) for cutoff in (0.5, 1.5, 2, 9)]
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


def cutoff_curve(score: Floats, knocked_out: Bools, cohort: Cohort, profit: Profit | None = None) -> CutoffCurve:
    """The curve over every distinct score.

    Examples
    --------
    >>> score, cohort = np.array([1.0, 2.0, 2.0]), Cohort.read(3, [False, True, True])
    >>> curve = cutoff_curve(score, np.full(3, False), cohort, Profit(approved_good=1, approved_bad=-3))
    >>> curve.approval_rate.tolist(), curve.bad_rate.tolist(), curve.profit.tolist()
    ([1.0, 0.6666666666666666, 0.0], [0.3333333333333333, 0.0, nan], [-1.0, 2.0, 0.0])
    """
    levels, index = levels_of(score, in_play(cohort, knocked_out))
    approval, bad = _rates(cohort, index, levels.size)
    groups = []
    for attribute, group, _, inside in cohort.by_group():
        rates = _rates(inside, index, levels.size)
        groups.append(GroupCurve(attribute=attribute, group=group, approval_rate=rates[0], bad_rate=rates[1]))
    return CutoffCurve(
        cutoff=np.append(levels, math.nextafter(levels[-1], math.inf)),
        approval_rate=approval,
        bad_rate=bad,
        profit=None if profit is None else _profits(cohort, index, levels.size, profit),
        groups=tuple(groups),
    )


def levels_of(score: Floats, inside: Bools) -> tuple[Floats, NDArray[np.intp]]:
    """The distinct scores of some rows, ascending, and (n,) the place of each row among them; -1 of the others.

    >>> [each.tolist() for each in levels_of(np.array([7.0, 5.0, 7.0]), np.array([True, False, True]))]
    [[7.0], [0, -1, 0]]
    """
    levels, position = np.unique(score[inside], return_inverse=True)
    index = np.full(score.size, -1, dtype=np.intp)
    index[inside] = position
    return levels, index


def from_the_top(values: Floats) -> Floats:
    """Sums of each row and all below it in the array, and 0 at the end.

    >>> from_the_top(np.array([1.0, 2.0])).tolist()
    [3.0, 2.0, 0.0]
    """
    sums = np.cumsum(values[::-1], axis=0)[::-1]
    return np.concatenate([sums, np.zeros((1, *values.shape[1:]))])


def _rates(cohort: Cohort, index: NDArray[np.intp], levels: int) -> tuple[Floats, Floats]:
    counts = from_the_top(cohort.tally(index, levels))
    known = counts[:, Cohort.GOOD] + counts[:, Cohort.BAD]
    return _over(counts.sum(axis=1), cohort.total), _over(counts[:, Cohort.BAD], known)


def _profits(cohort: Cohort, index: NDArray[np.intp], levels: int, profit: Profit) -> Floats:
    """Everybody declined, and what each approval adds to that."""
    if_approved, if_declined = profit.by_row(cohort)
    inside = index >= 0
    gained = (cohort.weight * (if_approved - if_declined))[inside]
    nobody = exact_sum(cohort.weight * if_declined)
    return nobody + from_the_top(exact_bincount(index[inside], gained, levels))


def _over(part: Floats, whole: Floats | float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: Floats = np.where(np.greater(whole, 0), np.divide(part, whole), np.nan)
    return quotient
