"""Dates of a column as numbers of months."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import CalendarDate
from scrutable.errors import InputError

#: (n,) months since the year 0; `NO_MONTH` where there is none.
Months = NDArray[np.int64]
NO_MONTH = -1


def months_of(values: pd.Series, where: str) -> Months:
    """The month of each date.

    Parameters
    ----------
    values : (n,) dates, times, periods, or texts or whole numbers with a month, such as 2019-07-31 or 201907.
    where : how errors name the column.

    Raises
    ------
    InputError : what is no date, or has no month, with its row.

    Examples
    --------
    >>> months_of(pd.Series(["2019-07", None, "2019-08"]), "month").tolist()
    [24234, -1, 24235]
    """
    codes, levels = pd.factorize(plain_dates(values))
    rows = np.flatnonzero((codes >= 0) & ~pd.Series(codes).duplicated())
    read = [_month(level, where, row) for level, row in zip(levels, rows.tolist(), strict=True)]
    return np.array([*read, NO_MONTH], dtype=np.int64)[codes]


def month_of(value: Any, where: str) -> int:
    """The month of one date.

    >>> month_of("2019-07-31", "until")
    24234
    """
    return _month(value, where, None)


def month_name(month: int) -> str:
    """A month as a text.

    >>> month_name(24234)
    '2019-07'
    """
    return f"{month // 12:04d}-{month % 12 + 1:02d}"


def plain_dates(values: pd.Series) -> pd.Series:
    """The dates, periods of pandas as texts.

    >>> plain_dates(pd.Series(pd.period_range("2019-07", periods=1, freq="M"))).tolist()
    ['2019-07']
    """
    if not isinstance(values.dtype, pd.PeriodDtype):
        return values
    return values.astype(str).where(values.notna(), None)


def _month(value: Any, where: str, row: int | None) -> int:
    place = where if row is None else f"{where}, row {row}"
    try:
        [read] = CalendarDate.read([value])
    except InputError as error:
        error.where = place
        raise
    if read.month is None:
        raise InputError(
            "the date has no month",
            where=place,
            got=read.form,
            allowed=" or ".join(CalendarDate.WITH_MONTH),
            fix="give the month or the day of each row",
        )
    return read.year * 12 + read.month - 1
