"""Readings of rows, batch by batch: by a relation that is given, and by cursors of a connection of our own."""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from scrutable_duckdb.connections import told
from scrutable_duckdb.databases import Database

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_GIVEN = "relation of DuckDB"


class Rows(ABC):
    """Rows that DuckDB reads."""

    @abstractmethod
    def described(self) -> list[tuple[str, Any]]:
        """Names and kinds of the columns."""

    @abstractmethod
    def stream(self, selected: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """All rows in batches of about a size; the connection is free once they are read, or given up.

        Raises
        ------
        InputError : DuckDB cannot read them.
        """


class Query(Rows):
    """The rows of a query, for each reading by a cursor of its own.

    Parameters
    ----------
    query : one SELECT.
    where : how errors call it.
    database : what it reads tables of.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, query: str, where: str, database: Database | None = None
    ) -> None:
        self._connection, self.query, self.where, self.database = connection, query, where, database

    def described(self) -> list[tuple[str, Any]]:
        """Names and kinds of the columns."""
        with told(self.where), self.cursor() as cursor:
            relation = cursor.sql(self.query)
            return list(zip(relation.columns, relation.types, strict=True))

    def stream(self, selected: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """All rows in batches."""
        with told(self.where), self.cursor() as cursor:
            reader = cursor.sql(f"SELECT {', '.join(selected)} FROM (\n{self.query}\n)").to_arrow_reader(size)
            try:
                yield from reader
            finally:
                reader.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor that the query can be put to."""
        cursor = self._connection.cursor()
        if self.database is not None:
            self.database.use(cursor)
        return cursor


class GivenRelation(Rows):
    """The rows of a relation that a modeller made, whose connection has one result at a time."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def described(self) -> list[tuple[str, Any]]:
        """Names and kinds of the columns."""
        with told(_GIVEN):
            return list(zip(self._relation.columns, self._relation.types, strict=True))

    def stream(self, selected: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """All rows in batches."""
        with told(_GIVEN):
            reading = _Reading.begun(self._relation, selected, size)
            try:
                yield from reading
            finally:
                reading.close()


class _Reading:
    """A reading by a connection that others may need: what is left of it is fetched when they do."""

    _open: ClassVar[weakref.WeakSet[_Reading]] = weakref.WeakSet()
    _lock: ClassVar = threading.RLock()  # one for all, since a connection refuses two threads at once

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._fetched: deque[pa.RecordBatch] | None = None

    @classmethod
    def begun(cls, relation: duckdb.DuckDBPyRelation, selected: Sequence[str], size: int) -> _Reading:
        """A reading of a relation; those that are in its way are fetched, one after another."""
        import duckdb

        with cls._lock:
            for other in list(cls._open):
                with suppress(duckdb.ResourceInUseException):
                    return cls._new(relation, selected, size)
                other._fetch()
            return cls._new(relation, selected, size)

    @classmethod
    def _new(cls, relation: duckdb.DuckDBPyRelation, selected: Sequence[str], size: int) -> _Reading:
        reading = cls(relation.project(", ".join(selected)).to_arrow_reader(size))
        cls._open.add(reading)
        return reading

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while (batch := self._next()) is not None:
            yield batch

    def _next(self) -> pa.RecordBatch | None:
        with self._lock:
            if self._fetched is not None:
                return self._fetched.popleft() if self._fetched else None
            return next(iter(self._reader), None)

    def _fetch(self) -> None:
        self._fetched = deque(self._reader)
        self.close()

    def close(self) -> None:
        """Free the connection."""
        with self._lock:
            self._open.discard(self)
            self._reader.close()
