"""Columns of applicants as they stand in the data, as texts, and as numbers."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import Masked
from scrutable.data.frames import Table, as_table, known_column
from scrutable.errors import KindError


class Applicants:
    """The applicants as they were given, and as the table that a model reads, in which every number is a double.

    Parameters
    ----------
    data : anything that `as_table` takes; a table has no other values than its own.

    Raises
    ------
    InputError : as in `as_table`.
    """

    def __init__(self, data: Any) -> None:
        self.table = as_table(data)
        self._frame = None if isinstance(data, Table) else _frame(data)

    def values(self, column: str, where: str) -> list[Any]:
        """(n,) values exactly as they are, None where missing.

        Raises
        ------
        InputError : no such column.
        """
        known_column(column, self.table.names, where)
        if self._frame is None:
            values = self.table.column(column).values.tolist()
        else:
            values = self._frame[:, self.table.names.index(column)].to_list()
        missing = pd.isna(pd.Series(values, dtype=object))
        return [None if gone else value for value, gone in zip(values, missing, strict=True)]

    def texts(self, column: str, where: str) -> list[str | None]:
        """(n,) texts, None where missing; a whole number is written without decimals, and a date in ISO form.

        Raises
        ------
        InputError : no such column.
        KindError : values that are neither texts, numbers nor dates.

        Examples
        --------
        >>> Applicants({"id": [2**53 + 1, None]}).texts("id", "option id")
        ['9007199254740993', None]
        """
        values = self.values(column, where)
        return [None if value is None else _text(value, column) for value in values]

    def numbers(self, column: str, where: str) -> NDArray[np.float64]:
        """(n,) numbers, NaN where missing.

        Raises
        ------
        InputError : no such column.
        KindError : values that are no numbers.
        """
        known_column(column, self.table.names, where)
        cells = self.table.column(column)
        if cells.kind == "empty":
            return np.full(self.table.n_rows, np.nan)
        if cells.kind != "numeric":
            raise KindError(
                "expected numbers", where=f"column {column!r}", got=Masked(next(filter(None, cells.values), None))
            )
        numbers: NDArray[np.float64] = cells.values
        return numbers


def _frame(data: Any) -> nw.DataFrame[Any]:
    frame = nw.from_native(data, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else nw.from_native(pd.DataFrame(data, dtype=object))


def _text(value: Any, column: str) -> str:
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, str | Real | Decimal | date | np.bool_):
        return str(value)
    raise KindError(
        "expected texts, numbers or dates", where=f"column {column!r}", got=Masked(value), fix="convert the column"
    )
