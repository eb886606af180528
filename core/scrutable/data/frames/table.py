"""A table of columns that are converted when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.frames.column import Column
from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError, did_you_mean

_SPOKEN = {"numeric": "numbers", "categorical": "text"}


class Table:
    """Columns by name, in order, all of the same length.

    Parameters
    ----------
    n_rows : length of every column.
    readers : what makes each column; called at most once, and only for columns that are asked for.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> table = as_table({"age": [41, 17, None], "job": ["clerk", None, "cook"]})
    >>> table
    Table(3 rows: 'age', 'job')
    >>> table.subset(np.array([False, False, True])).column("job").values.tolist()
    ['cook']
    """

    __slots__ = ("_columns", "_readers", "n_rows")

    def __init__(self, n_rows: int, readers: Mapping[str, Callable[[], Column]]) -> None:
        self.n_rows = n_rows
        self._readers = dict(readers)
        self._columns: dict[str, Column] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Column names, in the order of the data."""
        return tuple(self._readers)

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows: {', '.join(map(repr, self.names))})"

    def column(self, name: str) -> Column:
        """The column of this name.

        Raises
        ------
        InputError : a name that the table does not have.
        KindError : values that are neither numbers nor text, or a mixture of both.
        """
        if name not in self._readers:
            raise _missing([name], self)
        if name not in self._columns:
            self._columns[name] = self._readers[name]()
        return self._columns[name]

    def subset(self, rows: npt.NDArray[Any] | slice) -> Table:
        """The rows at these positions (integers, booleans of length `n_rows`, or a slice), in that order."""
        positions = np.arange(self.n_rows)[rows]
        return Table(len(positions), {name: partial(_taken, self, name, positions) for name in self.names})


def select(table: Table, names_and_kinds: Iterable[tuple[str, str]]) -> dict[str, Column]:
    """The columns that a model reads, each of the kind that the model was fitted with.

    Parameters
    ----------
    table : any data that has the columns; further columns are ignored and never converted.
    names_and_kinds : column name and `numeric` or `categorical`.

    Returns
    -------
    dict of columns whose kind is the one asked for; an empty column becomes all NaN or all None.

    Raises
    ------
    InputError : columns that the table does not have.
    KindError : a column of the other kind.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> select(as_table({"age": [None], "job": ["cook"]}), [("age", "numeric")])["age"].values.tolist()
    [nan]
    """
    wanted = dict(names_and_kinds)
    absent = [name for name in wanted if name not in table]
    if absent:
        raise _missing(absent, table)
    return {name: _of_kind(table.column(name), kind) for name, kind in wanted.items()}


def _taken(table: Table, name: str, positions: npt.NDArray[np.intp]) -> Column:
    return table.column(name).take(positions)


def _of_kind(column: Column, kind: str) -> Column:
    if column.kind == kind:
        return column
    if column.kind == "empty" or column.missing.all():  # nothing in it is of another kind
        if kind == "numeric":
            return Column(column.name, "numeric", np.full(len(column.values), np.nan))
        return Column(column.name, "categorical", np.full(len(column.values), None, dtype=object))
    raise KindError(
        f"{_SPOKEN[kind]} when the model was fitted, {_SPOKEN[column.kind]} now",
        where=f"column {column.name!r}",
        got=Masked(column.values[~column.missing].tolist()[0]),
        allowed=f"{_SPOKEN[kind]} or missing",
        fix=f"convert the column to {_SPOKEN[kind]} as it was for fitting, or fit the model anew",
    )


def _missing(names: list[str], table: Table) -> InputError:
    first = names[0]
    others = f"; also missing: {', '.join(map(repr, names[1:]))}" if names[1:] else ""
    return InputError(
        f"missing column, not among the {len(table.names)} of the data{others}",
        where=f"column {first!r}",
        allowed=did_you_mean(first, table.names),
        fix="add the column, or give it the name that is expected",
    )
