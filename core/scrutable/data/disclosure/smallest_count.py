"""The least number of rows that anything is told of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from scrutable.writing.settings import check_least, read_settings

#: The default, which many statistical offices use for tables of counts.
MIN_CELL = 5
#: Says it for one run; the settings file says it for good, as `min_cell`.
VARIABLE = "SCRUTABLE_MIN_CELL"


def min_cell() -> int:
    """The least number of rows that anything is told of: the environment's, the settings file's, or 5.

    Raises
    ------
    InputError : it is no whole number from 1 on, and as in `read_settings`.
    """
    said = os.environ.get(VARIABLE, "").strip()
    if said:
        return check_least(int(said) if said.isdecimal() else said, VARIABLE)
    return read_settings().min_cell or MIN_CELL


def told_count(count: int, least: int) -> int | None:
    """A count, None where it is of some people, and of fewer than may be told of.

    >>> told_count(0, 5), told_count(4, 5), told_count(5, 5)
    (0, None, 5)
    """
    return count if count == 0 or count >= least else None


@contextmanager
def told_from(least: int) -> Iterator[None]:
    """Within this, here and in processes started here, as few rows are told of: for checks on made-up rows.

    >>> with told_from(1):
    ...     min_cell()
    1
    """
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(least)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before
