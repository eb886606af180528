"""Where exported files run: the engine is asked what it is by Scrutable, over the connection that then runs them.

An exporter that opens a connection of its own, loads rows and reads results runs the exported text through `execute`,
`graph_session` or `run_program`. While a certificate is made, the engine is asked its version there, so that the
certificate need not take the exporter's word for it. An exporter that does not do so is told as unattested.

This tells which engine ran the file. It is no defence against code that sets out to deceive: that runs in the same
process.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from scrutable.errors import PluginError

#: Engines that are programs.
Program = Literal["C", "Java", "Node.js", "Python", "R"]


@dataclass(slots=True)
class Witness:
    """What was seen to run: name and version of the engine, by the SHA-256 of each text or file that it ran."""

    seen: dict[str, str] = field(default_factory=dict)

    def engine_of(self, digests: Iterable[str]) -> str | None:
        """The engine that ran one of these files; None if none of them was seen to run."""
        return next((self.seen[digest] for digest in digests if digest in self.seen), None)


_WITNESS: ContextVar[Witness | None] = ContextVar("witness", default=None)


@contextmanager
def witnessed() -> Iterator[Witness]:
    """A block in which engines are asked what they are.

    >>> import sqlite3
    >>> with witnessed() as witness:
    ...     execute(sqlite3.connect(":memory:"), "SELECT 1").fetchall()
    [(1,)]
    >>> witness.engine_of([sha256("SELECT 1")]) == f"SQLite {sqlite3.sqlite_version}"
    True
    """
    witness = Witness()
    token = _WITNESS.set(witness)
    try:
        yield witness
    finally:
        _WITNESS.reset(token)


def execute(connection: Any, text: str) -> Any:
    """Run a statement over an open connection, and return what the connection's own call returns.

    Parameters
    ----------
    connection : of sqlite3, DuckDB, chDB or SQLAlchemy, or a Spark session; over one of a class derived from theirs
        the statement runs, and nobody vouches for the engine.
    text : one statement; nothing in it is a parameter.

    Raises
    ------
    PluginError : another kind of connection.
    """
    kind = _kind_of(connection)
    own = type(connection) in kind.connections
    with _noting([text] if own else [], lambda: kind.ask(connection)):
        return kind.execute(connection, text)


def engine_at(connection: Any) -> str:
    """Name and version of the engine behind an open connection, as it says itself.

    Raises
    ------
    PluginError : another kind of connection than those of `execute`.

    Examples
    --------
    >>> import sqlite3
    >>> engine_at(sqlite3.connect(":memory:")) == f"SQLite {sqlite3.sqlite_version}"
    True
    """
    return _kind_of(connection).ask(connection)


def graph_session(content: str | bytes, options: Any, providers: Sequence[str]) -> Any:
    """onnxruntime's `InferenceSession` of a graph.

    Parameters
    ----------
    content, options, providers : as of `InferenceSession`; who has made the options has imported onnxruntime.
    """
    runtime: Any = sys.modules["onnxruntime"]
    with _noting([content], lambda: f"ONNX Runtime {runtime.__version__}"):
        return runtime.InferenceSession(content, options, providers=list(providers))


def run_program(
    program: Program, path: str, arguments: Sequence[str], *, files: Sequence[Path], **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Start a program that runs files, and return what came of it, whatever its exit code.

    Parameters
    ----------
    path, arguments : the program, and what it is started with.
    files : exported ones that it runs.
    options : of `subprocess.run`.
    """
    contents = [file.read_bytes() for file in files]
    with _noting(contents, lambda: program_version(program, path)):
        return subprocess.run([path, *arguments], check=False, capture_output=True, **options)


