"""Data files block by block, for who needs some columns of many rows and no frame of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.data.frames.arrow_csv import Arrays, CsvBlocks, Kind
from scrutable.data.frames.arrow_parquet import ParquetBlocks
from scrutable.data.frames.column import Coded, Column
from scrutable.data.frames.files import existing_files
from scrutable.data.frames.formats import suffix_of
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.table import Table
from scrutable.writing.arrow_arrays import array_numbers
from scrutable.writing.csv_blocks import DoubtfulError


class SeenBlocks:
    """Blocks that somebody looks at as they come, the first time that they are gone through.

    Parameters
    ----------
    blocks : of a file.
    look : is given each.
    end : is called after the last.
    """

    def __init__(self, blocks: Blocks, look: Callable[[Arrays], None], end: Callable[[], None]) -> None:
        self._blocks, self._look, self._end, self._new = blocks, look, end, True
        self.names: Sequence[str] = blocks.names

    @property
    def expected(self) -> int:
        """About how many blocks there are."""
        return self._blocks.expected

    def has_missing_words(self, name: str) -> bool:
        """Whether a word such as NA stands for nothing in a column of texts."""
        return self._blocks.has_missing_words(name)

    def __iter__(self) -> Iterator[Arrays]:
        for block in self._blocks:
            if self._new:
                self._look(block)
            yield block
        if self._new:
            self._new = False
            self._end()


Blocks = CsvBlocks | ParquetBlocks | SeenBlocks


def blocks_of(file: Path, reading: Reading, kinds: Mapping[str, Kind]) -> Blocks:
    """The rows of a data file, block by block; errors as of `CsvBlocks` and `ParquetBlocks`."""
    if len(existing_files(file)) > 1:
        raise DoubtfulError("several files, whose columns may be of several kinds")
    match suffix_of(file):
        case ".parquet":
            return ParquetBlocks(file, kinds)
        case ".csv" | ".csv.gz" | ".tsv":
            return CsvBlocks(file, reading, kinds)
    raise DoubtfulError("a format that is read whole")


def table_of(arrays: Arrays) -> Table:
    """Arrays of doubles, of texts and of dictionaries of texts as a table.

    >>> import pyarrow as pa
    >>> table = table_of({"age": pa.array([41.0, None]), "job": pa.array(["cook", None]).dictionary_encode()})
    >>> table.column("age").values.tolist(), table.column("job").values.tolist()
    ([41.0, nan], ['cook', None])
    """
    n_rows = len(next(iter(arrays.values())))
    return Table(n_rows, {name: partial(_column, name, array) for name, array in arrays.items()})


def slices(blocks: Iterable[Arrays], most: int) -> Iterator[Arrays]:
    """The rows of blocks, so many at once at most.

    >>> import pyarrow as pa
    >>> [part["age"].to_pylist() for part in slices([{"age": pa.array([41, 17, 30])}], 2)]
    [[41, 17], [30]]
    """
    for block in blocks:
        n_rows = len(next(iter(block.values())))
        for start in range(0, n_rows, most):
            yield {name: array.slice(start, most) for name, array in block.items()}


def _column(name: str, array: Any) -> Column:
    import pyarrow as pa

    if not pa.types.is_dictionary(array.type):
        return Column(name, "numeric", array_numbers(array, np.nan))
    levels = np.array([*array.dictionary.to_pylist(), None], dtype=object)
    indices = array.indices.cast(pa.int64()) if array.indices.null_count else array.indices
    return Column(name, "categorical", Coded(levels, array_numbers(indices, len(levels) - 1), declared=True))
