"""A line of a points table, as every layout reads it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError
from scrutable.model import AttributeCondition, Interval, Kind

#: A number with a decimal comma, and none between thousands.
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsLine:
    """The points of one attribute, of several attributes that share them, or of the base.

    Parameters
    ----------
    row : its place in the table, from 1, the header not counted.
    printed : the attribute as the table writes it.
    points : as the table has them, whichever way they run.
    characteristic : the column that is read; empty for base points.
    conditions : what the line is about; intervals may be closed at either end. Empty for base points, and where
        `special` names the line.
    special : the name of a line for special codes that the table does not list.
    kind : what the column holds, where the layout says so.
    good, bad : rows of either outcome behind the line; None where the table does not count them.
    reason_code, label : as an attribute of a scorecard has them.
    """

    row: int
    printed: str
    points: float
    characteristic: str = ""
    conditions: tuple[AttributeCondition, ...] = ()
    special: str = ""
    kind: Kind | None = None
    good: float | None = None
    bad: float | None = None
    reason_code: str | None = None
    label: str = ""

    @property
    def where(self) -> str:
        """The line in words, for errors and reports."""
        return f"row {self.row}, {self.characteristic} {self.printed}" if self.characteristic else f"row {self.row}"

    @property
    def counted(self) -> float | None:
        """Rows behind the line; None where the table does not count them."""
        return None if self.good is None or self.bad is None else self.good + self.bad


def kinds_of(lines: Iterable[PointsLine]) -> set[Kind]:
    """What the lines of one characteristic show of its kind: nothing, one kind, or both, which no column can be.

    >>> kinds_of([PointsLine(row=1, printed="< 25", points=1, conditions=(Interval(upper=25),))])
    {'numeric'}
    """
    known = list(lines)
    intervals = any(isinstance(condition, Interval) for line in known for condition in line.conditions)
    shown: set[Kind] = {"numeric"} if intervals else set()
    return shown | {line.kind for line in known if line.kind is not None}


def number_of(value: Any, where: str) -> float:
    """The number that a cell holds.

    Raises
    ------
    InputError : the cell is empty, or holds something else.

    Examples
    --------
    >>> number_of(" -12.5", "row 1")
    -12.5
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number:
        comma = isinstance(value, str) and DECIMAL_COMMA.fullmatch(value.strip())
        fix = (
            "write a decimal point, and in a workbook make the cell a number instead of a text; commas are read in "
            "number columns of files separated by ; or tab"
        )
        fix = fix if comma else "correct the cell"
        raise InputError("expected a number", where=where, got=value, allowed="digits with a point", fix=fix)
    return number


def count_of(value: Any, where: str) -> float | None:
    """The rows that a cell counts; None where it is empty.

    Raises
    ------
    InputError : the cell holds something else than a finite number of zero or more.

    Examples
    --------
    >>> count_of("12", "row 1"), count_of(None, "row 2")
    (12.0, None)
    """
    if value is None:
        return None
    count = number_of(value, where)
    if not 0 <= count < math.inf:
        allowed = "a finite number of zero or more"
        raise InputError("expected a count", where=where, got=value, allowed=allowed, fix="correct the cell")
    return count
