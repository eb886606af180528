"""The line of the columns' names where titles stand above it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scrutable.errors import ScrutableWarning, warn_caller

#: Lines that are looked at.
SAMPLED = 20
_NUMBER = re.compile(r"[\s+-]*[0-9.,]+\s*%?\s*")
_WIDE = 3


class HeaderLineWarning(ScrutableWarning):
    """Lines above the columns' names were passed over."""


def header_place(rows: Sequence[Sequence[Any]]) -> int:
    """Which row has the names: the first that is not blank, or, where that is a title, the first below with all names.

    A title fills at most half of the columns. A row of names has a text in each of them that is no number, and each
    once.

    >>> header_place([["age", "job", "paid"], ["41", "cook", "1"]])
    0
    >>> header_place([["Loans 2024", "", ""], [], ["age", "job", "paid"], ["41", "cook", "1"]])
    2
    """
    head = rows[:SAMPLED]
    filled = [sum(not is_empty(cell) for cell in row) for row in head]
    first = next((place for place, count in enumerate(filled) if count), 0)
    width = max(filled, default=0)
    if width < _WIDE:
        return first
    for place in range(first, len(head)):
        if filled[place] == width and _are_names(head[place]):
            return place
        if 2 * filled[place] > width:
            return first
    return first


def warn_of_lines_passed_over(passed: Sequence[Sequence[Any]], line: int) -> None:
    """Warn where lines that are not blank stood above the names."""
    if passed:
        warn_caller(
            f"the columns' names are taken from line {line}, and what stands above is passed over as titles. Fix: none "
            f"if that is right, and --header {line} (in Python header={line}) says so.",
            HeaderLineWarning,
        )


def _are_names(row: Sequence[Any]) -> bool:
    names = [cell.strip() for cell in row if isinstance(cell, str) and cell.strip()]
    filled = sum(not is_empty(cell) for cell in row)
    return len(set(names)) == filled and not any(map(_NUMBER.fullmatch, names))


def is_empty(cell: Any) -> bool:
    """Whether nothing is in a cell but blanks."""
    return cell is None or (isinstance(cell, str) and not cell.strip())
