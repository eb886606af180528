"""The rows that an engine loads, and what is asked of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import name, qualified

Values = NDArray[Any]
#: Columns of results: arrays, or tuples of Python values.
Columns = list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows to load: columns by name, each of doubles or of texts and None."""

    options: SQLOptions
    columns: dict[str, Values]
    kinds: dict[str, str]
    n_rows: int

    def all_columns(self) -> list[tuple[str, str, Values]]:
        """Name, type and values of every column; identifiers that are not among the data are numbered rows."""
        d = self.options.target
        booleans = {self.options.column(feature) for feature in self.options.booleans}
        columns = [
            (key, d.stored("boolean"), _booleans(key, values))
            if key in booleans
            else (key, d.stored(self.kinds[key]), values)
            for key, values in self.columns.items()
        ]
        numbers = np.arange(self.n_rows)
        columns += [(key, d.stored("integer"), numbers) for key in self.numbered]
        return columns or [("nothing", d.stored("integer"), numbers)]

    @property
    def numbered(self) -> list[str]:
        """The identifiers that are not among the data."""
        taken = {key.casefold() for key in self.columns}
        return [key for key in self.options.ids if key.casefold() not in taken]

    @property
    def quoted(self) -> str:
        """The table's name for the engine."""
        return qualified(self.options.table, self.options.target)

    @property
    def plain(self) -> bool:
        """Whether a temporary table will do: it is not in a schema, and no view or table is made of it."""
        return self.options.created is None and isinstance(self.options.table, str)

    def create(self, statement: str) -> str:
        """What makes the table; the statement begins it."""
        columns = ", ".join(f"{name(key, self.options.target)} {kind}" for key, kind, _ in self.all_columns())
        return f"{statement} {self.quoted} ({columns})"

    def rows(self) -> Iterable[tuple[Any, ...]]:
        """Rows of Python values."""
        columns = (values.tolist() for _, _, values in self.all_columns())
        if not self.options.target.holds_nan:
            columns = ([None if value != value else value for value in values] for values in columns)
        return zip(*columns, strict=True)

    def arrow(self) -> Any:
        """The columns as an Arrow table, under names c0, c1, …"""
        import pyarrow as pa

        arrays = [pa.array(values, from_pandas=False) for _, _, values in self.all_columns()]
        return pa.table(arrays, names=[f"c{i}" for i in range(len(arrays))])

    def schemas(self) -> list[str]:
        """The schemas that must be there, quoted."""
        used = [self.options.table, *([self.options.created] if self.options.created is not None else [])]
        return list(dict.fromkeys(name(item[0], self.options.target) for item in used if not isinstance(item, str)))

    def select(self, text: str, execute: Callable[[str], Any]) -> Any:
        """Execute the text, and read what it made if it is no query itself."""
        if self.options.created is None:
            return execute(text)
        execute(text)
        return execute(f"SELECT * FROM {qualified(self.options.created, self.options.target)}")


def transposed(rows: list[Any], n_columns: int) -> Columns:
    """Columns of rows; there may be no row."""
    return list(zip(*rows, strict=True)) if rows else [()] * n_columns


def _booleans(key: str, values: Values) -> Values:
    if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        raise InputError(
            "other values than 0 and 1 in a column of truth values",
            where=f"column {key!r}",
            fix="leave the feature out of the option booleans",
        )
    return np.array([None if math.isnan(value) else value == 1.0 for value in values.tolist()], dtype=object)
