"""Columns that can be inputs of a model, and those that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

import numpy as np

from scrutable.data.frames import Column, Table
from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError, did_you_mean

#: A text column of at least this many rows with more different values than this share of them is no characteristic.
IDENTIFIER_ROWS = 50
IDENTIFIER_SHARE = 0.5


def read_columns(table: Table, check: Callable[[Column], None] | None = None) -> dict[str, Column]:
    """Every column of a table.

    Parameters
    ----------
    check : refuses columns that cannot be inputs; by their rows where None.

    Raises
    ------
    InputError, KindError : columns that cannot be inputs; one error names all of them.
    """
    columns: dict[str, Column] = {}
    refused: dict[str, InputError] = {}
    for name in table:
        try:
            columns[name] = table.column(name)
            (check or _refuse_rows)(columns[name])
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


def refuse_unsuitable(column: Column, present: int, missing: int) -> None:
    """Refuse a column without values, and one of texts that tell who an applicant is, not what they are like.

    Parameters
    ----------
    column : its values, each once at least.
    present, missing : numbers of rows with and without a value.
    """
    if not present:
        raise InputError("every value is missing", where=f"column {column.name!r}", fix="leave the column out")
    if column.kind != "categorical" or present + missing < IDENTIFIER_ROWS:
        return
    different = {text for text in column.coding.levels[np.unique(column.coding.codes)].tolist() if text is not None}
    if len(different) > IDENTIFIER_SHARE * present:
        refuse_identifier(column.name, len(different), present, min(different))


def _refuse_rows(column: Column) -> None:
    missing = int(column.missing.sum())
    refuse_unsuitable(column, len(column.missing) - missing, missing)


def refuse_unknown_names(names: Iterable[str], known: Sequence[str], option: str) -> None:
    """Refuse names of an option that no input has."""
    if isinstance(names, str):
        raise InputError("expected a list of names", where=option, got=names, fix=f"{option}=[{names!r}]")
    for name in names:
        if name not in known:
            raise InputError("unknown column", where=option, got=name, fix=did_you_mean(name, known))


def refuse_identifier(name: str, distinct: int, rows: int, example: str) -> NoReturn:
    """Refuse a column of so many different texts in so many rows."""
    raise InputError(
        "text that differs in nearly every row, such as an identifier or a date",
        where=f"column {name!r}",
        got=f"{distinct} different values in {rows} rows, one of them {Masked(example)!r}",
        fix="leave the column out, or convert it to a number (numbers with a decimal comma are text, too)",
    )
