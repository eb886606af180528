"""Rows of the table of records, as a database gives them: CSV or Parquet files."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.errors import InputError, did_you_mean
from scrutable_records.differences import Differences
from scrutable_records.fields import BYTES, FACTS, INPUT, PERSONAL, arrow_type
from scrutable_records.order import check_order, in_order
from scrutable_records.packing import of_fixed_size
from scrutable_records.parts import Block
from scrutable_records.replaying import BLOCK
from scrutable_records.table_form import COLUMNS, value_of


class TableRows:
    """Records in a file that a database wrote of the table, in the order of their numbers.

    Parameters
    ----------
    path : a .csv or .parquet file, with the columns of the table and perhaps others; upper-case names will do.

    Raises
    ------
    InputError : the file cannot be read, or lacks a column.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_csv = path.suffix == ".csv"
        numbers = [_typed("record", batch.column(0)) for batch in self._batches(["record"])]
        if any(each.null_count for each in numbers):
            raise _not_held("record", "a whole number in each row")
        self._numbers = np.concatenate([each.to_numpy() for each in numbers] or [np.array([], dtype=np.int64)])
        self.n_records = len(self._numbers)
        if not self.n_records:
            raise InputError("no rows", where=f"file {str(path)!r}", fix="give at least one record")

    def blocks(self, differences: Differences) -> Iterator[Block]:
        """The records, some at a time; rows that do not stand in order are read at once and put in order."""
        first, last = int(self._numbers.min()), int(self._numbers.max())
        is_in_order = check_order(self._numbers, first, last, differences)
        batches = self._batches(list(COLUMNS))
        for batch in batches if is_in_order else in_order(batches, self._numbers):
            yield _block(dict(zip(COLUMNS, batch.columns, strict=True)))

    def _batches(self, names: list[str]) -> Iterator[Any]:
        import pyarrow as pa

        try:
            yield from self._csv(names) if self._is_csv else self._parquet(names)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(
                "cannot be read as rows of the table of records",
                where=f"file {str(self._path)!r}",
                got=type(error).__name__,
                fix="export the table anew, with its column names, in UTF-8",
            ) from None

    def _csv(self, names: list[str]) -> Iterator[Any]:
        import pyarrow as pa
        from pyarrow import csv

        options = csv.ReadOptions(use_threads=False, block_size=2**24)
        parse = csv.ParseOptions(newlines_in_values=True)
        with csv.open_csv(self._path, options, parse) as rows:
            titles = self._titles(rows.schema.names, names)
        convert = csv.ConvertOptions(
            column_types=dict.fromkeys(titles, pa.string()),
            include_columns=titles,
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            null_values=["", "\\N"],
        )
        with csv.open_csv(self._path, options, parse, convert) as rows:
            yield from rows

    def _parquet(self, names: list[str]) -> Iterator[Any]:
        import pyarrow.parquet as pq

        with pq.ParquetFile(self._path, pre_buffer=False) as file:
            titles = self._titles(file.schema_arrow.names, names)
            for batch in file.iter_batches(BLOCK, columns=titles, use_threads=False):
                yield batch.select(titles)

    def _titles(self, there: Sequence[str], names: Sequence[str]) -> list[str]:
        """What the file calls the columns."""
        by_name = {title.lower(): title for title in there}
        for name in names:
            if name not in by_name:
                raise InputError(
                    "missing column of the table of records",
                    where=f"file {str(self._path)!r}, column {name!r}",
                    allowed=did_you_mean(name, by_name),
                    fix="export all columns that `scrutable archive table` names",
                )
        return [by_name[name] for name in names]


class _TableBlock(Block):
    """Records whose inputs each row names itself."""

    def __init__(self, columns: dict[str, Any], inputs: Sequence[dict[str, Any]]) -> None:
        super().__init__(columns, [])
        self._rows: dict[tuple[str, ...], list[int]] = {}
        for row, values in enumerate(inputs):
            self._rows.setdefault(tuple(values), []).append(row)
        self._arrays = {names: _arrays(names, [inputs[row] for row in rows]) for names, rows in self._rows.items()}

    def groups(self, among: Any) -> Iterator[tuple[list[str], Any]]:
        for names, rows in self._rows.items():
            some = np.array(rows)[among[rows]]
            if len(some):
                yield [INPUT + name for name in names], some

    def taken(self, rows: Any, inputs: Sequence[str]) -> dict[str, Any]:
        import pyarrow as pa

        names = tuple(name.removeprefix(INPUT) for name in inputs)
        within = pa.array(np.searchsorted(self._rows[names], rows))
        arrays = {INPUT + name: array.take(within) for name, array in self._arrays[names].items()}
        places = pa.array(rows)
        return {name: array.take(places) for name, array in self.columns.items()} | arrays


def _block(columns: dict[str, Any]) -> Block:
    read = {name: _typed(name, array) for name, array in columns.items()}
    made = {name: read[name] for name in (*FACTS, *PERSONAL)}
    for name, size in BYTES.items():
        no_digest = bytes(size) if name in ("previous_sha256", "sha256") else None  # one that fits nothing
        made[name] = of_fixed_size([_bytes(text, size) or no_digest for text in read[name].to_pylist()], size)
    return _TableBlock(made, [_inputs(text) for text in read["inputs"].to_pylist()])


def _typed(name: str, array: Any) -> Any:
    """A column as the kind that it is of.

    Raises
    ------
    InputError : it holds something else; the value is not told.
    """
    import pyarrow as pa

    allowed = {"whole": "whole numbers", "double": "numbers", "text": "texts"}
    try:
        return array.cast(arrow_type(COLUMNS[name]))
    except pa.ArrowException:
        raise _not_held(name, allowed[COLUMNS[name]]) from None


def _not_held(name: str, allowed: str) -> InputError:
    fix = "export the table anew"
    return InputError("not what the table of records holds", where=f"column {name!r}", allowed=allowed, fix=fix)


def _bytes(text: str | None, size: int) -> bytes | None:
    try:
        value = bytes.fromhex(text or "")
    except ValueError:
        return None
    return value if len(value) == size else None


def _inputs(text: str | None) -> dict[str, Any]:
    """The inputs of a row; none where they are gone or cannot be read, which their digest tells."""
    try:
        read = json.loads(text) if text is not None else {}
        return {str(name): value_of(value) for name, value in read.items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, struct.error):
        return {}


def _arrays(names: tuple[str, ...], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The values of inputs: doubles, of which none is missing in JSON, or texts."""
    import pyarrow as pa

    made = {}
    for name in names:
        values = [row[name] for row in rows]
        numeric = any(isinstance(value, float) for value in values)
        own = float if numeric else str
        kept = [value if isinstance(value, own) else None for value in values]
        made[name] = pa.array(kept, pa.float64() if numeric else pa.string())
    return made
