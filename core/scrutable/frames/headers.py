"""Header lines that are rows of data, because the file has no header."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from scrutable.errors import warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: What mends a file whose first line is data already.
ADD_HEADER = "if the first line of the file is a row of data already, put a line with the columns' names above it"

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN = 3


class NoHeaderWarning(UserWarning):
    """The first line of a file was taken for its header, and looks like a row of data."""


def warn_of_data_in_header(frame: pd.DataFrame) -> None:
    """Warn where most columns hold their own name as a value, or all names are numbers in no order.

    Whole numbers in steps of one are names, such as an array's positions or the years of several columns.
    """
    names = list(frame.columns)
    if _are_steps(names):
        return
    suspect = [name for name in names if _is_fraction(name) or _holds(frame[name], name)]
    if _are_unordered(names) or 2 * len(suspect) > len(names):
        shown = ", ".join(map(repr, names[:_SHOWN])) + (", …" if len(names) > _SHOWN else "")
        warn_caller(
            f"the file seems to have no header: its first line, taken for the names of columns, looks like a row of "
            f"data ({shown}). Fix: put a line with the columns' names above it; if these are the names, leave it.",
            NoHeaderWarning,
        )


def _are_steps(names: list[str]) -> bool:
    """Whether the names are whole numbers that rise by one; a single whole number is."""
    if not all(name.isascii() and name.isdecimal() for name in names):
        return False
    return [int(name) for name in names] == list(range(int(names[0]), int(names[0]) + len(names)))


def _are_unordered(names: list[str]) -> bool:
    """Whether the names are numbers that do not rise."""
    if not all(_NUMBER.fullmatch(name) for name in names):
        return False
    numbers = [float(name) for name in names]
    return any(one >= other for one, other in pairwise(numbers))


def _is_fraction(name: str) -> bool:
    return _NUMBER.fullmatch(name) is not None and not name.isdecimal()


def _holds(column: pd.Series, name: str) -> bool:
    """Whether the column holds its own name as a value."""
    if column.dtype.kind in "iuf":
        return _NUMBER.fullmatch(name) is not None and bool((column == float(name)).any())
    return bool((column.astype(str) == name).any())
