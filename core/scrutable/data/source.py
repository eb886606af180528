"""Rows that live elsewhere, such as in a database: read batch by batch, as often as they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from scrutable.data.frames import Table, as_table


class Source(ABC):
    """Rows by the columns that they have; what a plugin offers by the hook `scrutable_sources`.

    Nothing is asked of it but its batches, and nothing depends on how the rows are shared out among them, nor on their
    order: what is learned from two sources of equal rows is the same to the last byte.
    """

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The columns, in their order."""

    @abstractmethod
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        """All rows, each in one batch, with some of the columns; the rows are the same each time.

        A column is of one kind in all batches: doubles in which what is missing is NaN, or texts exactly as they are,
        in which it is None.

        Raises
        ------
        InputError : a column that is not there, or values that are neither numbers nor texts.
        """


class SomeColumns(Source):
    """The rows of another source by some of its columns.

    Parameters
    ----------
    source : the other one.
    names : of the columns, in their new order.
    """

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        self._source, self._names = source, tuple(names)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        return self._source.batches(names)


class FrameSource(Source):
    """Rows of a frame, so many in each batch.

    Parameters
    ----------
    frame : what `scrutable.data.frames.as_table` reads.
    rows : of a batch.

    Examples
    --------
    >>> source = FrameSource({"age": [41, 17, None]}, rows=2)
    >>> [table.column("age").values.tolist() for table in source.batches(["age"])]
    [[41.0, 17.0], [nan]]
    """

    def __init__(self, frame: Any, rows: int = 2**17) -> None:
        self._table, self._rows = as_table(frame), rows

    @property
    def names(self) -> tuple[str, ...]:
        return self._table.names

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        columns = {name: self._table.column(name) for name in names}
        for start in range(0, self._table.n_rows, self._rows):
            own = slice(start, min(start + self._rows, self._table.n_rows))
            readers = {name: partial(column.take, own) for name, column in columns.items()}
            yield Table(own.stop - own.start, readers)
