"""Dates as they stand in a column: the forms that are read, in order, with their year, quarter and month."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from scrutable.data.frames.day_first import YEAR_LAST
from scrutable.data.labelling import label
from scrutable.data.masking import Masked
from scrutable.errors import InputError

_YEAR = "(?P<year>[0-9]{4})"
_MONTH, _DAY = "(?P<month>0[1-9]|1[0-2])", "(?P<day>0[1-9]|[12][0-9]|3[01])"
#: With a dash or slash before it, a month or day may do without its zero.
_APART = f"{_YEAR}(?P<apart>[-/])(?P<month>0?[1-9]|1[0-2])"
_WHOLE = f"{_APART}(?P=apart)(?P<day>0?[1-9]|[12][0-9]|3[01])"
_MOMENT = rf"{_WHOLE}[ T](?P<clock>([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](?P<fraction>\.[0-9]+)?)?)"
_ZONE = "(?P<zone>Z| ?UTC|[-+]([01][0-9]|2[0-3])(:?[0-5][0-9])?)"

DAY, TIME, ZONED = "2019-07-31", "2019-07-31 09:30", "2019-07-31 09:30Z"
#: The forms, each named by an example.
_FORMS = {
    name: re.compile(pattern)
    for name, pattern in {
        "2019": _YEAR,
        "2019-07": _APART,
        DAY: _WHOLE,
        TIME: _MOMENT,
        ZONED: _MOMENT + _ZONE,
        "201907": _YEAR + _MONTH,
        "20190731": _YEAR + _MONTH + _DAY,
        "2019Q3": f"{_YEAR}Q(?P<quarter>[1-4])",
        "2019-Q3": f"{_YEAR}-Q(?P<quarter>[1-4])",
        "2019H2": f"{_YEAR}H[12]",
        "2019W05": f"{_YEAR}W(?P<week>0[1-9]|[1-4][0-9]|5[0-3])",
    }.items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarDate:
    """A date, time, or longer stretch of the calendar.

    Parameters
    ----------
    form : which of `FORMS` it has.
    key : a text whose order, among those of one form, is that of time; of a time with a zone the moment in UTC.
    year, quarter, month : as written, whatever the zone; None where the form has none. The year of a week is that of
        ISO 8601.
    """

    #: Examples of all forms, of those that have a month, and of those that have a quarter.
    FORMS: ClassVar = tuple(_FORMS)
    WITH_MONTH: ClassVar = tuple(name for name, pattern in _FORMS.items() if "month" in pattern.groupindex)
    WITH_QUARTER: ClassVar = tuple(
        name for name, pattern in _FORMS.items() if {"month", "quarter"} & pattern.groupindex.keys()
    )

    form: str
    key: str
    year: int
    quarter: int | None = None
    month: int | None = None

    @staticmethod
    def listed(dates: Any) -> list[Any]:
        """The values of a column or sequence, none of them missing.

        Raises
        ------
        InputError : no sequence; a value that is missing, with its row.

        Examples
        --------
        >>> CalendarDate.listed(("2019-07", "2019-08"))
        ['2019-07', '2019-08']
        """
        import narwhals as nw
        import pandas as pd

        if not isinstance(dates, Iterable):
            raise InputError("expected a date for each row", where="dates", got=dates, allowed="a column or a sequence")
        series = nw.from_native(dates, series_only=True, pass_through=True)
        values = series.to_list() if isinstance(series, nw.Series) else list(dates)
        missing = np.flatnonzero(pd.isna(pd.Series(values, dtype=object)))
        if missing.size:
            raise InputError(
                "a date is missing", where=CalendarDate.place(missing[0]), fix="fill it in, or leave the row out"
            )
        return values

    @staticmethod
    def read(values: Sequence[Any], *, fix: str = "write dates year first") -> list[CalendarDate]:
        """The dates that these are, none of them missing: dates and times, or texts or whole numbers of `FORMS`.

        Raises
        ------
        InputError : a value of no form, or a day or week that there is not, with its row.

        Examples
        --------
        >>> [each.key for each in CalendarDate.read(["2019/7/31", "2019-08-01"])]
        ['2019-07-31', '2019-08-01']
        """
        dates = []
        for row, value in enumerate(values):
            read = read_date(value)
            if read is None:
                allowed = f"dates and times, or texts of one of these forms: {', '.join(CalendarDate.FORMS)}"
                if YEAR_LAST.fullmatch(str(value)):
                    of_a_file = "(in Python read_file(dates=...)) reads a file with the year last"
                    fix += f"; --dates d/m/Y or --dates m/d/Y {of_a_file}"
                raise InputError(
                    "not a date", where=CalendarDate.place(row), got=Masked(value), allowed=allowed, fix=fix
                )
            dates.append(read)
        return dates

    @staticmethod
    def place(row: int) -> str:
        """How errors name a row of dates, counted from 0."""
        return f"dates, row {row}"


def read_date(value: Any) -> CalendarDate | None:
    """One date that is not missing; None if it is no date.

    >>> read_date(201907)
    CalendarDate(form='201907', key='201907', year=2019, quarter=3, month=7)
    >>> read_date("2019-02-29") is None
    True
    """
    if isinstance(value, np.datetime64):
        coarse = np.datetime_data(value.dtype)[0] in ("Y", "M")
        value = str(value) if coarse else value.astype("datetime64[us]").item()
    try:
        if isinstance(value, datetime):
            return _of_moment(value, f".{value.microsecond:06d}")
        if isinstance(value, date):
            return _of_months(DAY, value.isoformat(), value.year, value.month)
        return _of_text(label(value).strip())
    except (ValueError, OverflowError):  # such as 31 February, or a zone that leads out of the calendar
        return None


@lru_cache(maxsize=10_000)
def _of_text(text: str) -> CalendarDate | None:
    matches = ((form, pattern.fullmatch(text)) for form, pattern in _FORMS.items())
    form, parts = next(((form, match.groupdict()) for form, match in matches if match), ("", {}))
    if not form:
        return None
    year, month, day = (int(parts.get(name, 1)) for name in ("year", "month", "day"))
    first = date(year, month, day)
    if "week" in parts:
        date.fromisocalendar(year, int(parts["week"]), 1)
    if "clock" in parts:
        zone = parts.get("zone", "").replace("UTC", "Z").strip()
        return _of_moment(datetime.fromisoformat(f"{first}T{parts['clock']}{zone}"), parts["fraction"] or "")
    key = first.isoformat()[: len(form)] if "apart" in parts else text  # a form is as long as its key
    if "month" in parts:
        return _of_months(form, key, year, month)
    quarter = parts.get("quarter")
    return CalendarDate(form=form, key=key, year=year, quarter=None if quarter is None else int(quarter))


def _of_moment(moment: datetime, fraction: str) -> CalendarDate:
    """A time of day; one text for one moment: 09:30 is 09:30:00, and 09:30:00.50 is 09:30:00.5."""
    zoned = moment.utcoffset() is not None
    at = moment.astimezone(UTC).replace(tzinfo=None) if zoned else moment
    key = at.isoformat(" ", "seconds") + fraction.rstrip("0").rstrip(".")
    return _of_months(ZONED if zoned else TIME, key, moment.year, moment.month)


def _of_months(form: str, key: str, year: int, month: int) -> CalendarDate:
    return CalendarDate(form=form, key=key, year=year, quarter=(month + 2) // 3, month=month)
