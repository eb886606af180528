"""Parquet files block by block: some columns alone, those of numbers and of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.arrow_csv import Arrays, Kind
from scrutable.data.frames.parquet import opened_parquet, parquet_names
from scrutable.writing.csv_blocks import DoubtfulError

if TYPE_CHECKING:
    import pyarrow as pa

#: Rows that are read at once.
_BLOCK = 131_072


class ParquetBlocks:
    """The rows of a Parquet file, some columns alone: doubles, dictionaries of texts, and what is carried as it stands.

    Parameters
    ----------
    kinds : of the columns that are asked for, `carried` or what a model reads, though a file states its own kinds.

    Raises
    ------
    DoubtfulError : a column that is no plain numbers or texts; InputError for a file that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> import polars as pl
    >>> path = Path(tempfile.mkdtemp(), "loans.parquet")
    >>> pl.DataFrame({"age": [41, None], "job": ["cook", "none"]}).write_parquet(path)
    >>> blocks = ParquetBlocks(path, {"age": "numbers", "job": "text"})
    >>> [(block["age"].to_pylist(), block["job"].to_pylist()) for block in blocks]
    [([41.0, None], ['cook', 'none'])]
    """

    def __init__(self, file: Path, kinds: Mapping[str, Kind]) -> None:
        self._file = file
        with opened_parquet(file) as parquet:
            self.names = parquet_names(file, parquet)
            self.n_rows: int = parquet.metadata.num_rows
            schema = parquet.schema_arrow
        absent = [name for name in kinds if name not in self.names]
        if not self.n_rows or absent:
            raise DoubtfulError("no rows, or no such columns")
        self._read = {name: _reader(schema.field(name).type, kind == "carried") for name, kind in kinds.items()}
        self._texts = [name for name, kind in kinds.items() if kind != "carried" and _is_text(schema.field(name).type)]

    @property
    def expected(self) -> int:
        """About how many blocks there are."""
        return -(-self.n_rows // _BLOCK)

    def has_missing_words(self, name: str) -> bool:
        """Whether a word stands for nothing: never, since these files say themselves what is missing."""
        return False

    def __iter__(self) -> Iterator[Arrays]:
        with opened_parquet(self._file, dictionaries=self._texts) as parquet:
            for batch in parquet.iter_batches(_BLOCK, columns=list(self._read), use_threads=False):
                yield {name: read(batch.column(name)) for name, read in self._read.items()}


def _reader(kind: pa.DataType, carried: bool) -> Callable[[Any], Any]:
    """What makes the column of a block, by its type in the file."""
    import pyarrow as pa

    types = pa.types
    if carried and (types.is_string(kind) or types.is_large_string(kind) or types.is_float64(kind)):
        return _as_it_is
    if carried and types.is_integer(kind):
        return _whole
    if carried:
        raise DoubtfulError("a column that is carried as a frame has it")
    if _is_text(kind):
        return _levels
    if types.is_float32(kind) or types.is_float64(kind) or types.is_integer(kind) or types.is_boolean(kind):
        return _doubles
    raise DoubtfulError("neither plain numbers nor texts")


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(kind):
        return bool(types.is_string(kind.value_type) or types.is_large_string(kind.value_type))
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _as_it_is(array: Any) -> Any:
    return array


def _whole(array: Any) -> Any:
    if array.null_count:
        raise DoubtfulError("whole numbers some of which are missing")
    return array


def _doubles(array: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    return array.cast(pa.float64(), safe=False)


def _levels(array: Any) -> Any:
    """Texts as a dictionary in which each stands once."""
    import pyarrow as pa

    if not pa.types.is_dictionary(array.type):
        return array.dictionary_encode()
    levels = array.dictionary.to_pylist()
    if None in levels or len(set(levels)) < len(levels):
        return array.cast(array.type.value_type).dictionary_encode()
    return array
