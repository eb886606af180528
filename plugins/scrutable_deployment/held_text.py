"""The digest of a view's text as the database gives it back, by which a view that somebody changed is told."""

from __future__ import annotations

from typing import Any

from scrutable.proof import sha256
from scrutable_deployment.catalogues import find_text
from scrutable_deployment.database import Database
from scrutable_deployment.deployed_text import query_of
from scrutable_deployment.names import Named, apart, in_quotes

#: What each engine works the digest out by; a user's search path decides which names PostgreSQL writes with a schema.
_DIGESTS = {
    "postgres": "(WITH a AS MATERIALIZED (SELECT pg_catalog.to_regclass({regclass}) AS v,"
    " pg_catalog.current_setting('search_path') AS p),"
    " b AS MATERIALIZED (SELECT v, p, pg_catalog.set_config('search_path', 'pg_catalog', true) AS s FROM a),"
    " c AS MATERIALIZED (SELECT p, s, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to("
    "pg_catalog.pg_get_viewdef(v), 'UTF8')), 'hex') AS d FROM b),"
    " e AS MATERIALIZED (SELECT d, pg_catalog.set_config('search_path', p, true) AS s FROM c) SELECT d FROM e)",
    "duckdb": "(SELECT sha256(sql) FROM duckdb_views() WHERE view_name = {own} AND schema_name = {schema}"
    " AND database_name = current_database())",
    "clickhouse": "(SELECT lower(hex(SHA256(as_select))) FROM system.tables WHERE name = {own}"
    " AND database = {schema})",
    "mariadb": "(SELECT SHA2(VIEW_DEFINITION, 256) FROM information_schema.VIEWS WHERE TABLE_NAME = {own}"
    " AND TABLE_SCHEMA = {schema})",
}


def held_sha256(exporter: Any, view: Named, query: str) -> str:
    """An expression for the digest of a view's text in a statement that runs when the view is there.

    Parameters
    ----------
    query : what the view is made of, as it is sent; SQLite keeps that, and has no digest of its own.
    """
    dialect = exporter.dialect
    if dialect == "sqlite":
        return str(exporter.literal(sha256(query_of(query, "sqlite"))))
    if dialect not in _DIGESTS:
        return "NULL"
    schema, own = apart(view)
    return _DIGESTS[dialect].format(
        own=exporter.literal(own),
        schema=exporter.target.catalogue.current if schema is None else exporter.literal(schema),
        regclass=exporter.literal(in_quotes(view)),
    )


def read_held_sha256(database: Database, view: Named) -> str | None:
    """The digest of a view's text as it is now; None where there is no view.

    Raises
    ------
    InputError : the user may not read it.

    Examples
    --------
    >>> from scrutable_deployment.database import opened
    >>> with opened("sqlite") as database:
    ...     database.run("CREATE VIEW a AS SELECT 1 AS b", "making a view", "none")
    ...     read_held_sha256(database, "a") == sha256("SELECT 1 AS b"), read_held_sha256(database, "c")
    (True, None)
    """
    _, own = find_text(database, view) or (None, None)
    if own is None:
        return None
    if database.dialect.name == "sqlite":
        return sha256(query_of(own, "sqlite"))
    text = f"SELECT {held_sha256(database.exporter, view, '')}"
    [[digest]] = database.rows(text, "reading the text of a view", "SHOW VIEW in MariaDB")
    return None if digest is None else str(digest)
