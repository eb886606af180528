"""Connections of our own, within limits of memory, with a folder for what does not fit."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError
from scrutable.errors.checks import check_whole
from scrutable.plugins import library
from scrutable.writing import temporary_folder

if TYPE_CHECKING:
    import duckdb

#: Errors whose words tell of names and places, and quote no value of a row.
_TELLING = ("Binder Error", "Catalog Error", "IO Error", "Parser Error", "Resource In Use Error")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What DuckDB may take: memory, threads (None for all cores), and a folder (None for one that goes in the end)."""

    memory: str = "2GB"
    threads: int | None = None
    folder: str | None = None


def connected(limits: Limits) -> duckdb.DuckDBPyConnection:
    """A database in memory; it sees no variables of Python, and installs nothing.

    Raises
    ------
    InputError : a limit that is none.
    """
    if limits.threads is not None:
        check_whole(limits.threads, "threads", 1)
    engine = library("duckdb", "scrutable[duckdb]")
    with ExitStack() as end:
        config: dict[str, Any] = {
            "memory_limit": limits.memory,
            "temp_directory": limits.folder or str(end.enter_context(temporary_folder())),
            "preserve_insertion_order": False,
            "python_enable_replacements": False,
            "autoinstall_known_extensions": False,
            **({} if limits.threads is None else {"threads": limits.threads}),
        }
        try:
            connection: duckdb.DuckDBPyConnection = engine.connect(":memory:", config=config)
        except engine.Error as error:
            got = f"{limits}: {error}"
            raise InputError("limits that DuckDB does not take", got=got, fix="correct them, as in 4GB") from None
        weakref.finalize(connection, end.pop_all().close)
    return connection


@contextmanager
def told(where: str) -> Iterator[None]:
    """DuckDB's errors as ours: its words where they quote no value, else what kind of error it is.

    Raises
    ------
    InputError : DuckDB refuses what is done meanwhile.
    """
    import duckdb
    import pyarrow as pa

    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:  # Arrow's, where DuckDB fails among the batches
        words = str(error).partition("\n")[0]
        kind, _, _ = words.partition(":")
        raise InputError(
            "DuckDB cannot read it", where=where, got=words if kind in _TELLING else kind, fix=_fix(kind)
        ) from None


def _fix(kind: str) -> str:
    if kind == "Resource In Use Error":
        return "read the connection's open result to its end, or close it; or work with its cursor() meanwhile"
    if kind == "Out of Memory Error":
        return "allow more memory by memory_limit, or fewer threads"
    return "run it in DuckDB itself to see its words, which may quote rows, and correct it"
