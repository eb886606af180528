"""Roll rates from one month to the next: how late accounts of each status are a month later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Floats
from scrutable.writing import plain_fields
from scrutable_sample.definition import between
from scrutable_sample.disclosed import Told
from scrutable_sample.months import Months


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthRow:
    """Months in which an account had a status, and was seen in the month after, too.

    Parameters
    ----------
    status : days past due, in words.
    months : how many; None where they are of few accounts.
    next : how many of them have each status in the month after; None where it is kept back, being of few accounts.
    worse : the share that is later in the month after; None of the latest status, without months, or where it is kept
        back.
    """

    status: str
    months: Told
    next: tuple[Told, ...]
    worse: float | None

    @property
    def shares(self) -> tuple[float | None, ...]:
        """The share of each status in the month after; None where it is kept back, or without months."""
        return tuple(None if each is None or not self.months else each / self.months for each in self.next)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with the shares."""
        return {**plain_fields(self), "shares": list(self.shares)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyRolls:
    """A row for each status of this month, in the order of `statuses`, which are those of the next month, too."""

    statuses: tuple[str, ...]
    rows: tuple[MonthRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return plain_fields(self)


def monthly_rolls(
    account: NDArray[np.int64], month: Months, days: Floats, edges: Floats, *, least: int
) -> MonthlyRolls:
    """Count months by their status and that of the month after.

    Parameters
    ----------
    account, month, days : (n,) an account, a month and its days past due, sorted by account and month, each pair once.
    edges : where statuses begin, ascending, the first at 0.
    least : accounts that a count is told of at least.

    Examples
    --------
    >>> rolls = monthly_rolls(np.array([0, 0, 0, 1, 1]), np.array([1, 2, 3, 1, 3]), np.array([0.0, 30, 0, 0, 0]),
    ...                       np.array([0.0, 30]), least=1)
    >>> [(row.status, row.months, row.next, row.worse) for row in rolls.rows]
    [('0 to 29', 1, (0, 1), 1.0), ('30 or more', 1, (1, 0), None)]
    """
    follows = (account[1:] == account[:-1]) & (month[1:] == month[:-1] + 1)
    status = np.searchsorted(edges, days, side="right") - 1
    now, later, own = status[:-1][follows], status[1:][follows], account[1:][follows]
    uppers = [*edges[1:].tolist(), None]
    names = tuple(between(lower, upper) for lower, upper in zip(edges.tolist(), uppers, strict=True))
    rows = (
        _row(name, place, len(names), later[now == place], own[now == place], least) for place, name in enumerate(names)
    )
    return MonthlyRolls(statuses=names, rows=tuple(rows))


def _row(status: str, place: int, size: int, later: NDArray[np.int64], own: NDArray[np.int64], least: int) -> MonthRow:
    """Of months with one status: where they go on to, and whose they are."""
    if _few(own, least):
        return MonthRow(status=status, months=None, next=(None,) * size, worse=None)
    counts = np.bincount(later, minlength=size)
    back = _kept_back(later, own, counts, least)
    split = back[: place + 1].any() and back[place + 1 :].any()
    known = len(later) and place < size - 1 and not split
    return MonthRow(
        status=status,
        months=len(later),
        next=tuple(None if each else count for each, count in zip(back.tolist(), counts.tolist(), strict=True)),
        worse=float(counts[place + 1 :].sum() / len(later)) if known else None,
    )


def _kept_back(later: NDArray[np.int64], own: NDArray[np.int64], counts: NDArray[np.int64], least: int) -> Bools:
    """(size,) statuses whose counts are kept back: of few accounts, and the next smallest until all are of enough."""
    back = np.array([_few(own[later == each], least) for each in range(len(counts))])
    while back.any():
        hidden = own[np.isin(later, np.flatnonzero(back))]
        others = np.flatnonzero(~back & (counts > 0))
        if (back.sum() > 1 and not _few(hidden, least)) or not others.size:
            break
        back[others[np.argmin(counts[others])]] = True
    return back


def _few(accounts: NDArray[np.int64], least: int) -> bool:
    """Whether months are of some accounts, and of fewer than may be told of."""
    return 0 < len(np.unique(accounts)) < least
