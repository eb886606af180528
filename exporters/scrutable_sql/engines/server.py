"""Any database that SQLAlchemy can reach."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from scrutable.errors import InputError, PluginError
from scrutable.plugins import library, missing_library
from scrutable.proof import execute as run_attested
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.refusals import refusals_told
from scrutable_sql.engines.table import Columns, Table, transposed


@dataclass(frozen=True, slots=True)
class Server(Engine):
    """A table is made, temporary where the dialect allows it, and dropped in the end; all of it is rolled back.

    Parameters
    ----------
    url : of the database; `driver` is used where it names none.
    title : what the engine is called.
    driver : of SQLAlchemy, after the plus sign.
    package : what to install for the driver.
    """

    url: str = field(repr=False)
    title: str
    driver: str = ""
    package: str = "the one that SQLAlchemy's documentation names for it"

    def run(self, text: str, table: Table) -> Columns:
        with self.connected() as connection:
            try:
                with refusals_told(table):
                    self.prepare(connection, table)
                self.load(connection, table)
                result = table.select(text, partial(run_attested, connection))
                return transposed(result.fetchall(), len(result.keys()))
            finally:
                connection.rollback()
                self.clean(connection, table)

    def version(self) -> str:
        with self.connected() as connection:
            numbers = connection.dialect.server_version_info or ()
        return " ".join([self.title, ".".join(str(number) for number in numbers if isinstance(number, int))]).strip()

    def prepare(self, connection: Any, table: Table) -> None:
        """Make the table.

        Raises
        ------
        InputError : the table is to be in a schema, or a view or table to be made: that could not be taken back.
        """
        if not table.plain:
            raise InputError(
                "only a select from a table without a schema is run here, since nothing may stay",
                where="options table and form",
                fix="export it with form='select' and a table without schema",
            )
        execute(connection, table.create(table.options.target.temporary))
        connection.info["made"] = table.options.table

    def load(self, connection: Any, table: Table) -> None:
        """Insert the rows."""
        text = library("sqlalchemy", "sqlalchemy").text
        marks = [f"c{i}" for i in range(len(table.all_columns()))]
        quoted = table.quoted.replace("\\", "\\\\").replace(":", "\\:")
        rows = [dict(zip(marks, row, strict=True)) for row in table.rows()]
        if rows:
            connection.execute(text(f"INSERT INTO {quoted} VALUES (:{', :'.join(marks)})"), rows)

    def clean(self, connection: Any, table: Table) -> None:
        """Leave nothing; the transaction has been rolled back. A table that was there before is not touched."""
        made = connection.info.pop("made", None)
        if made is not None and library("sqlalchemy", "sqlalchemy").inspect(connection).has_table(made):
            execute(connection, f"DROP TABLE {table.quoted}")
            connection.commit()

    @contextlib.contextmanager
    def connected(self) -> Iterator[Any]:
        """A connection.

        Raises
        ------
        PluginError : SQLAlchemy or the driver is not installed.
        InputError : the URL is none, or nothing answers there.
        """
        sqlalchemy = library("sqlalchemy", "sqlalchemy")
        try:
            url = sqlalchemy.make_url(self.url)
            if self.driver and "+" not in url.drivername:
                url = url.set(drivername=self.driver)
            engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
        except (ImportError, sqlalchemy.exc.NoSuchModuleError) as error:
            raise missing_library(error) or PluginError(
                "a library it needs is not installed",
                got=str(error),
                fix=f"install it; a driver that works: {self.package}",
            ) from error
        except (sqlalchemy.exc.ArgumentError, ValueError) as error:
            raise InputError(
                "not the URL of a database", where="option url", fix="write driver://user@host/database"
            ) from error
        try:
            connection = engine.connect()
        except sqlalchemy.exc.DBAPIError as error:
            reason = str(error.orig).strip() or type(error.orig).__name__
            raise PluginError(
                f"cannot connect: {reason}",
                where=f"{self.title}",
                fix="look at host, port, database and user of the URL",
            ) from error
        with connection:
            yield connection


def execute(connection: Any, statement: str) -> Any:
    """Execute a statement as it is: nothing in it is a parameter."""
    return connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
