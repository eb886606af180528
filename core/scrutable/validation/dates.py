"""Splits by time: learn from the earlier applicants, and measure on the later ones."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pandas import isna

from scrutable.errors import InputError
from scrutable.fairness.inputs import share as checked_share
from scrutable.fairness.labelling import label

Positions = NDArray[np.intp]

_MONTH, _DAY = "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
#: Texts whose order is that of time, year first; those of one column have one of these forms.
_FORMS = {
    "2019": r"[0-9]{4}",
    "2019-07": rf"[0-9]{{4}}-{_MONTH}",
    "2019-07-31": rf"[0-9]{{4}}-{_MONTH}-{_DAY}",
    "2019-07-31 09:30": rf"[0-9]{{4}}-{_MONTH}-{_DAY} {_CLOCK}",
    "201907": rf"[0-9]{{4}}{_MONTH}",
    "20190731": rf"[0-9]{{4}}{_MONTH}{_DAY}",
    "2019Q3": r"[0-9]{4}Q[1-4]",
    "2019-Q3": r"[0-9]{4}-Q[1-4]",
    "2019H2": r"[0-9]{4}H[12]",
    "2019W05": r"[0-9]{4}W(0[1-9]|[1-4][0-9]|5[0-3])",
}
_ALLOWED = f"dates and times, or texts of one of these forms: {', '.join(_FORMS)}"
#: Length of a day with dashes; what follows it in a text is the time of day.
_DAY_ENDS = 10
#: Forms that begin with one another: what stands for a longer period is the start of the shorter ones in it.
_PREFIXES = ("2019", "2019-07", "2019-07-31", "2019-07-31 09:30")


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
    dates : (n,) Python or pandas dates and times, or texts or whole numbers whose order is that of time: 2019-07-31,
        2019-07-31 09:30, 2019-07, 2019, 201907, 20190731, 2019Q3, 2019H2, 2019W05; one form for all of them.
    since : hold out the rows from this date on; of texts with dashes also a year or month: "2019-07".
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
    found: list[str] = []
    form = ""
    for row, value in enumerate(_listed(dates)):
        text = _text(value, row)
        its = next((name for name, pattern in _FORMS.items() if re.fullmatch(pattern, text)), None)
        if its is None or not _is_in_calendar(text, its):
            fix = "write dates year first, all of them alike"
            raise InputError(
                "not a date that can be put in order", where=_row(row), got=value, allowed=_ALLOWED, fix=fix
            )
        if form and its != form:
            raise InputError(
                "dates of two forms cannot be put in order",
                where=_row(row),
                got=text,
                allowed=f"the form of row 0, {found[0]!r}",
                fix="write all dates alike",
            )
        form = its
        found.append(text)
    if not found:
        raise InputError("there are no rows", where="dates", fix="give a date for each row")
    return np.array(found), form


def _is_in_calendar(text: str, form: str) -> bool:
    """Whether there is such a day or week: 2019-02-31 has the form of a date only."""
    try:
        if form == "2019W05":
            datetime.date.fromisocalendar(int(text[:4]), int(text[5:]), 1)
        elif form in ("2019-07-31", "2019-07-31 09:30", "20190731"):
            datetime.date.fromisoformat(text[:_DAY_ENDS])
    except ValueError:
        return False
    return True


def _listed(dates: Any) -> list[Any]:
    import narwhals as nw

    series = nw.from_native(dates, series_only=True, pass_through=True)
    return series.to_list() if isinstance(series, nw.Series) else list(dates)


def _text(value: Any, row: int) -> str:
    if isna(value):
        raise InputError("a date is missing", where=_row(row), fix="fill it in, or leave the row out")
    moment = value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value
    if isinstance(moment, datetime.datetime):
        if moment.tzinfo is not None:
            moment = moment.astimezone(datetime.UTC).replace(tzinfo=None)
        return _to_the_second(moment.isoformat(" ", "microseconds"))
    if isinstance(moment, datetime.date):
        return moment.isoformat()
    return _to_the_second(label(value).strip().replace("T", " "))


def _to_the_second(text: str) -> str:
    """One text for one moment: 09:30 is 09:30:00, and 09:30:00.50 is 09:30:00.5."""
    if re.fullmatch(r".* [0-9]{2}:[0-9]{2}", text):
        return f"{text}:00"
    return re.sub(r"\.?0+$", "", text) if re.fullmatch(r".* .*\.[0-9]+", text) else text


def _since(since: Any, form: str) -> str:
    text = _text(since, 0)
    forms = _PREFIXES[: _PREFIXES.index(form) + 1] if form in _PREFIXES else (form,)
    if not any(re.fullmatch(_FORMS[each], text) for each in forms):
        raise InputError(
            "the date is not of the form that the rows have",
            where="since",
            got=since,
            allowed=" or ".join(f"a date like {each}" for each in forms),
            fix="write it as the dates of the rows are written",
        )
    return text


def _first_of_share(texts: NDArray[np.str_], share: float) -> str:
    """The date that comes nearest to holding out this share, of those that leave rows on both sides."""
    levels, counts = np.unique([text[:_DAY_ENDS] for text in texts.tolist()], return_counts=True)
    if levels.size < 2:
        raise InputError("all rows are of one date", where="dates", got=str(levels[0]), fix="divide them at random")
    held_out = np.cumsum(counts[::-1])[::-1][1:] / texts.size
    nearest = int(np.argmin(np.abs(held_out - share)))  # the first of equals, which holds out more
    return str(levels[1 + nearest])


def _row(row: int) -> str:
    return f"dates, row {row}"
