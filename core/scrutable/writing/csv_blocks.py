"""Arrow's columns as the bytes of CSV, block by block: those that `csv_of` gives of all rows at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import numpy as np

from scrutable.writing.arrow_arrays import array_numbers, numbers_array, texts_array, truths_array
from scrutable.writing.spreadsheet import harmless

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

#: Different texts up to which columns that stand side by side are joined before their rows are.
_JOINED = 4096
#: Rows for each different number from which on each of these is written once.
_OFTEN = 4
#: Texts that are written as they stand, whatever reads them.
_PLAIN = r"^[0-9A-Za-z][0-9A-Za-z _.:/-]*$"
#: Numbers that Arrow writes as Python does, but for the point of whole ones.
_SMALL, _LARGE = 1e-4, 1e10


class DoubtfulError(Exception):
    """Rows that are taken block by block have something that is to be seen to in all of them at once."""


@dataclass(frozen=True, slots=True)
class _Coded:
    """A column of few different cells, each row by the place of its own."""

    cells: tuple[str, ...]
    places: NDArray[Any]


class CsvRows:
    """A CSV file that is written block by block.

    >>> import pyarrow as pa
    >>> file = io.BytesIO()
    >>> with CsvRows(file) as rows:
    ...     rows.write({"id": pa.array(["A-17", "=1+1"]), "score": pa.array([0.1, None])})
    ...     rows.write({"id": pa.array(["A-18"]), "score": pa.array([510.0])})
    >>> file.getvalue().decode().split()
    ['id,score', 'A-17,0.1', "'=1+1,", 'A-18,510.0']
    """

    def __init__(self, handle: BinaryIO) -> None:
        self._handle, self._begun = handle, False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def write(self, columns: Mapping[str, Any]) -> None:
        """Write the rows of a block, and the header before those of the first."""
        if not self._begun:
            self._handle.write((",".join(map(_cell, columns)) + "\n").encode())
            self._begun = True
        self._handle.write(csv_rows(columns))


def csv_rows(columns: Mapping[str, Any]) -> memoryview:
    r"""Arrow arrays of equal length as rows of CSV: doubles with every digit, no text that reads as a formula.

    Parameters
    ----------
    columns : doubles, whole numbers, texts, or dictionaries of doubles or texts; NaN and null are empty cells.

    Raises
    ------
    DoubtfulError : a text with a carriage return, for which all texts of a file are quoted.

    Examples
    --------
    >>> import pyarrow as pa
    >>> bytes(csv_rows({"id": pa.array(["A-17", "=1+1"]), "score": pa.array([0.1, None])}))
    b"A-17,0.1\n'=1+1,\n"
    """
    *before, last = _joined([_written(array) for array in columns.values()])
    parts = [each if not isinstance(each, _Coded) else _spread(each) for each in (*before, _ended(last))]
    return _bytes_of(_side_by_side(*parts, between=","))


def _written(array: Any) -> _Coded | pa.StringArray:
    """The cells of a column."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(array.type):
        return _coded(array)
    if types.is_string(array.type) or types.is_large_string(array.type):
        return _texts(array)
    coded = array.dictionary_encode()
    if _OFTEN * len(coded.dictionary) <= len(array):
        return _coded(coded)
    return _decimals(array) if types.is_floating(array.type) else array.cast(pa.string())


def _coded(array: Any) -> _Coded:
    cells = [*map(_cell, array.dictionary.to_pylist()), ""]
    indices = array.indices.cast("int64") if array.indices.null_count else array.indices
    return _Coded(tuple(cells), array_numbers(indices, len(cells) - 1))


def _cell(value: Any) -> str:
    """A value as Python's own writer has it; NaN and None are nothing."""
    if value is None or value != value:
        return ""
    return _text_cell(value) if isinstance(value, str) else repr(value)


@lru_cache(maxsize=4096)
def _text_cell(text: str) -> str:
    if "\r" in text:
        raise DoubtfulError("a carriage return")
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerow([harmless(text), ""])
    return made.getvalue()[: -len(",\n")]


def _texts(array: Any) -> pa.StringArray:
    """Texts most of which are different."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = array.cast(pa.string()).fill_null("")
    odd = pc.invert(pc.or_(pc.match_substring_regex(cells, _PLAIN), pc.equal(cells, "")))
    if not pc.any(odd).as_py():
        return cells
    mended = texts_array(map(_cell, cells.filter(odd).to_pylist()))
    return pc.replace_with_mask(cells, odd, mended)


def _decimals(array: Any) -> pa.StringArray:
    """Doubles with every digit, as Python writes them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = array_numbers(array, np.nan)
    size = np.abs(values)
    alike = ((size >= _SMALL) & (size < _LARGE)) | (size == 0)
    cells = array.cast(pa.string())
    whole = alike & (values == np.trunc(values))
    if whole.any():
        cells = pc.if_else(truths_array(whole), _side_by_side(cells, ".0"), cells)
    if not alike.all():
        others = texts_array(map(_cell, values[~alike].tolist()))
        cells = pc.replace_with_mask(cells, truths_array(~alike), others)
    return cells


def _joined(columns: Iterable[Any]) -> list[Any]:
    """Columns of few different cells that stand side by side as one of the pairs of their cells."""
    made: list[Any] = []
    for each in columns:
        last = made.pop() if made else None
        if isinstance(last, _Coded) and isinstance(each, _Coded) and len(last.cells) * len(each.cells) <= _JOINED:
            places = last.places.astype(np.uint16) * np.uint16(len(each.cells)) + each.places.astype(np.uint16)
            made.append(_Coded(_pairs(last.cells, each.cells), places))
        else:
            made += [each] if last is None else [last, each]
    return made


@lru_cache(maxsize=64)
def _pairs(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{one},{other}" for one, other in product(first, second))


def _ended(column: Any) -> Any:
    """The last column, each cell with the end of its line."""
    if isinstance(column, _Coded):
        return _Coded(tuple(f"{cell}\n" for cell in column.cells), column.places)
    return _side_by_side(column, "\n")


def _side_by_side(*parts: Any, between: str = "") -> pa.StringArray:
    """The texts of columns, and such as are the same in all rows, as one text a row."""
    import pyarrow.compute as pc

    given = (texts_array([part])[0] if isinstance(part, str) else part for part in (*parts, between))
    return pc.binary_join_element_wise(*given)


def _spread(column: _Coded) -> pa.StringArray:
    """The cell of each row."""
    import pyarrow.compute as pc

    return pc.take(texts_array(column.cells), numbers_array(column.places))


def _bytes_of(rows: pa.StringArray) -> memoryview:
    """The texts one after another, as they lie in memory."""
    _, offsets, data = rows.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[rows.offset :]
    return memoryview(data)[ends[0] : ends[len(rows)]]
