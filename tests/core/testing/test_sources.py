"""The contract of sources holds of rows in memory, and finds what a source may do wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from scrutable.data import Source
from scrutable.data.frames import Column, Table, as_table, known_column
from scrutable.errors import InputError
from scrutable.testing.sources import check_source


class InMemory(Source):
    """Rows of a table of PyArrow, as the core reads them."""

    size = 100_000

    def __init__(self, rows: pa.Table) -> None:
        self.rows = rows

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.rows.column_names)

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        for name in names:
            known_column(name, self.names, "rows")
        for start in range(0, self.rows.num_rows, self.size):
            part = self.rows.slice(start, self.size)
            yield Table(part.num_rows, {name: lambda name=name, part=part: self.read(name, part) for name in names})

    def read(self, name: str, part: pa.Table) -> Column:
        kind = part.schema.field(name).type
        column = as_table(part.select([name])).column(name)
        text = pa.types.is_string(kind) or pa.types.is_dictionary(kind)
        empty = np.full(part.num_rows, None, dtype=object) if text else np.full(part.num_rows, np.nan)
        return self.changed(
            Column(name, "categorical" if text else "numeric", empty if column.kind == "empty" else column.values)
        )

    def changed(self, column: Column) -> Column:
        return column


def test_rows_in_memory_keep_it() -> None:
    check_source(InMemory)


def _numbers(change: Callable[[Any], Any]) -> type[InMemory]:
    class Changed(InMemory):
        def changed(self, column: Column) -> Column:
            if column.kind != "numeric" or column.name == "row":
                return column
            return Column(column.name, "numeric", change(column.values.copy()))

    return Changed


def _texts(change: Callable[[str], str | None]) -> type[InMemory]:
    class Changed(InMemory):
        def changed(self, column: Column) -> Column:
            if column.kind != "categorical":
                return column
            texts = [None if text is None else change(text) for text in column.values]
            return Column(column.name, "categorical", np.array(texts, dtype=object))

    return Changed


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda x: x + 0.0, id="no sign of zero"),
        pytest.param(lambda x: np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf), id="nothing is zero"),
        pytest.param(lambda x: np.where(np.isinf(x), np.nan, x), id="infinity is nothing"),
        pytest.param(lambda x: np.where(np.abs(x) < 2.3e-308, np.copysign(0.0, x), x), id="denormals are zero"),
        pytest.param(lambda x: np.where(np.abs(x) > 2**52, np.nextafter(x, 0), x), id="the wrong neighbour"),
        pytest.param(lambda x: np.where(np.abs(x) > 1e308, np.inf, x), id="overflow"),
    ],
)
def test_changed_numbers_are_told(change: Callable[[Any], Any]) -> None:
    with pytest.raises(AssertionError, match="in row"):
        check_source(_numbers(change))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(str.rstrip, id="no blanks after"),
        pytest.param(str.lstrip, id="no blanks before"),
        pytest.param(str.lower, id="no case"),
        pytest.param(lambda text: text.replace("ß", "ss"), id="folded"),
        pytest.param(lambda text: unicodedata.normalize("NFC", text), id="composed"),
        pytest.param(lambda text: unicodedata.normalize("NFD", text), id="decomposed"),
        pytest.param(lambda text: text or None, id="empty is nothing"),
        pytest.param(lambda text: None if text == "NULL" else text, id="a word is nothing"),
        pytest.param(lambda text: text[:4000], id="cut off"),
        pytest.param(lambda text: text.replace("\n", " "), id="one line"),
    ],
)
def test_changed_texts_are_told(change: Callable[[str], str | None]) -> None:
    with pytest.raises(AssertionError, match="in row"):
        check_source(_texts(change))


class Forgetful(InMemory):
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        for batch in super().batches(names):
            yield batch.subset(slice(0, max(batch.n_rows - 1, 1)))


class Repeating(InMemory):
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        for batch in super().batches(names):
            yield batch.subset(np.maximum(np.arange(batch.n_rows), min(1, batch.n_rows - 1)))


class Once(InMemory):
    read_already = False

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        if not self.read_already:
            self.read_already = True
            yield from super().batches(names)


class OneReader(InMemory):
    reader: Any = None

    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        if self.reader is not None:
            self.reader.close()
        self.reader = super().batches(names)
        return self.reader


class Guessing(InMemory):
    def read(self, name: str, part: pa.Table) -> Column:
        return as_table(part).column(name)


class InItsOwnOrder(InMemory):
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        for batch in super().batches(names):
            known = [name for name in self.names if name in names]
            yield Table(
                batch.n_rows,
                {name: lambda own=own, batch=batch: batch.column(own) for name, own in zip(names, known, strict=True)},
            )


class Backwards(InMemory):
    @property
    def names(self) -> tuple[str, ...]:
        return super().names[::-1]


class Inventing(InMemory):
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        for batch in super().batches([name for name in names if name in self.names]):
            nothing = Column("", "numeric", np.full(batch.n_rows, np.nan))
            columns = {name: batch.column(name) if name in batch else nothing for name in names}
            yield Table(batch.n_rows, {name: lambda column=column: column for name, column in columns.items()})


class Dated(InMemory):
    def read(self, name: str, part: pa.Table) -> Column:
        if pa.types.is_date(part.schema.field(name).type):
            return Column(name, "numeric", np.zeros(part.num_rows))
        return super().read(name, part)


class NeverEmpty(InMemory):
    def batches(self, names: Sequence[str]) -> Iterator[Table]:
        if not self.rows.num_rows:
            raise InputError("no rows")
        return super().batches(names)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Forgetful, r"the first reading of \d+ rows has \d+ rows"),
        (Repeating, "in row"),
        (Once, r"the second reading of \d+ rows has 0 rows"),
        (OneReader, "one of two readings at once has"),
        (Guessing, "is empty in place of numeric"),
        (InItsOwnOrder, "a reading of the columns"),
        (Backwards, "columns .* of"),
        (Inventing, "a column that there is not is read"),
        (Dated, "a column of dates is read"),
    ],
)
def test_faults_are_told(wrong: type[InMemory], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_source(wrong)


def test_an_empty_table_is_no_error() -> None:
    with pytest.raises(InputError, match="no rows"):
        check_source(NeverEmpty)
