"""Rows that DuckDB reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from scrutable.data.frames import Column, Table, checked_names, known_column
from scrutable.errors import InputError
from scrutable.plugins.bases import RowSource
from scrutable_duckdb.columns import expression, read
from scrutable_duckdb.connections import Limits
from scrutable_duckdb.places import opened_place
from scrutable_duckdb.results import GivenRelation, Rows

if TYPE_CHECKING:
    import pyarrow as pa

#: Rows of a batch: few enough to stay where they are fast, and about as many as DuckDB keeps together.
_BATCH = 131_072
_WHERE = "DuckDB"


class DuckDBSource(RowSource):
    """Rows of a relation, a table, a query or files, which DuckDB reads batch by batch.

    Whole numbers, decimals, booleans and floating-point numbers become doubles; texts and enumerations stay as they
    are. NULL and NaN are missing. Columns are chosen by DuckDB, so that those of Parquet files that nobody asks for
    are not read.

    Parameters
    ----------
    rows : what is read.

    Raises
    ------
    InputError : names that DuckDB does not tell apart.

    Examples
    --------
    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> rows = DuckDBSource.taken(connection.sql("FROM (VALUES (41, 'cook'), (NULL, NULL)) t (age, job)"))
    >>> rows.names
    ('age', 'job')
    >>> [batch.column("age").values.tolist() for batch in rows.batches(["age"])]
    [[41.0, nan]]
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        described = rows.described()
        self._names = checked_names([name for name, _ in described], _WHERE)
        self._kinds = dict(described)
        _refuse_alike(self._names)

    @classmethod
    def taken(cls, given: Any) -> Self | None:
        """The rows of a relation, read by its own connection; None of anything else.

        A connection has one result at a time: where a second reading begins, what is left of the first is fetched.
        """
        duckdb = sys.modules.get("duckdb")
        return None if duckdb is None or not isinstance(given, duckdb.DuckDBPyRelation) else cls(GivenRelation(given))

    @classmethod
    def opened(
        cls,
        place: str,
        *,
        database: str | None = None,
        text: Sequence[str] = (),
        numbers: Sequence[str] = (),
        missing: Sequence[str] = (),
        memory_limit: str = Limits.memory,
        threads: int | None = None,
        temp_directory: str | None = None,
    ) -> Self:
        """The rows of files, of a table or of a query, read by connections of its own.

        Parameters
        ----------
        place : a .parquet or .csv file or a pattern such as "loans/*.parquet"; "bank.duckdb::schema.table"; or a .sql
            file that holds one SELECT.
        database : a file of DuckDB that a query reads, and does not change.
        text, numbers : columns of CSV files to read as they stand in the file, and as numbers; others are numbers if
            all that stands in them are.
        missing : texts in CSV files that stand where nothing is known, beside the empty one.
        memory_limit : memory that DuckDB may take, such as "4GB".
        threads : most threads that it works with; as many as there are cores by default.
        temp_directory : where it writes what does not fit into memory; a folder of its own, which goes in the end, by
            default.

        Raises
        ------
        InputError : there is no such place, or DuckDB cannot read it.

        Examples
        --------
        >>> import tempfile, pathlib, polars
        >>> path = pathlib.Path(tempfile.mkdtemp(), "loans.parquet")
        >>> polars.DataFrame({"age": [41, None], "job": ["cook", "none"]}).write_parquet(path)
        >>> DuckDBSource.opened(str(path), threads=1)
        DuckDBSource('age', 'job')
        """
        limits = Limits(memory=memory_limit, threads=threads, folder=temp_directory)
        reading = {"text": text, "numbers": numbers, "missing": missing}
        return cls(opened_place(place, limits, database=database, **reading))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._names))})"

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in their order."""
        return self._names

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        """All rows, some of their columns; see `scrutable.data.Source`."""
        for name in names:
            known_column(name, self._names, _WHERE)
        wanted = list(dict.fromkeys(names))
        selected = [expression(name, self._kinds[name]) for name in wanted]
        return self._tables(wanted, selected)

    def _tables(self, names: Sequence[str], selected: Sequence[str]) -> Iterator[Table]:
        listed = [f"{each} AS c{place}" for place, each in enumerate(selected)]
        for batch in self._rows.stream(listed or ["TRUE"], _BATCH):
            if batch.num_rows:
                yield Table(batch.num_rows, {name: partial(_column, name, batch, at) for at, name in enumerate(names)})


def _column(name: str, batch: pa.RecordBatch, place: int) -> Column:
    return read(name, batch.column(place))


def _refuse_alike(names: Sequence[str]) -> None:
    """Refuse names of which DuckDB would read the first one for both."""
    folded = [name.casefold() for name in names]
    alike = [name for name, fold in zip(names, folded, strict=True) if folded.count(fold) > 1]
    if alike:
        raise InputError(
            "columns whose names DuckDB does not tell apart",
            where=_WHERE,
            got=", ".join(map(repr, alike)),
            allowed="names that differ by more than upper and lower case",
            fix="rename them",
        )
