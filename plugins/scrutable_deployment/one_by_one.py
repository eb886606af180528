"""Deployments under one name, one after another."""

from __future__ import annotations

from scrutable.errors import PluginError
from scrutable.proof import sha256
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import Database
from scrutable_deployment.history import registry_of
from scrutable_deployment.names import Named, spoken

#: Seconds that a deployment waits for another, and a switch for readers; those that come meanwhile wait behind it.
PATIENCE = 10


def wait_for_others(database: Database, name: Named) -> None:
    """Wait until nobody else deploys under a name, and keep others waiting until the connection or transaction ends.

    PostgreSQL locks the registry, MariaDB a name of its own. SQLite, DuckDB and ClickHouse's folder have one writer.

    Raises
    ------
    PluginError : another goes on for too long.
    """
    registry = registry_of(name)
    if database.dialect.name == "postgres" and find_deployed(database, registry) is not None:
        database.run(f"SET LOCAL lock_timeout TO '{PATIENCE}s'", "waiting for others", "none")
        text = f"LOCK TABLE {database.quoted(registry)} IN SHARE ROW EXCLUSIVE MODE"
        database.run(text, "keeping others from deploying", f"INSERT on {spoken(registry)}")
    if database.dialect.name == "mariadb":
        lock = database.literal(f"scrutable {sha256(spoken(registry))[:32]}")
        [(got,)] = database.rows(f"SELECT GET_LOCK({lock}, {PATIENCE})", "keeping others from deploying", "none")
        if got != 1:
            raise PluginError(
                "somebody else deploys under this name",
                where=f"{database.dialect.title}, {spoken(registry)}",
                got=f"no end within {PATIENCE} s",
                fix="try again when the other command has ended",
            )
