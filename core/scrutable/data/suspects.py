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
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.decimals import number

#: How often a number is repeated that is taken for a code.
_REPEATED = 3
#: Most different negative numbers of a column of codes, such as -9, -8 and -7 for three kinds of no information.
_CODES = 6
#: The next number is above this share of a lowest one that is taken for a code.
_FAR = 0.5
#: Negative codes that are not in nines: how many, their share of the values, how much more often than another number
#: each of them occurs, and how many other numbers there are.
_SPIKES, _SHARE, _OFTENER, _MANY = 3, 0.03, 3, 20
#: How far beyond all others a positive code lies, in ranges of the others.
_APART = 0.5
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


def warn_of_suspects(columns: Iterable[Column], codes: Mapping[str, Iterable[Value]]) -> None:
    """Warn of columns that say nothing, hold numbers that are no measurement, or dates as categories.

    Parameters
    ----------
    codes : special codes that are known already, by column.
    """
    for column in columns:
        for told in _told(column, codes[column.name]):
            warn_caller(f"column {column.name!r}: {told}", InputWarning)


def suspected_codes(values: NDArray[np.float64]) -> list[float]:
    """Repeated numbers at the ends of others that are written all in nines, as codes for no information are.

    Negative ones are codes where there are but a few different negative numbers, all whole and one of them in nines, or
    far more frequent than others, as -1 below amounts; or the lowest is, if the next is not half as far below 0.
    Positive ones lie well beyond all others; numbers up to nine less than one in nines go with it, as 9998 with 9999.

    Parameters
    ----------
    values : (n,) none of them missing, and none a special code that is known.

    Examples
    --------
    >>> suspected_codes(np.array([25.0, 31, 47] * 9 + [-999.0] * 5))
    [-999.0]
    >>> suspected_codes(np.array([0.0, 1, 2] * 9 + [9998.0] * 3 + [9999.0] * 5))
    [9998.0, 9999.0]
    """
    finite = values[np.isfinite(values)]
    ends = [float(end) for end in (finite.min(), finite.max())] if len(finite) else []
    if not ends or (ends[0] >= 0 and not _in_nines(ends[1])):
        return []
    levels, counts = np.unique(finite, return_counts=True)
    if levels.searchsorted(0.0) > _CODES and not any(map(_in_nines, ends)):
        return []
    often = dict(zip(levels.tolist(), counts.tolist(), strict=True))
    return [code for code in (*_negative(often), *_positive(often)) if often[code] >= _REPEATED]


def _told(column: Column, codes: Iterable[Value]) -> Iterator[str]:
    present = column.values[~column.missing]
    if len(present) > 1 and len(present) == len(column.values) and (present == present[0]).all():
        yield f"every value is {_said(present[0])}, so it tells applicants apart in nothing. Fix: leave the column out."
    elif column.kind == "categorical":
        yield from _dates(present)
    elif column.kind == "numeric" and not column.nominal:
        yield from _numeric_dates(present)
        yield from _codes(column, codes)


def _codes(column: Column, known: Iterable[Value]) -> Iterator[str]:
    values = column.values[~column.missing]
    named = [float(code) for code in known if not isinstance(code, str)]
    values = values[~np.isin(values, named)] if named else values
    if codes := suspected_codes(values):
        rows = int(np.isin(values, codes).sum())
        listed = ", ".join(number(code) for code in sorted({*codes, *named}))
        yield (
            f"{' and '.join(map(number, codes))} in {rows:,} of {len(column.values):,} rows may stand for no "
            "information, and count as ordinary numbers. Fix: declare them with the binner's or learner's option "
            f"special_codes, for example --binner-option 'special_codes={{\"{column.name}\": [{listed}]}}' (in Python "
            f"special_codes={{{column.name!r}: [{listed}]}}), or leave them, if they are measured."
        )


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


def _in_nines(value: float) -> bool:
    """Whether a whole number is all nines; of a million on also nines and zeros, such as 9990000 or 9.99e20."""
    if not value.is_integer() or value == 0:
        return False
    digits = f"{abs(value):.17g}" if abs(value) < 1e15 else f"{abs(value):.6e}".partition("e")[0].replace(".", "")
    significant = digits.rstrip("0") if abs(value) >= 1e6 else digits
    return set(significant) == {"9"} and (value < 0 or len(significant) > 1)


def _negative(often: Mapping[float, int]) -> list[float]:
    below = [level for level in often if level < 0]
    few = len(below) <= _CODES and len(below) < len(often) and all(level.is_integer() for level in below)
    if few and any(map(_in_nines, below)):
        return below
    if few and _are_spikes(below, often):
        return below
    lowest, *others = sorted(below) or [0.0]
    return [lowest] if others and _in_nines(lowest) and others[0] > _FAR * lowest else []


def _are_spikes(below: list[float], often: Mapping[float, int]) -> bool:
    """Whether the only negative numbers are few, from -9 to -1, and each far more frequent than most others."""
    others = [count for level, count in often.items() if level >= 0]
    if not 0 < len(below) <= _SPIKES or min(below) < -9 or len(others) < _MANY:
        return False
    rows = sum(often[level] for level in below)
    usual = float(np.median(others))
    return rows >= _SHARE * sum(often.values()) and all(often[level] >= _OFTENER * usual for level in below)


def _positive(often: Mapping[float, int]) -> list[float]:
    last = max(often)
    if last <= 0 or not _in_nines(last):
        return []
    family = [level for level in often if level.is_integer() and last - 9 <= level <= last] if last > 99 else [last]
    others = [level for level in often if level not in family]
    if not others or min(family) - max(others) < max(_APART * (max(others) - min(others)), 1):
        return []
    return family
