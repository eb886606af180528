"""Parquet files, which state their own kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import Reading
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # where pandas keeps an index without a name


def read(file: Path, reading: Reading) -> pd.DataFrame:
    """All rows; of what is told nothing concerns them."""
    with opened_parquet(file) as parquet:
        names = parquet_names(file, parquet)
        if not parquet.metadata.num_rows:
            raise InputError("no rows", where=f"file {str(file)!r}", fix="give a file with at least one row")
        # Without pandas' metadata, a named index is a column like any other, as the header says.
        frame: pd.DataFrame = parquet.read().select(list(names)).to_pandas(ignore_metadata=True)
        return frame


def read_names(file: Path, reading: Reading) -> tuple[str, ...]:
    """Column names."""
    with opened_parquet(file) as parquet:
        return parquet_names(file, parquet)


@contextmanager
def opened_parquet(file: Path, dictionaries: Sequence[str] = ()) -> Iterator[Any]:
    """A Parquet file, some columns of texts as dictionaries; InputError for what cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, read_dictionary=list(dictionaries) or None, pre_buffer=False) as parquet:
            yield parquet
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            "cannot be read as Parquet",
            where=f"file {str(file)!r}",
            got=str(error),
            fix="check that the file is complete, or write it again",
        ) from None


def parquet_names(file: Path, parquet: Any) -> tuple[str, ...]:
    """The columns of a Parquet file but for an index without a name."""
    names = (name for name in parquet.schema_arrow.names if not _UNNAMED_INDEX.fullmatch(name))
    return checked_names(names, f"file {str(file)!r}")
