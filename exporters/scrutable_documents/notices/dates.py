"""Dates as they are given and as they are written."""

from __future__ import annotations

from datetime import date

from scrutable.errors import InputError

#: What strftime calls them in English; it would follow the machine's language.
_FIRST_HALF = ("January", "February", "March", "April", "May", "June")
_MONTHS = (*_FIRST_HALF, "July", "August", "September", "October", "November", "December")


def checked_date(given: object, where: str) -> str:
    """A date in ISO form.

    Raises
    ------
    InputError : no such date.

    Examples
    --------
    >>> checked_date("2026-11-22", "option date")
    '2026-11-22'
    """
    try:
        return date.fromisoformat(str(given)[:10] if isinstance(given, date) else str(given)).isoformat()
    except ValueError:
        raise InputError(
            "not a date", where=where, got=given, allowed="YYYY-MM-DD", fix="for example 2026-11-22"
        ) from None


def written_date(iso: str) -> str:
    """A date in English words.

    >>> written_date("2026-11-02")
    'November 2, 2026'
    """
    day = date.fromisoformat(iso)
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
