"""Exporters for the three engines, and the engines themselves."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import psycopg
import pytest

from scrutable_sql.exporter import SQLExporter

DIALECTS = ("sqlite", "duckdb", "postgres")


@pytest.fixture(params=DIALECTS, scope="session")
def dialect(request: pytest.FixtureRequest) -> str:
    """Every dialect in turn."""
    return str(request.param)


@pytest.fixture(scope="session")
def make_exporter(dialect: str, postgres_url: str) -> Callable[..., SQLExporter]:
    """Makes exporters of one dialect that can run."""

    def make(**options: Any) -> SQLExporter:
        return SQLExporter(dialect=dialect, url=postgres_url if dialect == "postgres" else None, **options)

    return make


@pytest.fixture
def query(dialect: str, postgres_url: str) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
    """Executes statements in an empty database of the dialect and returns what they select."""
    connection: Any
    if dialect == "sqlite":
        connection = sqlite3.connect(":memory:")
    elif dialect == "duckdb":
        connection = duckdb.connect()
    else:
        connection = psycopg.connect(postgres_url)
    cursor = connection.cursor()

    def execute(text: str) -> list[tuple[Any, ...]]:
        cursor.execute(text)
        return [] if cursor.description is None else cursor.fetchall()

    yield execute
    cursor.close()
    if dialect == "postgres":
        connection.rollback()
    connection.close()
