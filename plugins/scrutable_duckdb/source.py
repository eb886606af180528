"""Rows that DuckDB reads."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrutable.data.frames import Column, Table, checked_names, known_column, select
from scrutable.errors import InputError
from scrutable.plugins.bases import RowSource
from scrutable_duckdb.columns import TEXTS, expression, read
from scrutable_duckdb.connections import Limits
from scrutable_duckdb.places import opened_place
from scrutable_duckdb.results import GivenRelation, Query, Rows
from scrutable_duckdb.scoring import Asked, write_parquet, write_table

if TYPE_CHECKING:
    import pyarrow as pa

    from scrutable.measures import ScoredFile
    from scrutable.model import Model

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

    def score_into(
        self,
        model: Model,
        output: str,
        results: Sequence[str],
        *,
        identifier: str | None = None,
        overwrite: bool = False,
        say: Callable[[str], None] = lambda _: None,
    ) -> ScoredFile:
        """Write what a model says of each row to a .parquet file or a table, "bank.duckdb::schema.table".

        DuckDB works it out from the text of the exporter `sql`, in the order of the rows of files. A relation that was
        given is not scored so; its own connection can run that text. See `scrutable.plugins.bases.RowSource`.
        """
        if not isinstance(self._rows, Query):
            return super().score_into(model, output, results)
        if identifier is not None:
            known_column(identifier, self._names, "--id")
        asked = Asked(model=model, columns=self._inputs(model), results=results, identifier=identifier)
        if "::" in output:
            return write_table(self._rows, asked, output, overwrite=overwrite, say=say)
        if not output.endswith(".parquet"):
            raise InputError(
                "no place that DuckDB writes to",
                where=f"output {output!r}",
                allowed="a .parquet file, or a table as bank.duckdb::schema.table",
                fix="name one of these",
            )
        return write_parquet(self._rows, asked, Path(output), overwrite=overwrite, say=say)

    def _inputs(self, model: Model) -> dict[str, str]:
        """What is selected of each column that a model reads, which is of the kind that it was fitted with."""
        kinds = {feature.name: feature.kind for feature in model.features}
        for name in kinds:
            known_column(name, self._names, _WHERE)
        return {name: self._input(name, kind) for name, kind in kinds.items()}

    def _input(self, name: str, kind: str) -> str:
        selected, of_texts = expression(name, self._kinds[name]), self._kinds[name].id in TEXTS
        if of_texts == (kind == "categorical"):
            return selected
        for batch in self.batches([name]):  # of a column of another kind nothing may be there
            select(batch, [(name, kind)])
        return f"CAST(NULL AS {'DOUBLE' if of_texts else 'VARCHAR'})"

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
