"""Decimal commas in the columns of numbers, as spreadsheets of many countries write them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from scrutable.errors import InputError
from scrutable.plugins.bases import rows_said
from scrutable_points_table.tables.line import DECIMAL_COMMA
from scrutable_points_table.tables.sheet import Sheet

_COMMAS = "commas in the columns of numbers are decimal commas"
#: A number whose point may stand between thousands, as it does where decimals have a comma.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")


def with_decimal_points(sheet: Sheet, columns: Collection[str]) -> tuple[Sheet, tuple[str, ...]]:
    """The sheet with points for the decimal commas of its columns of numbers, where commas separate nothing else.

    Besides, what was taken for granted of the marks, as sentences for the report.

    Parameters
    ----------
    columns : those of numbers, whether or not the sheet has them.

    Raises
    ------
    InputError : numbers with a comma beside numbers with a point, as one of them stands between thousands.

    Examples
    --------
    >>> sheet = Sheet(columns=("values", "points"), rows=(("1,5", "12,5"),), commas=True)
    >>> pointed, taken = with_decimal_points(sheet, ["points"])
    >>> pointed.rows, taken
    ((('1,5', '12.5'),), ('commas in the columns of numbers are decimal commas',))
    """
    if not sheet.commas:
        return sheet, ()
    named = [name in columns for name in sheet.columns]
    rows = tuple(
        tuple(_pointed(cell) if number else cell for cell, number in zip(row, named, strict=True)) for row in sheet.rows
    )
    if rows == sheet.rows:
        return sheet, _about_points(sheet, named)
    _refuse_points(sheet, named)
    return replace(sheet, rows=rows), (_COMMAS,)


def _about_points(sheet: Sheet, named: list[bool]) -> tuple[str, ...]:
    """What to tell where every point in a number may be one between thousands."""
    pointed = [
        cell.strip()
        for row in sheet.rows
        for cell, number in zip(row, named, strict=True)
        if number and isinstance(cell, str) and "." in cell
    ]
    if not pointed or not all(map(_THOUSANDS.fullmatch, pointed)):
        return ()
    return (f"points in the columns of numbers are decimal points, none between thousands, as in {pointed[0]}",)


def _pointed(cell: Any) -> Any:
    return cell.replace(",", ".") if isinstance(cell, str) and DECIMAL_COMMA.fullmatch(cell.strip()) else cell


def _refuse_points(sheet: Sheet, named: list[bool]) -> None:
    """Refuse decimal points beside decimal commas; a number with both marks is no number to begin with."""
    first: dict[str, tuple[int, str]] = {}
    for row, cells in enumerate(sheet.rows, 1):
        for cell, number in zip(cells, named, strict=True):
            marks = {mark for mark in ",." if number and isinstance(cell, str) and mark in cell}
            if len(marks) == 1:
                first.setdefault(marks.pop(), (row, str(cell)))
    if len(first) > 1:
        (row, comma), (other, point) = first[","], first["."]
        raise InputError(
            "both decimal commas and decimal points",
            where=f"points table{rows_said(sorted((row, other)))}",
            got=(comma, point),
            allowed="one of them in all columns of numbers",
            fix="save the table with one decimal mark, and without marks between thousands",
        )
