"""PostgreSQL, by its URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable_sql.engines.server import Server, execute
from scrutable_sql.engines.table import Table


@dataclass(frozen=True, slots=True)
class Postgres(Server):
    """In one transaction that is rolled back, in the temporary schema unless one is named."""

    title: str = "PostgreSQL"
    driver: str = "postgresql+psycopg"
    package: str = "psycopg[binary], with postgresql+psycopg://"

    def prepare(self, connection: Any, table: Table) -> None:
        schemas = table.schemas()
        for schema in schemas:
            execute(connection, f"CREATE SCHEMA IF NOT EXISTS {schema}")
        execute(connection, f"SET LOCAL search_path TO {schemas[0] if schemas else 'pg_temp'}")
        execute(connection, "SET LOCAL jit TO off")  # compiling a long statement takes longer than running it here
        execute(connection, "SET LOCAL synchronize_seqscans TO off")
        execute(connection, "SET LOCAL max_parallel_workers_per_gather TO 0")
        execute(connection, table.create("CREATE TABLE"))

    def load(self, connection: Any, table: Table) -> None:
        if connection.dialect.driver != "psycopg":
            Server.load(self, connection, table)
            return
        cursor = connection.connection.cursor()
        with cursor.copy(f"COPY {table.quoted} FROM STDIN") as copy:
            for row in table.rows():
                copy.write_row(row)

    def clean(self, connection: Any, table: Table) -> None:
        """The transaction was rolled back: nothing is there."""
