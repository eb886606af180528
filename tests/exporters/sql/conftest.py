"""Exporters for every engine, and the engines themselves."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import psycopg
import pytest
import sqlalchemy

from scrutable_sql.dialects import PROVEN
from scrutable_sql.engines.spark import Spark
from scrutable_sql.exporter import SQLExporter

DIALECTS = tuple(dialect.name for dialect in PROVEN)
#: Those that take no seconds for each statement.
QUICK = tuple(name for name in DIALECTS if name != "spark")
#: Makes exporters of one dialect, and executes a statement in its engine.
Make = Callable[..., SQLExporter]
Query = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(params=DIALECTS, scope="session")
def dialect(request: pytest.FixtureRequest) -> str:
    """Every dialect that is run, in turn."""
    modules = {"clickhouse": "chdb", "spark": "pyspark"}
    if request.param in modules:
        pytest.importorskip(modules[request.param], reason=f"{request.param} is not installed")
    return str(request.param)


@pytest.fixture(scope="session")
def url(dialect: str, request: pytest.FixtureRequest) -> str | None:
    """Where the dialect's engine is, if it is a server."""
    servers = {"postgres": "postgres_url", "mariadb": "mariadb_url", "mysql": "mysql_url"}
    return request.getfixturevalue(servers[dialect]) if dialect in servers else None


@pytest.fixture(scope="session")
def make_exporter(dialect: str, url: str | None) -> Make:
    """Makes exporters of one dialect that can run, over drivers that hand over any name."""
    if dialect == "spark":  # compiling a statement takes far longer than running it on few rows
        Spark().session().conf.set("spark.sql.codegen.wholeStage", "false")

    def make(**options: Any) -> SQLExporter:
        return SQLExporter(dialect=dialect, url=url, utf8_names=True, **options)

    return make


@pytest.fixture
def query(dialect: str, url: str | None) -> Iterator[Query]:
    """Executes statements in an empty database of the dialect and returns what they select."""
    opened = {
        "sqlite": lambda: _database(sqlite3.connect(":memory:")),
        "duckdb": lambda: _database(duckdb.connect()),
        "postgres": lambda: _database(psycopg.connect(str(url))),
        "mariadb": lambda: _mariadb(str(url)),
        "mysql": lambda: _mariadb(str(url)),
        "clickhouse": _clickhouse,
        "spark": _spark,
    }
    yield from opened[dialect]()


def _database(connection: Any) -> Iterator[Query]:
    cursor = connection.cursor()

    def execute(text: str) -> list[tuple[Any, ...]]:
        cursor.execute(text)
        return [] if cursor.description is None else [tuple(row) for row in cursor.fetchall()]

    yield execute
    cursor.close()
    connection.rollback() if isinstance(connection, psycopg.Connection) else None
    connection.close()


def _mariadb(url: str) -> Iterator[Query]:
    engine = sqlalchemy.create_engine(url.replace("mariadb://", "mariadb+pymysql://"), poolclass=sqlalchemy.NullPool)
    name = f"scrutable_{uuid.uuid4().hex}"
    connection = engine.raw_connection()
    cursor = connection.cursor()
    cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    cursor.execute(f"USE {name}")

    def execute(text: str) -> list[tuple[Any, ...]]:
        cursor.execute(text)
        return list(cursor.fetchall())

    yield execute
    cursor.execute(f"DROP DATABASE {name}")
    connection.close()


def _clickhouse() -> Iterator[Query]:
    import chdb

    connection = chdb.connect(":memory:")
    name = f"scrutable_{uuid.uuid4().hex}"
    connection.query(f"CREATE DATABASE {name}")
    connection.query(f"USE {name}")
    connection.query("SET data_type_default_nullable = 1, default_table_engine = 'Memory'")

    def execute(text: str) -> list[tuple[Any, ...]]:
        found = connection.query(text, "ArrowTable")
        return [tuple(row.values()) for row in found.rename_columns(_numbered(found)).to_pylist()] if found else []

    yield execute
    connection.query(f"DROP DATABASE {name}")
    connection.close()


def _spark() -> Iterator[Query]:
    session = Spark().session()
    name = f"scrutable_{uuid.uuid4().hex}"
    session.sql(f"CREATE DATABASE {name}")
    session.sql(f"USE {name}")

    def execute(text: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in session.sql(text).collect()]

    yield execute
    session.sql("USE default")
    session.sql(f"DROP DATABASE {name} CASCADE")


def _numbered(table: Any) -> list[str]:
    return [str(i) for i in range(table.num_columns)]
