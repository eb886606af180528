"""Header lines that are rows of data, because the file has no header."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from scrutable.data.masking import masked
from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: What mends a file whose first line is data already.
ADD_HEADER = "if the first line of the file is a row of data already, put a line with the columns' names above it"

#: A name that is a number.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN = 3


class NoHeaderWarning(ScrutableWarning):
    """The first line of a file was taken for its header, and looks like a row of data."""


def warn_of_data_in_header(frame: pd.DataFrame) -> None:
    """Warn where most names are fractions or values of their own columns, or all are numbers in no order.

    Whole numbers in steps of one are names, such as an array's positions or the years of several columns; so are three
    numbers or more that rise or fall, unless most are values of their own columns.
    """
    names = list(frame.columns)
    numbers = [float(name) for name in names if NUMBER.fullmatch(name)]
    if _are_steps(names):
        return
    ordered = len(numbers) > 2 and (_rise(numbers) or _rise(numbers[::-1]))
    suspect = [name for name in names if (_is_fraction(name) and not ordered) or _holds(frame[name], name)]
    unordered = len(numbers) == len(names) and not ordered and not _rise(numbers)
    if unordered or 2 * len(suspect) > len(names):
        shown = ", ".join(map(repr, masked(names[:_SHOWN]))) + (", …" if len(names) > _SHOWN else "")
        warn_caller(
            f"the file seems to have no header: its first line, taken for the names of columns, looks like a row of "
            f"data ({shown}). Fix: put a line with the columns' names above it; if these are the names, leave it.",
            NoHeaderWarning,
        )


def _are_steps(names: list[str]) -> bool:
    """Whether the names are whole numbers that all rise or all fall by one; a single whole number is."""
    if not all(name.isascii() and name.isdecimal() for name in names):
        return False
    steps = {int(other) - int(one) for one, other in pairwise(names)}
    return steps in (set(), {1}, {-1})


def _rise(numbers: list[float]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def _is_fraction(name: str) -> bool:
    return NUMBER.fullmatch(name) is not None and not name.isdecimal()


def _holds(column: pd.Series, name: str) -> bool:
    """Whether the column holds its own name as a value."""
    if column.dtype.kind in "iuf":
        return NUMBER.fullmatch(name) is not None and bool((column == float(name)).any())
    return bool((column.astype(str) == name).any())