def sha256(content: str | bytes) -> str:
    """The digest of a text in UTF-8, or of bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


@contextmanager
def _noting(contents: Iterable[str | bytes], ask: Callable[[], str]) -> Iterator[None]:
    """A block that runs something: before it the engine is asked, and if it succeeds both are noted."""
    witness = _WITNESS.get()
    if witness is None:
        yield
        return
    engine = ask()
    yield
    witness.seen |= {sha256(content): engine for content in contents}


#: What each program is started with to say what it is.
_ASKED: dict[Program, tuple[str, ...]] = {
    "C": ("--version",),
    "Java": ("--version",),
    "Node.js": ("-p", "'Node.js ' + process.versions.node"),
    "R": ("--vanilla", "-e", 'cat("R", format(getRversion()))'),
    "Python": ("-I", "-c", "import platform as p; print(p.python_implementation(), p.python_version())"),
}


def program_version(program: Program, path: str) -> str:
    """What a program says that it is, for example "Node.js 20.11.1".

    >>> program_version("Python", sys.executable).startswith("CPython 3.")
    True
    """
    done = subprocess.run([path, *_ASKED[program]], capture_output=True, text=True, check=True)
    return done.stdout.strip().partition("\n")[0]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Connections of one library: their class, how the engine is asked, and how it runs a text."""

    module: str
    name: str
    ask: Callable[[Any], str]
    execute: Callable[[Any, str], Any]

    @property
    def connections(self) -> tuple[type, ...]:
        """The class; nothing where the library is not imported, and so nobody has a connection."""
        library = sys.modules.get(self.module)
        return () if library is None else (getattr(library, self.name),)


def _kind_of(connection: Any) -> _Kind:
    kind = next((kind for kind in _KINDS if isinstance(connection, kind.connections)), None)
    if kind is None:
        raise PluginError(
            "no connection that Scrutable knows",
            got=type(connection).__qualname__,
            allowed=", ".join(f"{kind.module}.{kind.name}" for kind in _KINDS),
            fix="run the statement yourself; certificates then say that the engine is unattested",
        )
    return kind


def _of_server(connection: Any) -> str:
    """A server behind SQLAlchemy; those that are not asked here said what they are when the connection was opened."""
    dialect = connection.dialect
    if dialect.name not in _SERVERS:
        numbers = [str(part) for part in dialect.server_version_info or () if isinstance(part, int)]
        return f"{dialect.name.capitalize()} {'.'.join(numbers)}".strip()
    query, title = _SERVERS[dialect.name]
    said = str(_executed(connection, query).scalar())
    number = re.search(r"\d+(\.\d+)*", said.removeprefix("5.5.5-"))  # which MariaDB says to old programs
    return f"{'MariaDB' if 'MariaDB' in said else title} {number[0] if number else said}"


def _executed(connection: Any, text: str) -> Any:
    return connection.exec_driver_sql(text, execution_options={"no_parameters": True})


#: What asks a server for its version, and its name, by SQLAlchemy's.
_SERVERS: dict[str, tuple[str, str]] = {
    "postgresql": ("SHOW server_version", "PostgreSQL"),
    "mysql": ("SELECT VERSION()", "MySQL"),
    "mariadb": ("SELECT VERSION()", "MariaDB"),
}
_KINDS = (
    _Kind(
        "sqlite3",
        "Connection",
        lambda connection: f"SQLite {connection.execute('SELECT sqlite_version()').fetchall()[0][0]}",
        lambda connection, text: connection.execute(text),
    ),
    _Kind(
        "duckdb",
        "DuckDBPyConnection",
        lambda connection: f"DuckDB {connection.sql('SELECT version()').fetchall()[0][0].removeprefix('v')}",
        lambda connection, text: connection.sql(text),
    ),
    _Kind(
        "chdb.state.sqlitelike",
        "Connection",
        lambda connection: f"ClickHouse {str(connection.query('SELECT version()', 'TSV')).strip()}",
        lambda connection, text: connection.query(text, "ArrowTable"),
    ),
    _Kind(
        "pyspark.sql",
        "SparkSession",
        lambda session: f"Spark {session.sql('SELECT version()').first()[0].split()[0]}",
        lambda session, text: session.sql(text),
    ),
    _Kind("sqlalchemy.engine", "Connection", _of_server, _executed),
)
