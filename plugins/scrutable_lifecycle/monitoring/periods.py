"""Dates of applicants as periods."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scrutable.data import CalendarDate, Masked, label
from scrutable.errors import InputError, did_you_mean

PeriodKind = Literal["month", "quarter", "year", "values"]

#: Texts that are numbers.
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)

#: The name of the period that a date is in; None where the date does not say.
_NAMES: dict[str, Callable[[CalendarDate], str | None]] = {
    "month": lambda date: None if date.month is None else f"{date.year:04d}-{date.month:02d}",
    "quarter": lambda date: None if date.quarter is None else f"{date.year:04d} Q{date.quarter}",
    "year": lambda date: f"{date.year:04d}",
}
_FORMS = {"month": CalendarDate.WITH_MONTH, "quarter": CalendarDate.WITH_QUARTER, "year": CalendarDate.FORMS}
_VALUES = "take each value for a period: period 'values'"


def periods_of(dates: Any, period: PeriodKind, rows: int) -> list[tuple[str, NDArray[np.bool_]]]:
    """Name and rows of each period that occurs, in order.

    Parameters
    ----------
    dates : (n,) what `CalendarDate.read` reads, such as 2026-03-31, 202603 or 2026Q1; with "values"
        anything that can be ordered, of which each different value is a period; texts that are numbers are ordered
        as numbers.
    period : how long a period is.

    Raises
    ------
    InputError : another number of rows; a date that is missing, cannot be read or is longer than a period, with its
        row; values that have no order.

    Examples
    --------
    >>> [(name, rows.tolist()) for name, rows in periods_of(["2026-03-31", "2026-01-05"], "quarter", 2)]
    [('2026 Q1', [True, True])]
    """
    periods = PeriodPlaces(period)
    places = periods.places(dates, rows)
    names, order = periods.ordered()
    return [(name, np.asarray(places == place, dtype=bool)) for name, place in zip(names, order.tolist(), strict=True)]


class PeriodPlaces:
    """A place for each period, from 0 on as they occur in dates that come block by block.

    Parameters and errors are those of `periods_of`.

    Examples
    --------
    >>> periods = PeriodPlaces("quarter")
    >>> periods.places(["2026-06-30", "2026-01-05"], 2).tolist(), periods.places(["2026-02-01"], 1).tolist()
    ([0, 1], [1])
    >>> names, order = periods.ordered()
    >>> names, order.tolist()
    (('2026 Q1', '2026 Q2'), [1, 0])
    """

    def __init__(self, period: PeriodKind) -> None:
        if period not in get_args(PeriodKind):
            fix = did_you_mean(period, get_args(PeriodKind))
            raise InputError("unknown period", where="period", got=period, fix=fix)
        self._period = period
        self._place: dict[str, int] = {}
        self._values: dict[tuple[bool, str], Any] = {}

    def places(self, dates: Any, rows: int) -> NDArray[np.int32]:
        """(rows,) the place of each date's period."""
        values = CalendarDate.listed(dates)
        if len(values) != rows:
            raise InputError(
                "the number of dates differs from the number of rows",
                where="dates",
                got=len(values),
                allowed=f"{rows} dates",
            )
        if self._period == "values":
            names = list(map(label, values))
            self._values |= {(isinstance(value, str), name): value for value, name in zip(values, names, strict=True)}
        else:
            names = _named(values, self._period)
        return np.array([self._place.setdefault(name, len(self._place)) for name in names], dtype=np.int32)

    def ordered(self) -> tuple[tuple[str, ...], NDArray[np.intp]]:
        """The names of all periods in order, and their places."""
        if self._period == "values":
            names = _in_order(list(self._values.values()), [name for _, name in self._values])
        else:
            names = sorted(self._place)
        return tuple(names), np.array([self._place[name] for name in names], dtype=np.intp)


def _named(values: list[Any], period: str) -> list[str]:
    """The name of each date's period."""
    names = []
    for row, date in enumerate(CalendarDate.read(values, fix=f"write dates year first, or {_VALUES}")):
        name = _NAMES[period](date)
        if name is None:
            longer = [repr(kind) for kind, of in _NAMES.items() if of(date) is not None]
            raise InputError(
                f"the date does not say which {period} it is in",
                where=CalendarDate.place(row),
                got=Masked(values[row]),
                allowed=f"dates and times, or texts of one of these forms: {', '.join(_FORMS[period])}",
                fix=f"take longer periods: period {' or '.join(longer)}; or {_VALUES}",
            )
        names.append(name)
    return names


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
