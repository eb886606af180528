"""Inputs that can be used and are most likely not what they seem: constants, special codes, dates as other kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from scrutable.data.dates import read_date
from scrutable.data.features import Value
from scrutable.data.frames import Column
from scrutable.data.frames.day_first import YEAR_LAST
from scrutable.data.masking import Masked
from scrutable.data.suspected_codes import about_codes
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.decimals import number

#: Texts of a column that are looked at, and the share of them that have to be dates.
_SAMPLED = 200
_NEARLY_ALL = 0.95
#: 31-Dec-2019, 31 December 19, Dec 31, 2019, and 31/12/19.
_MONTHS = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_OTHER_DATES = (
    re.compile(rf"\s*[0-9]{{1,2}}[-/ .]+{_MONTHS}[-/ .,]+([0-9]{{2}}|[0-9]{{4}})\s*", re.IGNORECASE),
    re.compile(rf"\s*{_MONTHS}[-/ .]+[0-9]{{1,2}}[-/ .,]+([0-9]{{2}}|[0-9]{{4}})\s*", re.IGNORECASE),
    re.compile(r"\s*(0?[1-9]|[12][0-9]|3[01])([/.-])(0?[1-9]|[12][0-9]|3[01])\2[0-9]{2}\s*"),
)
#: Different numbers of a column that may be dates by chance.
_FEW = 4


class InputWarning(ScrutableWarning):
    """A column that can be used as an input and most likely should not be, as it is."""


def warn_of_suspects(columns: Iterable[Column], codes: Mapping[str, Iterable[Value]], *, together: bool = True) -> None:
    """Warn of columns that say nothing or hold dates as categories, and once of numbers that are no measurement.

    Parameters
    ----------
    codes : special codes that are known already, by column.
    together : whether the values of one row are those of one applicant, so that codes in the same rows are told of.
    """
    shown = list(columns)
    for column in shown:
        for told in _told(column):
            warn_caller(f"column {column.name!r}: {told}", InputWarning)
    measured = [each for each in shown if each.kind == "numeric" and not each.nominal]
    if said := about_codes(measured, codes, together=together):
        python, command = said
        warn_caller(InputWarning(python, command=command))


def _told(column: Column) -> Iterator[str]:
    present = column.values[~column.missing]
    if len(present) > 1 and len(present) == len(column.values) and (present == present[0]).all():
        yield f"every value is {_said(present[0])}, so it tells applicants apart in nothing. Fix: leave the column out."
    elif column.kind == "categorical":
        yield from _dates(present)
    elif column.kind == "numeric" and not column.nominal:
        yield from _numeric_dates(present)


def _dates(present: NDArray[np.object_]) -> Iterator[str]:
    some = present[:: 1 + len(present) // _SAMPLED].tolist()
    dates = sum(any(form.fullmatch(text) for form in (YEAR_LAST, *_OTHER_DATES)) or _is_day(text) for text in some)
    if some and dates >= _NEARLY_ALL * len(some):
        yield (
            f"its values are dates, such as {Masked(some[0])!r}, and each is a category, which later applicants do "
            "not have. Fix: leave the column out, or convert it to a number, such as days before the application."
        )


def _numeric_dates(present: NDArray[np.float64]) -> Iterator[str]:
    """What is told of numbers such as 20190731, or 201907 for a month."""
    for digits, least in ((8, 19000101), (6, 190001)):
        some = present[:: 1 + len(present) // _SAMPLED]
        low, high = least, least + 2 * 10 ** (digits - 2)
        dates = [value for value in some.tolist() if low <= value < high and _is_date(value, digits)]
        if len(set(dates)) > _FEW and len(dates) >= _NEARLY_ALL * len(some):
            yield (
                f"its values are dates written as numbers, such as {Masked(int(dates[0]))!r}, and the steps between "
                "them count no days. Fix: leave the column out, or convert it, such as to days before the application."
            )


def _is_date(value: float, digits: int) -> bool:
    """Whether a number is a day of the calendar, or, with six digits, a month."""
    if not value.is_integer():
        return False
    return _is_day(f"{value:.0f}" if digits == 8 else f"{value:.0f}01")


def _is_day(text: str) -> bool:
    """Whether a text is a day of the calendar; a year, quarter or month may well be a category."""
    read = read_date(text)
    return read is not None and read.form.startswith(("2019-07-31", "20190731"))


def _said(value: object) -> str:
    return repr(value) if isinstance(value, str) else number(float(value))  # type: ignore[arg-type]  # a number
