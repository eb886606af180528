"""Two runs of the INSERT of new rows at once: what keeps a row from being added twice, engine by engine."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy
from cards import card, ladder

from scrutable.proof import execute
from scrutable_sql.exporter import SQLExporter

UNIQUE = "CREATE UNIQUE INDEX scores_id ON scores (id)"
KIND = {"postgres": "FLOAT8", "mariadb": "DOUBLE", "sqlite": "REAL", "duckdb": "DOUBLE"}


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of the engine that the test is given for."""
    dialect = request.param
    if dialect == "duckdb":
        duckdb.connect(str(tmp_path / "bank.db")).close()
    elif dialect == "sqlite":
        (tmp_path / "bank.db").touch()
    if dialect in ("sqlite", "duckdb"):
        return f"{dialect}:///{tmp_path / 'bank.db'}"
    url, name = request.getfixturevalue(f"{dialect}_url"), f"two_{uuid.uuid4().hex}"
    with connected(url) as run:
        run(f"CREATE DATABASE {name}")
    return sqlalchemy.make_url(url).set(database=name).render_as_string(False)


@contextmanager
def connected(url: str) -> Iterator[Callable[[str], list[Any]]]:
    """What runs statements over a connection of its own."""
    with SQLExporter.at(url).connected() as connection:
        plain = connection
        if isinstance(connection, sqlalchemy.Connection):
            plain = connection.execution_options(isolation_level="AUTOCOMMIT")

        def run(text: str) -> list[Any]:
            result = execute(plain, text)
            if isinstance(result, sqlalchemy.CursorResult) and not result.returns_rows:
                return []
            return list(result.fetchall()) if result is not None else []

        yield run


def loaded(url: str, *further: str, keys: str = "(1), (2)") -> str:
    """An applicant who is scored, and new ones; the INSERT of these comes back."""
    model, dialect = card(ladder("age", 25.0)), SQLExporter.at(url).dialect
    options: dict[str, Any] = {"dialect": dialect, "name": "scores", "key": "id"}
    with connected(url) as run:
        run(f"CREATE TABLE applicants (id INTEGER, age {KIND[dialect]})")
        run("INSERT INTO applicants (id) VALUES (0)")
        run(SQLExporter(form="table", **options).export(model).text)
        run(f"INSERT INTO applicants (id) VALUES {keys}")
        for text in further:
            run(text)
    return SQLExporter(form="insert", new_only=True, **options).export(model).text


def both_run(url: str, insert: str, begin: str, first: str = "") -> list[Exception]:
    """Refusals of two runs at once: one adds its rows, then the other begins, and waits or is done before that ends."""
    refused: list[Exception] = []

    def run_all(texts: list[str], run: Callable[[str], Any]) -> None:
        try:
            for text in texts:
                run(text) if text else None
        except Exception as error:
            refused.append(error)

    def run_other() -> None:
        with connected(url) as run:
            run_all([begin, first, insert, "COMMIT"], run)

    with connected(url) as run:
        run_all([begin, first, insert], run)
        other = threading.Thread(target=run_other)
        other.start()
        other.join(1.0)
        run_all(["COMMIT"], run)
        other.join(60.0)
    assert not other.is_alive()
    return refused


def keys(url: str) -> list[int]:
    with connected(url) as run:
        return [row[0] for row in run("SELECT id FROM scores ORDER BY id")]


@pytest.mark.parametrize(
    ("home", "begin", "further", "first", "stops"),
    [
        ("postgres", "BEGIN", (UNIQUE,), "", 1),
        ("postgres", "BEGIN", (), "LOCK TABLE scores IN SHARE ROW EXCLUSIVE MODE", 0),
        ("duckdb", "BEGIN", (UNIQUE,), "", 1),
        ("mariadb", "START TRANSACTION", (UNIQUE,), "", 0),
        ("mariadb", "START TRANSACTION", (), "", 0),
        ("sqlite", "BEGIN", (), "", 0),
    ],
    indirect=["home"],
)
def test_no_row_is_added_twice(home: str, begin: str, further: tuple[str, ...], first: str, stops: int) -> None:
    insert = loaded(home, *further)
    refused = both_run(home, insert, begin, first)
    assert keys(home) == [0, 1, 2]
    assert len(refused) == stops, refused
    with connected(home) as run:
        run(insert)
    assert keys(home) == [0, 1, 2]


@pytest.mark.parametrize("home", ["postgres", "duckdb", "mariadb", "sqlite"], indirect=True)
def test_a_key_that_stands_twice_in_the_table_is_told_where_keys_are_unique(home: str) -> None:
    """What ON CONFLICT DO NOTHING and INSERT IGNORE would pass over, with one of both rows."""
    insert = loaded(home, UNIQUE, keys="(1), (2), (2)")
    with connected(home) as run, pytest.raises(Exception, match=r"(?i)unique|duplicate"):
        run(insert)
    assert keys(home) == [0]
