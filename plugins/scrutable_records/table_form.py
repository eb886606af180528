"""Records as rows of a table: a statement that makes it, and rows that any database gives back exactly."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames import rows_like
from scrutable.errors import InputError
from scrutable.writing import (
    CsvRows,
    DoubtfulError,
    ParquetRows,
    check_target,
    reads_as_formula,
    texts_array,
    written_together,
)
from scrutable_records.differences import Differences
from scrutable_records.fields import BYTES, FACTS, INPUT, PERSONAL
from scrutable_records.parts import Block
from scrutable_records.stored import StoredRecords

if TYPE_CHECKING:
    import pyarrow as pa

    from scrutable.plugins.bases import Dialect

#: The columns of the table, by kind.
COLUMNS = {**FACTS, **dict.fromkeys((*PERSONAL, "inputs", *BYTES), "text")}
_KINDS = {"whole": "integer", "double": "numeric", "text": "categorical"}


def table_statement(dialect: Dialect, table: str = "decision_archive") -> str:
    """The statement that makes the table of records in a database.

    Parameters
    ----------
    table : plain words of ASCII, with a schema before them where there is one.

    Raises
    ------
    InputError : the table has another name.

    Examples
    --------
    >>> from scrutable import registry
    >>> print(table_statement(registry().load("dialect", "duckdb"))[:62])
    CREATE TABLE decision_archive (
      record BIGINT NOT NULL PRIMA
    """
    words = table.split(".")
    if not all(word.isascii() and word.isidentifier() for word in words):
        allowed = "words of letters, digits and _ , with points between"
        raise InputError("not a plain name of a table", where="table", got=table, allowed=allowed, fix="use another")
    lines = [f"  {name} {dialect.stored(_KINDS[kind])}" for name, kind in COLUMNS.items()]
    lines[0] += " NOT NULL PRIMARY KEY"
    return f"CREATE TABLE {table} (\n" + ",\n".join(lines) + "\n)"


@dataclass(frozen=True, slots=True)
class Exported:
    """How many records were written, and the last of them."""

    records: int
    last: int

    def to_dict(self) -> dict[str, int]:
        """Plain values for JSON."""
        return {"records": self.records, "last": self.last}

    def frame(self) -> Any:
        """One row."""
        return rows_like([self.to_dict()])


def write_rows_of(records: StoredRecords, output: Path, *, after: int = 0, overwrite: bool = False) -> Exported:
    """Write the records of an archive as rows of the table to a .parquet or .csv file.

    Parameters
    ----------
    after : the last record that the table has already.

    Raises
    ------
    InputError : a record is missing, or a text that CSV cannot hold exactly, or no spreadsheet should get.

    Examples
    --------
    >>> import tempfile
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_records.archive import Archive
    >>> archive = Archive(Path(tempfile.mkdtemp(), "decisions"))
    >>> _ = archive.append(models_named()["stumps"], {"age": [19.0], "income": [1000.0]})
    >>> write_rows_of(StoredRecords(archive.folder), archive.folder.parent / "rows.csv")
    Exported(records=1, last=1)
    """
    rows_of: Any = {".csv": CsvRows, ".parquet": ParquetRows}.get(output.suffix)
    if rows_of is None:
        fix = "name the output accordingly"
        raise InputError("unknown kind of file", where=f"file {str(output)!r}", allowed=".csv, .parquet", fix=fix)
    differences, count, last = Differences(), 0, after
    target = check_target(output, overwrite=overwrite)
    with written_together(overwrite=overwrite) as files, files.new(target) as handle, rows_of(handle) as rows:
        for block in records.blocks(differences):
            kept = _after(block, after)
            if kept is not None:
                table = table_columns(kept)
                if output.suffix == ".csv":
                    _check_csv(table)
                _write(rows, table)
                count, last = count + kept.n_rows, int(kept.columns["record"][-1].as_py())
        if differences:
            fix = "run `scrutable replay`, and restore what is wrong"
            raise InputError("the archive is not whole", where="archive", got=str(next(iter(differences))), fix=fix)
        if not count:
            raise InputError("no records", where="archive", got=f"none after {after}", fix="give a lower number")
    return Exported(count, last)


def table_columns(block: Block) -> dict[str, pa.Array]:
    """Records as columns of the table: inputs as JSON, bytes as hexadecimal digits."""
    hexadecimal = {name: texts_array(map(_hex, block.columns[name].to_pylist())) for name in BYTES}
    facts = {name: block.columns[name] for name in (*FACTS, *PERSONAL)}
    return facts | {"inputs": texts_array(inputs_as_json(block))} | hexadecimal


def inputs_as_json(block: Block) -> Iterator[str | None]:
    """The inputs of each record as a JSON object: numbers, texts, null for a missing text, bits for other doubles."""
    names = [name.removeprefix(INPUT) for name in block.inputs]
    columns = [list(map(_plain, block.columns[name].to_pylist())) for name in block.inputs]
    rows = zip(*columns, strict=True) if columns else iter([()] * block.n_rows)
    there = block.columns["salt"].is_valid().to_pylist()
    for row, whole in zip(rows, there, strict=True):
        yield json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) if whole else None


def value_of(value: Any) -> str | float | None:
    """An input from JSON.

    Raises
    ------
    ValueError : JSON that stands for no input.

    Examples
    --------
    >>> value_of({"bits": "8000000000000000"}), value_of(5), value_of("x")
    (-0.0, 5.0, 'x')
    """
    if isinstance(value, dict) and list(value) == ["bits"]:
        number: float = struct.unpack(">d", bytes.fromhex(value["bits"]))[0]
        return number
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ValueError(value)


def _plain(value: Any) -> Any:
    """An input as JSON has it: doubles that are no finite numbers by their bits."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"bits": struct.pack(">d", value).hex()}
    return value


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _after(block: Block, after: int) -> Block | None:
    import numpy as np

    rows = np.flatnonzero(block.columns["record"].to_numpy() > after)
    return Block(block.taken(rows, block.inputs), block.inputs) if len(rows) else None


def _write(rows: Any, table: Mapping[str, Any]) -> None:
    try:
        rows.write(table)
    except DoubtfulError:
        raise _not_in_csv("a carriage return") from None


def _check_csv(table: Mapping[str, Any]) -> None:
    for name in (*FACTS, *PERSONAL):
        if COLUMNS[name] == "text":
            texts = {text for text in table[name].unique().to_pylist() if text is not None}
            if "" in texts or any(map(reads_as_formula, texts)):
                raise _not_in_csv(
                    "an empty text" if "" in texts else "a text that a spreadsheet takes for a formula", name
                )


def _not_in_csv(got: str, name: str = "") -> InputError:
    where = f"column {name!r}" if name else "texts"
    return InputError("cannot be written to CSV exactly", where=where, got=got, fix="write a .parquet file")
