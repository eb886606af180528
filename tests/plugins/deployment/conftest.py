"""Databases with applicants, in which things are deployed."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from typer.testing import CliRunner, Result

from scrutable.cli.app import app
from scrutable.errors import PluginError
from scrutable.testing.servers import mariadb_server, postgres_server
from scrutable_deployment.database import opened

from .planted import KINDS, Planted, view

TEXTS = {"mariadb": "VARCHAR(100) CHARACTER SET utf8mb4", "clickhouse": "Nullable(String)"}
ENDING = {"clickhouse": " ENGINE = MergeTree ORDER BY tuple()"}


@dataclass(frozen=True)
class Bank:
    """A database with a table of applicants."""

    dialect: str
    url: str

    def execute(self, *texts: str) -> None:
        """Run statements."""
        with opened(self.url) as database:
            for text in texts:
                database.run(text, "testing", "all")

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """What a query gives."""
        with opened(self.url) as database:
            return database.rows(text, "testing", "all")

    def applicants(self, table: str = "applicants", changed: tuple[str, str] | None = None, n_rows: int = 40) -> None:
        """A table of applicants, one column of another type."""
        kind, text = KINDS[self.dialect], TEXTS.get(self.dialect, "TEXT")
        kinds = {"id": "INTEGER", "age": kind, "income": kind, "housing": text}
        kinds |= dict([changed] if changed else [])
        columns = ", ".join(f"{name} {each}" for name, each in kinds.items())
        self.execute(
            f"DROP TABLE IF EXISTS {table}",
            f"CREATE TABLE {table} ({columns}){ENDING.get(self.dialect, '')}",
            f"INSERT INTO {table} VALUES {', '.join(_rows(n_rows))}",
        )

    def deployed(self, planted: Planted | None = None) -> None:
        """The view of a model, with a planted difference or without."""
        self.execute("DROP VIEW IF EXISTS score", view(self.dialect, planted))


def _rows(n_rows: int) -> Iterator[str]:
    draw = random.Random(7)
    for i in range(n_rows):
        age = draw.choice(["NULL", "-9", "17", "25", "30", "61.5"])
        income = draw.choice(["NULL", "0", "1000", "999", "2501"])
        yield f"({i}, {age}, {income}, {draw.choice(['NULL', repr('own'), repr('rent'), repr('else')])})"


def own_database(dialect: str, url: str) -> Bank:
    """A new database of a server."""
    name = f"bank_{uuid.uuid4().hex}"
    with opened(url) as database:
        letters = " CHARACTER SET utf8mb4" if dialect == "mariadb" else ""
        database.run(f"CREATE DATABASE {name}{letters}", "testing", "all")
    return Bank(dialect, sqlalchemy.make_url(url).set(database=name).render_as_string(False))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_url() -> Iterator[str]:
    pytest.importorskip("pymysql", reason="MariaDB's driver PyMySQL is not installed")
    with ExitStack() as servers:
        try:
            url = servers.enter_context(mariadb_server())
        except PluginError as error:
            pytest.skip(str(error))
        yield url


@pytest.fixture
def bank(request: pytest.FixtureRequest, tmp_path: Path) -> Bank:
    """A bank of the dialect that the test is given for."""
    dialect = request.param
    if dialect in ("postgres", "mariadb"):
        return own_database(dialect, request.getfixturevalue(f"{dialect}_url"))
    if dialect == "clickhouse":
        pytest.importorskip("chdb", reason="clickhouse is not installed")
    path = tmp_path / "bank.db"
    if dialect == "duckdb":
        import duckdb

        duckdb.connect(str(path)).close()
    elif dialect == "sqlite":
        path.touch()
    return Bank(dialect, f"{dialect}:///{path}")


@pytest.fixture
def bank_of_sqlite(tmp_path: Path) -> Bank:
    """A bank in a file."""
    path = tmp_path / "bank.db"
    path.touch()
    return Bank("sqlite", f"sqlite:///{path}")


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Run the command line with these arguments; paths become texts."""

    def invoke(*arguments: object) -> Result:
        return CliRunner(env={"COLUMNS": "200", "TERM": "xterm"}).invoke(app, [str(each) for each in arguments])

    return invoke
