"""MariaDB and MySQL, by their URL."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from scrutable.proof import engine_at
from scrutable_sql.engines.server import Server, execute
from scrutable_sql.engines.table import Table


@dataclass(frozen=True, slots=True)
class MariaDB(Server):
    """In a temporary table of the URL's database.

    Where the URL names no database, or a view or table is made, which cannot be of a temporary table, that happens in
    a new database, and so do schemas; all of them are dropped in the end, none that was there before is touched.
    """

    title: str = "MariaDB"
    driver: str = "mariadb+pymysql"
    package: str = "pymysql, with mariadb+pymysql://"

    def version(self) -> str:
        with self.connected() as connection:  # whose drivers take a distribution's own number for one more
            return engine_at(connection)

    def prepare(self, connection: Any, table: Table) -> None:
        made: list[str] = connection.info.setdefault("made", [])
        if not table.plain or execute(connection, "SELECT DATABASE()").scalar() is None:
            for database in (f"`scrutable_{uuid.uuid4().hex}`", *table.schemas()):
                execute(connection, f"CREATE DATABASE {database} CHARACTER SET utf8mb4")
                made.append(database)
            execute(connection, f"USE {made[0]}")
        execute(connection, table.create("CREATE TABLE" if made else "CREATE TEMPORARY TABLE"))

    def clean(self, connection: Any, table: Table) -> None:
        for database in connection.info.pop("made", []):
            execute(connection, f"DROP DATABASE {database}")
