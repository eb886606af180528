"""Rows that live elsewhere, such as in a database: read batch by batch, as often as they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from scrutable.data.frames import Table


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
