"""Parts of an archive: Parquet files of records, written whole or not at all, and read block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scrutable.errors import InputError
from scrutable.writing import NewFiles, check_target, numbers_array, written_together
from scrutable_records.chain import Head, chained
from scrutable_records.fields import INPUT, inputs_of, schema
from scrutable_records.manifest import MANIFEST, Manifest, Part
from scrutable_records.order import in_order
from scrutable_records.packing import places_of

#: Records of a part at most.
MOST = 2**20
#: Columns in which nearly every value is another one, or a value has to stay as it is to the bit.
_PLAIN = ("id", "notice", "manual_reason")


class Block:
    """Records, by column, and the names of the columns of inputs; without numbers and chain at first."""

    def __init__(self, columns: dict[str, Any], inputs: list[str]) -> None:
        self.columns, self.inputs = columns, inputs

    @property
    def n_rows(self) -> int:
        """How many records they are."""
        return len(self.columns["occurred_at"])

    def groups(self, among: Any) -> Iterator[tuple[list[str], Any]]:
        """The places of the rows that are among some, by the columns of inputs that they have."""
        rows = np.flatnonzero(among)
        if len(rows):
            yield self.inputs, rows

    def by_model(self) -> dict[str, Any]:
        """The places of the rows of each model, by its fingerprint."""
        models = self.columns["model"].dictionary_encode()
        places, names = places_of(models), models.dictionary.to_pylist()
        rows = {name: np.flatnonzero(places == place) for place, name in enumerate(names)}
        return {name: of_model for name, of_model in rows.items() if len(of_model)}

    def taken(self, rows: Any, inputs: Sequence[str]) -> dict[str, Any]:
        """The columns of some rows, with these columns of inputs."""
        names = [name for name in self.columns if not name.startswith(INPUT) or name in inputs]
        if len(rows) == self.n_rows:
            return {name: self.columns[name] for name in names}
        places = numbers_array(rows)
        return {name: self.columns[name].take(places) for name in names}


def write_parts(folder: Path, manifest: Manifest, blocks: Iterator[Block]) -> Head:
    """Write further records and the manifest, all or none, and give the new head.

    Raises
    ------
    InputError : a file cannot be written, or nothing is to be written.
    """
    with written_together(overwrite=True) as files:
        return add_parts(files, folder, manifest, blocks)


def add_parts(files: NewFiles, folder: Path, manifest: Manifest, blocks: Iterator[Block]) -> Head:
    """Let further records and the manifest wait among files, and give the new head; errors as of `write_parts`."""
    waiting = next(blocks, None)
    if waiting is None:
        raise InputError("no rows", where="records", fix="give at least one")
    while waiting is not None:
        target = check_target(folder / manifest.next_file)
        with files.new(target) as handle:
            part, waiting = _write_part(handle, target.name, manifest.head, waiting, blocks)
        manifest = Manifest((*manifest.parts, part))
    with files.new(check_target(folder / MANIFEST, overwrite=True)) as handle:
        handle.write(manifest.text().encode())
    return manifest.head


def _write_part(
    handle: BinaryIO, name: str, head: Head, block: Block, further: Iterator[Block]
) -> tuple[Part, Block | None]:
    """One part, and the block that the next one begins with."""
    first, following = head.record + 1, head
    with part_writer(handle, block.columns, block.inputs) as writer:
        waiting: Block | None = block
        while waiting is not None and following.record - head.record + waiting.n_rows <= MOST:
            numbers = np.arange(following.record + 1, following.record + 1 + waiting.n_rows)
            columns = {**waiting.columns, "record": numbers_array(numbers)}
            links, following = chained(columns, following)
            write_rows(writer, columns | links)
            waiting = next(further, None)
    return Part(name, first, following), waiting


@contextmanager
def part_writer(handle: BinaryIO, columns: dict[str, Any], inputs: Sequence[str]) -> Iterator[Any]:
    """What writes the file of a part whose records have such columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numeric = [name.removeprefix(INPUT) for name in inputs if pa.types.is_float64(columns[name].type)]
    categorical = [name.removeprefix(INPUT) for name in inputs if name.removeprefix(INPUT) not in numeric]
    fields = schema(numeric, categorical)
    repeated = [field.name for field in fields if pa.types.is_string(field.type) and field.name not in _PLAIN]
    with pq.ParquetWriter(handle, fields, use_dictionary=repeated, store_schema=False) as writer:
        yield writer


def write_rows(writer: Any, columns: dict[str, Any]) -> None:
    """Write the rows of a block, in the columns of its file."""
    import pyarrow as pa

    arrays = [columns[field.name].cast(field.type) for field in writer.schema]  # dictionaries of blocks differ
    writer.write_batch(pa.record_batch(arrays, schema=writer.schema))


class PartFile:
    """A part as it is read: block by block, texts that repeat as dictionaries.

    Raises
    ------
    InputError : the file is not there, or is no part of an archive.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        with _reading(path), pq.ParquetFile(path, pre_buffer=False) as parquet:
            present = parquet.schema_arrow
            self.inputs = inputs_of(present.names)
            numeric = [name for name in self.inputs if pa.types.is_float64(present.field(name).type)]
            texts = [name for name in self.inputs if name not in numeric]
            asked = schema(_names(numeric), _names(texts))
            if {field.name: field.type for field in present} != {field.name: field.type for field in asked}:
                raise _no_part(path, "other columns than a part has")
        self._texts = [field.name for field in asked if pa.types.is_string(field.type) and field.name not in _PLAIN]

    def numbers(self) -> Any:
        """(n,) the numbers of the records, in the order of the file.

        Raises
        ------
        InputError : a record has none.
        """
        numbers = self.column("record")
        if numbers.null_count:
            raise _no_part(self.path, "a record without a number")
        return numbers.to_numpy()

    def column(self, name: str) -> Any:
        """One column, as Arrow has it."""
        import pyarrow.parquet as pq

        with _reading(self.path), pq.ParquetFile(self.path, pre_buffer=False) as parquet:
            return parquet.read([name], use_threads=False).column(0)

    def blocks(self, most: int) -> Iterator[Block]:
        """The records, so many at once at most."""
        return map(self._block, self._batches(most))

    def blocks_in_order(self, numbers: Any, most: int) -> Iterator[Block]:
        """The records in the order of their numbers, which the caller has read; all are held at once."""
        return map(self._block, in_order(self._batches(most), numbers) if len(numbers) else ())

    def _block(self, batch: Any) -> Block:
        return Block(dict(zip(batch.schema.names, batch.columns, strict=True)), self.inputs)

    def _batches(self, most: int) -> Iterator[Any]:
        import pyarrow.parquet as pq

        with (
            _reading(self.path),
            pq.ParquetFile(self.path, read_dictionary=self._texts, pre_buffer=False) as parquet,
        ):
            yield from parquet.iter_batches(most, use_threads=False)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise _no_part(path, str(error)) from None


def _no_part(path: Path, got: str) -> InputError:
    fix = "restore the file from a copy"
    return InputError("cannot be read as a part of an archive", where=f"file {str(path)!r}", got=got, fix=fix)


def _names(columns: Sequence[str]) -> list[str]:
    return [name.removeprefix(INPUT) for name in columns]
