"""What layouts with a column of bins have in common: a variable, a bin and points in each row, and perhaps counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

from scrutable.errors import InputError
from scrutable.model import AttributeCondition, Kind
from scrutable_points_table.tables.line import PointsLine, count_of, number_of
from scrutable_points_table.tables.sheet import Sheet


class Bin(TypedDict):
    """What a bin says, as parts of a `PointsLine`."""

    printed: str
    kind: Kind | None
    conditions: NotRequired[tuple[AttributeCondition, ...]]
    special: NotRequired[str]
    label: NotRequired[str]


def lines_of(
    sheet: Sheet,
    columns: tuple[str, str, str],
    counts: tuple[str, str],
    bin_of: Callable[[Any, str, str], Bin],
    base: str | None = None,
) -> list[PointsLine]:
    """The lines of a table of bins.

    Parameters
    ----------
    columns : of the variable, the bin and the points.
    counts : columns that count the good and the bad, where the table has them.
    bin_of : what a bin says, from its cell, its variable, and where it stands.
    base : what base points have for a variable.
    """
    sheet.require(*columns)
    variable, bin_, points = columns
    lines = []
    for row, (name, cell, worth, *counted) in sheet.cells(*columns, *counts):
        where = f"row {row}"
        if name is None:
            fix = "name the variable in every row"
            raise InputError("no variable is named", where=f"{where}, {variable}", fix=fix)
        value = number_of(worth, f"{where}, {points}")
        if base is not None and name == base:
            lines.append(PointsLine(row=row, printed=base, points=value))
            continue
        if cell is None:
            raise InputError("no bin is named", where=f"{where}, {bin_}", fix="give every row its bin")
        good, bad = (count_of(each, f"{where}, {column}") for each, column in zip(counted, counts, strict=True))
        read = bin_of(cell, str(name), f"{where}, {bin_}")
        lines.append(PointsLine(row=row, characteristic=str(name), points=value, good=good, bad=bad, **read))
    return lines
