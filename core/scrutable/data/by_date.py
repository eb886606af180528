"""Splits by time: learn from the earlier applicants, and measure on the later ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import share as checked_share
from scrutable.data.dates import DAY, TIME, ZONED, CalendarDate, read_date
from scrutable.data.masking import Masked
from scrutable.errors import InputError

Positions = NDArray[np.intp]

#: Length of a day with dashes; what follows it in a text is the time of day.
_DAY_ENDS = 10
#: Forms whose keys begin with one another: what stands for a longer period is the start of the shorter ones in it.
_PREFIXES = ("2019", "2019-07", DAY, TIME, ZONED)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutOfTime:
    """Rows before a date, and rows from it on.

    Parameters
    ----------
    learn, held_out : positions of the rows, in the order that they stand in.
    since : the first date held out, as a text.
    """

    learn: Positions
    held_out: Positions
    since: str


def out_of_time(dates: Any, *, since: Any = None, share: float | None = None) -> OutOfTime:
    """Divide rows by date. Rows of one date are never on both sides.

    Parameters
    ----------
    dates : (n,) what `CalendarDate.read` reads: dates and times, or texts or whole numbers such as
        2019-07-31, 201907 or 2019Q3; one form for all of them. Times with a zone are in order as moments.
    since : hold out the rows from this date on; of days and times also a year or month: "2019-07"; beside times with
        a zone, what has none is in UTC.
    share : hold out the latest rows, as near to this share of them as whole dates allow, of times whole days; a tie
        goes to more of them.

    Raises
    ------
    InputError : not exactly one of the two; a date that is missing or cannot be put in order, with its row; nothing on
        one of the sides.

    Examples
    --------
    >>> found = out_of_time(["2019Q1", "2019Q3", "2019Q2", "2019Q3"], since="2019Q3")
    >>> found.learn.tolist(), found.held_out.tolist()
    ([0, 2], [1, 3])
    >>> out_of_time([201901, 201902, 201903, 201903], share=0.3).since
    '201903'
    """
    if (since is None) == (share is None):
        raise InputError("give one of the two", where="since, share", got=(since, share), fix="since='2019-07'")
    texts, form = _texts(dates)
    first = _first_of_share(texts, checked_share(share, "share")) if share is not None else _since(since, form)
    later = texts >= first
    if later.all() or not later.any():
        raise InputError(
            "there would be no rows to learn from" if later.all() else "there would be no rows to hold out",
            where="since",
            got=first,
            allowed=f"after {min(texts)}, up to {max(texts)}",
            fix="name a date between the first and the last",
        )
    return OutOfTime(learn=np.flatnonzero(~later), held_out=np.flatnonzero(later), since=first)


def date_or_share(text: str) -> dict[str, Any]:
    """The option of `out_of_time` that a text stands for: a number below 1 is a share, all else a date.

    >>> date_or_share("0.2"), date_or_share("2019-07")
    ({'share': 0.2}, {'since': '2019-07'})
    """
    try:
        number = float(text)
    except ValueError:
        return {"since": text}
    return {"share": number} if number < 1 else {"since": text}


def _texts(dates: Any) -> tuple[NDArray[np.str_], str]:
    """(n,) dates as texts whose order is that of time, and their form."""
    values = CalendarDate.listed(dates)
    read = CalendarDate.read(values, fix="write dates year first, all of them alike")
    if not read:
        raise InputError("there are no rows", where="dates", fix="give a date for each row")
    for row, each in enumerate(read):
        if each.form != read[0].form:
            raise InputError(
                "dates of two forms cannot be put in order",
                where=CalendarDate.place(row),
                got=Masked(values[row]),
                allowed=f"the form of row 0, {Masked(values[0])!r}",
                fix="write all dates alike",
            )
    return np.array([each.key for each in read]), read[0].form


def _since(since: Any, form: str) -> str:
    read = read_date(since)
    forms = _PREFIXES[: _PREFIXES.index(form) + 1] if form in _PREFIXES else (form,)
    if read is None or read.form not in forms:
        raise InputError(
            "not a date" if read is None else "the date is not of the form that the rows have",
            where="since",
            got=since,
            allowed=" or ".join(f"a date like {each}" for each in forms),
            fix="write it as the dates of the rows are written",
        )
    return read.key


def _first_of_share(texts: NDArray[np.str_], share: float) -> str:
    """The date that comes nearest to holding out this share, of those that leave rows on both sides."""
    levels, counts = np.unique([text[:_DAY_ENDS] for text in texts.tolist()], return_counts=True)
    if levels.size < 2:
        raise InputError("all rows are of one date", where="dates", got=str(levels[0]), fix="divide them at random")
    held_out = np.cumsum(counts[::-1])[::-1][1:] / texts.size
    nearest = int(np.argmin(np.abs(held_out - share)))  # the first of equals, which holds out more
    return str(levels[1 + nearest])
