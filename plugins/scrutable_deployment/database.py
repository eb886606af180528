"""A database that is read, and in which versions are made: one connection, its texts, blocks of rows and refusals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError, PluginError, ScrutableError
from scrutable.proof import engine_at, execute, exporter_at, exporter_name
from scrutable_deployment.names import Named

#: The dialects of engines that things are deployed in here.
DEPLOYABLE = ("postgres", "duckdb", "sqlite", "clickhouse", "mariadb")
#: Engines in which statements that make things are taken back together.
TRANSACTIONAL = ("postgres", "duckdb", "sqlite")
#: Rows that are read at once.
BLOCK = 20_000
_HELD = (
    "others hold what is to be changed",
    "readers or writers hold it: try again when their transactions have ended",
)
_NOT_THERE = "check table, key and columns as the database spells them, and the schema"
#: Other codes of PostgreSQL, MariaDB and SQLite whose meaning helps, and what to do.
_MEANT = {
    **dict.fromkeys(("55P03", "40P01", 1205, 1213, "SQLITE_BUSY"), _HELD),
    **dict.fromkeys(("42P01", 1146), ("a table or view that the statement reads is not there", _NOT_THERE)),
    **dict.fromkeys(("42703", 1054), ("a column that the statement reads is not there", _NOT_THERE)),
}
#: SQLSTATE of PostgreSQL, and numbers of MariaDB, that say that a right is missing.
_NO_RIGHT = {"42501", 1044, 1142, 1143, 1227, 1345, 1370}


@dataclass(frozen=True, slots=True)
class Database:
    """An open connection.

    Parameters
    ----------
    exporter : the exporter `sql` of this database.
    connection : as the engine's library gives it.
    """

    exporter: Any
    connection: Any

    @property
    def dialect(self) -> Any:
        """What the engine's SQL is like."""
        return self.exporter.target

    @property
    def engine(self) -> str:
        """Name and version of the engine, as it says itself."""
        return engine_at(self.connection)

    @property
    def transactional(self) -> bool:
        """Whether several statements that make things happen together or not at all."""
        return self.dialect.name in TRANSACTIONAL

    def quoted(self, name: Named) -> str:
        """A name as the dialect writes it."""
        return str(self.exporter.quoted(name))

    def literal(self, value: str | float | None) -> str:
        """A value as the dialect writes it."""
        return str(self.exporter.literal(value))

    def rows(self, text: str, doing: str, right: str) -> list[tuple[Any, ...]]:
        """All rows that a query gives.

        Parameters
        ----------
        doing, right : what the query is for, and the right that it needs, for whoever reads an error.

        Raises
        ------
        InputError : the database refuses it.
        """
        with self._refusals_told(doing, right):
            return [row for block in _blocks(self.connection, text, BLOCK, streamed=False) for row in block]

    def blocks(self, text: str, doing: str, right: str, size: int = BLOCK) -> Iterator[list[tuple[Any, ...]]]:
        """The rows that a query gives within a `transaction`, in blocks; parameters and errors as of `rows`."""
        with self._refusals_told(doing, right):
            yield from _blocks(self.connection, text, size, streamed=True)

    def run(self, text: str, doing: str, right: str) -> None:
        """Run a statement that gives nothing back; parameters and errors as of `rows`."""
        with self._refusals_told(doing, right):
            execute(self.connection, text)

    @contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[None]:
        """A block in which all happens or nothing, where the engine can; `reading` sees one state of the tables."""
        began = self._begin(reading)
        try:
            yield
        except BaseException:
            if began:
                execute(self.connection, "ROLLBACK")
            raise
        if began:
            self.run("COMMIT", "keeping what was done", "none")

    def _begin(self, reading: bool) -> bool:
        begin = {
            "postgres": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if reading else "BEGIN",
            "duckdb": "BEGIN",
            "sqlite": "BEGIN" if reading else "BEGIN IMMEDIATE",
            "mariadb": "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY" if reading else "",
        }.get(self.dialect.name, "")
        if begin:
            self.run(begin, "beginning a transaction", "none")
        return bool(begin)

    @contextmanager
    def _refusals_told(self, doing: str, right: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if not _is_refusal(error):
                raise
            raise _told(error, self.dialect.title, doing, right) from error


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """The database of a URL; the URL itself is never told, since it may hold a password.

    Raises
    ------
    InputError : no engine in which anything is deployed here.
    PluginError : nothing answers there, or the driver is not installed.

    Examples
    --------
    >>> with opened("sqlite") as database:
    ...     database.rows("SELECT 1 + 1", "adding", "none")
    [(2,)]
    """
    scheme = url.partition(":")[0]
    if exporter_name(url) != "sql":
        raise _not_here(scheme)
    exporter: Any = exporter_at(url)
    if exporter.dialect not in DEPLOYABLE:
        raise _not_here(scheme)
    with exporter.connected() as connection:
        database = Database(exporter, _plain(connection))
        if exporter.dialect == "postgres":  # compiling a long statement takes longer than running it here
            database.run("SET jit TO off", "preparing", "none")
        yield database


def _not_here(scheme: str) -> InputError:
    return InputError(
        "no database in which Scrutable reads or makes things",
        where="option url",
        got=scheme,
        allowed="postgresql://…, mariadb://…, duckdb:///file, sqlite:///file, clickhouse:///folder",
        fix="for another database: scrutable proof, whose script runs there without us",
    )


def _plain(connection: Any) -> Any:
    """A connection that begins no transaction by itself."""
    return connection.execution_options(isolation_level="AUTOCOMMIT") if _is_server(connection) else connection


def _is_server(connection: Any) -> bool:
    return type(connection).__module__.startswith("sqlalchemy.")


def _blocks(connection: Any, text: str, size: int, *, streamed: bool) -> Iterator[list[tuple[Any, ...]]]:
    """Blocks of rows; those that are `streamed` stay at the server until they are asked for, over SQLAlchemy."""
    if streamed and _is_server(connection):
        options = {"no_parameters": True, "stream_results": True}
        result = connection.exec_driver_sql(text, execution_options=options)
    elif type(connection).__name__ == "DuckDBPyConnection":  # whose relations give all rows, or run anew
        result = connection.execute(text)
    else:
        result = execute(connection, text)
    if hasattr(result, "to_batches"):  # ClickHouse gives all of it as a table of Arrow
        for batch in result.to_batches(size):
            yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        return
    while rows := result.fetchmany(size) if result is not None else ():
        yield [tuple(row) for row in rows]


def _is_refusal(error: Exception) -> bool:
    """Whether it is the database that speaks; ClickHouse's errors are Python's own."""
    home = type(error).__module__.partition(".")[0]
    return home in ("sqlite3", "_duckdb", "duckdb", "sqlalchemy") or type(error) is RuntimeError


def _told(error: Exception, title: str, doing: str, right: str) -> ScrutableError:
    """What the database refused. Its own words may quote a row, so that only its code is told."""
    origin = getattr(error, "orig", error)
    codes = [code for code in _codes(origin) if code]
    if any(code in _NO_RIGHT for code in codes):
        return InputError(
            "the user lacks a right", where=f"{title}, {doing}", allowed=right, fix=f"have it granted: {right}"
        )
    for code in codes:
        if code in _MEANT:
            message, fix = _MEANT[code]
            return PluginError(message, where=f"{title}, {doing}", got=code, fix=fix)
    kind = " ".join([type(origin).__name__, *map(str, codes[:1])])
    return PluginError(
        "the database refuses this",
        where=f"{title}, {doing}",
        got=kind,
        fix="run the statement in the database's own client to see its words, which may quote rows",
    )


def _codes(origin: Any) -> Sequence[Any]:
    arguments = getattr(origin, "args", ())
    number = arguments[0] if arguments and isinstance(arguments[0], int) else None
    return [getattr(origin, "sqlstate", None), number, getattr(origin, "sqlite_errorname", None)]
