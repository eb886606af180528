"""Columns that can be inputs of a model, and those that cannot."""

from __future__ import annotations

from typing import NoReturn

from scrutable.data.frames import Column, Table
from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError

#: A text column of at least this many rows with more different values than this share of them is no characteristic.
IDENTIFIER_ROWS = 50
IDENTIFIER_SHARE = 0.5


def read_columns(table: Table) -> dict[str, Column]:
    """Every column of a table.

    Raises
    ------
    InputError, KindError : columns that cannot be inputs; one error names all of them.
    """
    columns: dict[str, Column] = {}
    refused: dict[str, InputError] = {}
    for name in table:
        try:
            columns[name] = table.column(name)
            _refuse_unsuitable(columns[name])
        except InputError as error:
            refused[name] = error
    if len(refused) == 1:
        raise next(iter(refused.values()))
    if refused:
        named: dict[str, list[str]] = {}
        for name, refusal in refused.items():
            named.setdefault(refusal.what, []).append(repr(name))
        kind = KindError if all(isinstance(error, KindError) for error in refused.values()) else InputError
        raise kind(
            "; ".join(f"{what} ({', '.join(names)})" for what, names in named.items()),
            where=f"{len(refused)} columns",
            fix="leave these columns out, or convert them to numbers",
        )
    return columns


def _refuse_unsuitable(column: Column) -> None:
    where = f"column {column.name!r}"
    if column.missing.all():
        raise InputError("every value is missing", where=where, fix="leave the column out")
    _refuse_identifier(column)


def _refuse_identifier(column: Column) -> None:
    """Text that differs in nearly every row tells who an applicant is, not what they are like."""
    if column.kind != "categorical" or len(column.values) < IDENTIFIER_ROWS:
        return
    present = column.values[~column.missing]
    distinct = len(set(present.tolist()))
    if distinct > IDENTIFIER_SHARE * len(present):
        refuse_identifier(column.name, distinct, len(present), present[0])


def refuse_identifier(name: str, distinct: int, rows: int, example: str) -> NoReturn:
    """Refuse a column of so many different texts in so many rows."""
    raise InputError(
        "text that differs in nearly every row, such as an identifier or a date",
        where=f"column {name!r}",
        got=f"{distinct} different values in {rows} rows, one of them {Masked(example)!r}",
        fix="leave the column out, or convert it to a number (numbers with a decimal comma are text, too)",
    )
