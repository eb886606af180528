"""Parquet files that are written block by block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, Self


class ParquetRows:
    """A Parquet file of Arrow's columns; dictionaries are written by the places of their values, and read as these.

    >>> import io
    >>> import pyarrow as pa
    >>> import pyarrow.parquet as pq
    >>> file = io.BytesIO()
    >>> with ParquetRows(file) as rows:
    ...     rows.write({"reason_1": pa.array(["R1", None]).dictionary_encode()})
    >>> pq.read_table(file).column("reason_1").to_pylist()
    ['R1', None]
    """

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._writer: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def write(self, columns: Mapping[str, Any]) -> None:
        """Write the rows of a block."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        batch = pa.record_batch(dict(columns))
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._handle, batch.schema, store_schema=False)
        self._writer.write_batch(batch)
