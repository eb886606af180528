"""Dates of applicants as periods."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError, did_you_mean
from scrutable.fairness.labelling import label

PeriodKind = Literal["month", "quarter", "year", "values"]

#: Texts that begin with a year and a month: 2026-03, 2026-03-31T12:00, 2026/03/31, 202603, 20260331.
_DATE = re.compile(r"(\d{4})(?:([-/])(\d{1,2})(?:\2(\d{1,2})(?:[T ].*)?)?|(\d{2})(\d{2})?)$", re.ASCII)

#: Texts that are numbers.
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)

_NAMES: dict[str, Callable[[int, int], str]] = {
    "month": lambda year, month: f"{year:04d}-{month:02d}",
    "quarter": lambda year, month: f"{year:04d} Q{(month + 2) // 3}",
    "year": lambda year, month: f"{year:04d}",
}


def periods_of(dates: Any, period: PeriodKind, rows: int) -> list[tuple[str, NDArray[np.bool_]]]:
    """Name and rows of each period that occurs, in order.

    Parameters
    ----------
    dates : (n,) dates, times, or texts such as 2026-03-31, 2026-03 or 202603; with "values" anything that can be
        ordered, of which each different value is a period; texts that are numbers are ordered as numbers.
    period : how long a period is.

    Raises
    ------
    InputError : another number of rows; a date that is missing or cannot be read, with its row; values that have no
        order.

    Examples
    --------
    >>> [(name, rows.tolist()) for name, rows in periods_of(["2026-03-31", "2026-01-05"], "quarter", 2)]
    [('2026 Q1', [True, True])]
    """
    if period not in get_args(PeriodKind):
        raise InputError(
            "unknown period", where="period", got=period, fix=did_you_mean(str(period), get_args(PeriodKind))
        )
    values = _listed(dates)
    if len(values) != rows:
        raise InputError(
            "the number of dates differs from the number of rows",
            where="dates",
            got=len(values),
            allowed=f"{rows} dates",
        )
    _refuse_missing(values)
    name = _NAMES.get(period)
    names = [label(value) if name is None else name(*_month(value, row)) for row, value in enumerate(values)]
    coded = np.array(names, dtype=object)
    order = _in_order(values, names) if period == "values" else sorted(set(names))
    return [(text, np.asarray(coded == text, dtype=bool)) for text in order]


def _listed(dates: Any) -> list[Any]:
    import narwhals as nw

    if not isinstance(dates, Iterable):
        raise InputError("expected a date for each row", where="dates", got=dates, allowed="a column or a sequence")
    series = nw.from_native(dates, series_only=True, pass_through=True)
    return series.to_list() if isinstance(series, nw.Series) else list(dates)


def _in_order(values: list[Any], names: list[str]) -> list[str]:
    """The different values' names, in the order of the values."""
    try:
        return [text for _, text in sorted(_ordered(values, names), key=lambda pair: pair[0])]
    except TypeError as error:
        raise InputError(
            "values of several kinds have no order", where="dates", got=str(error), fix="write all of them as texts"
        ) from error


def _ordered(values: list[Any], names: list[str]) -> list[tuple[Any, str]]:
    """Different values with their names, to be sorted: texts that are numbers as numbers, others as texts."""
    if all(map(_NUMBER.fullmatch, names)):
        return [((float(text), text), text) for text in dict.fromkeys(names)]
    alike = len({isinstance(value, str) for value in values}) == 1
    return [(value if alike else text, text) for text, value in dict(zip(names, values, strict=True)).items()]


def _month(value: Any, row: int) -> tuple[int, int]:
    """Year and month of a date."""
    if isinstance(value, np.datetime64):
        value = str(value)
    if isinstance(value, date):
        return value.year, value.month
    found = _DATE.match(label(value).strip())
    month = int(found[3] or found[5]) if found else 0
    day = int(found[4] or found[6] or 1) if found else 0
    if found is None or not _is_a_day(int(found[1]), month, day):
        raise InputError(
            "not a date",
            where=f"dates, row {row}",
            got=value,
            allowed="2026-03-31, 2026-03, 20260331, 202603, or a date of Python, pandas or Polars",
            fix="write dates year first, or take each value for a period: period 'values'",
        )
    return int(found[1]), month


def _is_a_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _refuse_missing(values: list[Any]) -> None:
    import pandas as pd

    missing = np.flatnonzero(pd.isna(pd.Series(values, dtype=object)))
    if missing.size:
        raise InputError("a date is missing", where=f"dates, row {missing[0]}", fix="fill it in, or leave the row out")
