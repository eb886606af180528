"""Roll rates: from the worst status in one window to the worst in the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Floats
from scrutable.writing import plain_fields
from scrutable_sample.definition import between
from scrutable_sample.disclosed import Counts, Told, told_rows

#: A status is a point of no return where at least this share stays there or gets worse.
_STAYS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRow:
    """Accounts of one status in the first window.

    Parameters
    ----------
    status : days past due, in words.
    since : the least days past due of it.
    accounts : how many there are.
    next : how many of them have each status in the next window; None where it is kept back, being few.
    stays : the share with this status or a worse one in the next window; None of those who were not late, without
        accounts, or where it is kept back.
    """

    status: str
    since: float
    accounts: int
    next: tuple[Told, ...]
    stays: float | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRates:
    """A row for each status in the first window; rows of few accounts are put together with the one before.

    Parameters
    ----------
    months : of each window, the first one right after the observation, the next right after it.
    statuses : of the next window, in the order of `RollRow.next`.
    rows : from the best status to the worst.
    bad : days past due from which on an account is called bad.
    """

    months: int
    statuses: tuple[str, ...]
    rows: tuple[RollRow, ...]
    bad: float

    @property
    def no_return(self) -> float | None:
        """Days from which on at least half of each status stays as late or gets later; None without any."""
        last = None
        for row in reversed([row for row in self.rows if row.since > 0 and row.accounts]):
            if row.stays is None or row.stays < _STAYS:
                break
            last = row.since
        return last

    def in_words(self) -> str:
        """Where the definition settles, in a line."""
        known = [row for row in self.rows if row.since > 0 and row.accounts]
        if not known:
            return "no account was past due in the first window, or too few to be told of"
        since = self.no_return
        if since is None:
            return (
                "no status is a point of no return: less than half of the worst stay there, so that bad is not settled"
            )
        told = f"from {since:g} days past due on, at least half stay as late or get later: a point of no return"
        if since <= self.bad:
            return f"{told}; bad begins there or later"
        return f"{told}; bad begins before it, at {self.bad:g}, where most get better: a later bad would be more stable"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with what they say in words."""
        return {**plain_fields(self), "no_return": self.no_return, "in_words": self.in_words()}


def roll_rates(first: Floats, following: Floats, edges: Floats, *, months: int, bad: float, least: int) -> RollRates:
    """Count accounts by their worst status in two windows.

    Parameters
    ----------
    first, following : (n,) worst days past due of accounts that were seen in both windows.
    edges : where statuses begin, ascending, the first at 0.
    months : of each window.
    bad : days past due from which on an account is bad.
    least : accounts that a count is told of at least.

    Examples
    --------
    >>> rates = roll_rates(np.array([0.0, 0, 45, 45]), np.array([0.0, 0, 45, 95]), np.array([0.0, 30, 90]),
    ...                    months=6, bad=90, least=1)
    >>> [(row.status, row.next, row.stays) for row in rates.rows]
    [('0 to 29', (2, 0, 0), None), ('30 to 89', (0, 1, 1), 1.0), ('90 or more', (0, 0, 0), None)]
    """
    size = len(edges)
    uppers = [*edges[1:].tolist(), None]
    names = [between(lower, upper) for lower, upper in zip(edges.tolist(), uppers, strict=True)]
    places = [np.searchsorted(edges, days, side="right") - 1 for days in (first, following)]
    counts = np.bincount(places[0] * size + places[1], minlength=size * size).reshape(size, size).astype(np.int64)
    groups = _pooled(counts.sum(axis=1), least)
    rows = []
    for group in groups:
        status = between(float(edges[group[0]]), uppers[group[-1]])
        rows.append(_row(status, float(edges[group[0]]), counts[group].sum(axis=0), group[0], least))
    return RollRates(months=months, statuses=tuple(names), rows=tuple(rows), bad=bad)


def _pooled(totals: Counts, least: int) -> list[list[int]]:
    """Neighbouring statuses together where one has few accounts; none, where all together are few."""
    groups: list[list[int]] = []
    for place, total in enumerate(totals.tolist()):
        few = 0 < total < least or (groups and 0 < totals[groups[-1]].sum() < least)
        if groups and few:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [] if 0 < totals[groups[-1]].sum() < least else groups


def _row(status: str, since: float, counts: Counts, place: int, least: int) -> RollRow:
    [told] = told_rows(counts[np.newaxis], least)
    total = int(counts.sum())
    split = any(each is None for each in told[place:]) and any(each is None for each in told[:place])
    stays = None if split or not total or not since else float(counts[place:].sum() / total)
    return RollRow(status=status, since=since, accounts=total, next=told, stays=stays)
