"""dbt itself builds the exported model: the contract holds, tests pass or fail as they should, new rows are added."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlalchemy

from scrutable.model import Model, Scorecard
from scrutable.model.evaluator import OutputFrame, differences, results
from scrutable.model.evaluator.outputs import kind_of
from scrutable.plugins.bases import Export
from scrutable.proof import edge_rows
from scrutable.testing.contract.examples.models import models_named
from scrutable_lifecycle.monitoring import Columns, watch
from scrutable_sql.exporter import SQLExporter

#: `make engines` puts dbt beside the other engines, with an environment of its own.
_DBT = Path(sys.prefix, "dbt", "bin", "dbt")
pytestmark = pytest.mark.skipif(not _DBT.exists(), reason="dbt is not installed: make engines")

_SOURCES = """\
version: 2
sources:
  - name: bank
    schema: lending
    tables:
      - name: applicants
"""
_PROJECT = """\
name: bank
version: "1.0"
profile: bank
"""


class Project:
    """A project with a model that adds new rows to what it has."""

    def __init__(self, home: Path, profile: dict[str, Any], model: Model, dialect: str, **options: Any) -> None:
        self._home, self._dialect = home, dialect
        self.write("models", "sources.yml", _SOURCES)
        self.write(".", "dbt_project.yml", _PROJECT)
        settings = "".join(f"      {key}: {value}\n" for key, value in profile.items())
        self.write(".", "profiles.yml", f"bank:\n  target: here\n  outputs:\n    here:\n{settings}      threads: 1\n")
        export = self.add(model, **options)
        self.results = export.results or ()

    def add(self, model: Model, **options: Any) -> Export:
        """Write what is exported of a model into the project."""
        kinds = {"duckdb": "BIGINT", "postgres": "bigint"}
        exporter = SQLExporter(
            dialect=self._dialect,
            form="dbt",
            name="scores",
            table=("bank", "applicants"),
            relation="source",
            materialized="incremental",
            key="id",
            new_only=True,
            id_types={"id": kinds[self._dialect]},
            status=True,
            test_rows=40,
            **options,
        )
        export = exporter.export(model)
        for name, text in export.files.items():
            is_test = name.endswith(("_check.sql", "_columns.sql", "_test.sql", "_alerts.sql"))
            self.write("tests" if is_test else "models", name, str(text))
        return export

    def build(self) -> tuple[int, str]:
        """How `dbt build` ends, and what it says."""
        own = {"DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "HOME": str(self._home)}
        done = subprocess.run(
            [str(_DBT), "--no-use-colors", "build", "--profiles-dir", "."],
            cwd=self._home,
            env={"PATH": os.environ["PATH"], **own},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def write(self, folder: str, name: str, text: str) -> None:
        (self._home / folder).mkdir(exist_ok=True)
        (self._home / folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def model() -> Model:
    return models_named()["scorecard"]


def applicants(model: Model, count: int, first: int = 0) -> pd.DataFrame:
    """Rows in which nothing is unusual, numbered."""
    rows = edge_rows(model, n_random=3_000, seed=first)
    rows = rows[results(model, rows, ["status"])["status"] == "scored"].tail(count).reset_index(drop=True)
    assert len(rows) == count
    rows.insert(0, "id", range(first, first + count))
    return rows


def assert_scores(model: Model, rows: pd.DataFrame, scores: pd.DataFrame, names: tuple[str, ...]) -> None:
    """The table has a line for each row, with what the model says of it."""
    scores = scores.sort_values("id", ignore_index=True)
    assert scores["id"].tolist() == rows["id"].tolist()
    read = {name: np.array(values_of(scores[name], kind_of(name))) for name in names}
    assert not differences(OutputFrame(results(model, rows, names)), OutputFrame(read))


def values_of(column: pd.Series[Any], kind: type[np.generic]) -> Any:
    """The column as results are compared: texts and None, integers or doubles."""
    if kind is np.object_:
        return column.astype(object).where(column.notna(), None)
    return column.astype(kind)


def test_duckdb(model: Model, tmp_path: Path) -> None:
    database = tmp_path / "loans.duckdb"

    def put(rows: pd.DataFrame, how: str) -> None:
        with duckdb.connect(str(database)) as connection:
            connection.register("given", rows)
            connection.execute(how)

    def scores() -> pd.DataFrame:
        with duckdb.connect(str(database)) as connection:
            read: pd.DataFrame = connection.sql("SELECT * FROM scores").df()
        return read

    project = Project(tmp_path, {"type": "duckdb", "path": database}, model, "duckdb")
    first, more = applicants(model, 40), applicants(model, 20, first=40)
    put(first, "CREATE SCHEMA lending; CREATE TABLE lending.applicants AS SELECT * FROM given")
    code, said = project.build()
    assert code == 0, said
    assert "PASS=8 WARN=0 ERROR=0 SKIP=0" in said
    assert_scores(model, first, scores(), project.results)

    # rows that are there are not scored again, and new ones are
    put(more, "INSERT INTO lending.applicants SELECT * FROM given")
    put(first, "UPDATE lending.applicants SET age = NULL WHERE id = 0")
    code, said = project.build()
    assert code == 0, said
    assert_scores(model, pd.concat([first, more], ignore_index=True), scores(), project.results)

    # a category that nobody had stops the build before anything is scored
    put(more.head(1).assign(id=60, job="astronaut"), "INSERT INTO lending.applicants SELECT * FROM given")
    code, said = project.build()
    assert code == 1
    assert "FAIL 1 scores_check" in said
    assert len(scores()) == 60

    # and so does a number that became a text
    put(more, "DELETE FROM lending.applicants WHERE id = 60")
    put(more, "ALTER TABLE lending.applicants ALTER amount TYPE VARCHAR")
    code, said = project.build()
    assert code == 1
    assert "FAIL 1 scores_columns" in said


def test_versions_stand_beside_each_other_and_ref_finds_the_latest(model: Model, tmp_path: Path) -> None:
    database, rows = tmp_path / "loans.duckdb", applicants(model, 40)
    with duckdb.connect(str(database)) as connection:
        connection.register("given", rows)
        connection.execute("CREATE SCHEMA lending; CREATE TABLE lending.applicants AS SELECT * FROM given")
    assert isinstance(model, Scorecard)
    other = replace(model, base_points=model.base_points + 7)
    project = Project(tmp_path, {"type": "duckdb", "path": database}, model, "duckdb", version=1)
    first = str((tmp_path / "models" / "scores.yml").read_text())
    project.write("models", "read_by_others.sql", "SELECT * FROM {{ ref('scores') }}\n")
    project.write("models", "read_by_one.sql", "SELECT * FROM {{ ref('scores', v=1) }}\n")
    for latest in (2, 1):
        project.add(other, version=2, latest=latest, earlier=first)
        code, said = project.build()
        assert code == 0, said
        assert "ERROR=0 SKIP=0" in said
        with duckdb.connect(str(database)) as connection:
            read = {name: connection.sql(f"SELECT * FROM {name}").df() for name in ("read_by_one", "read_by_others")}
        assert_scores(model, rows, read["read_by_one"], project.results)
        assert_scores(other if latest == 2 else model, rows, read["read_by_others"], project.results)


def test_postgres(model: Model, tmp_path: Path, postgres_url: str) -> None:
    url = sqlalchemy.make_url(postgres_url)
    host = url.host or str(url.query["host"])
    profile = {"type": "postgres", "host": host, "port": url.port or 5432, "user": url.username, "schema": "scored"}
    profile |= {"dbname": url.database, "password": url.password or "none"}
    rows = applicants(model, 40)
    engine = sqlalchemy.create_engine(url.set(drivername="postgresql+psycopg"))
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("CREATE SCHEMA lending"))
            rows.to_sql("applicants", connection, schema="lending", index=False)
        project = Project(tmp_path, profile, model, "postgres")
        code, said = project.build()
        assert code == 0, said
        with engine.begin() as connection:
            scores = pd.read_sql("SELECT * FROM scored.scores", connection)
            connection.execute(sqlalchemy.text("ALTER TABLE lending.applicants ALTER amount TYPE real USING 1.5"))
        assert_scores(model, rows, scores, project.results)
        code, said = project.build()
        assert code == 1
        assert "FAIL 1 scores_columns" in said
    finally:
        with engine.begin() as connection:
            for schema in ("scored", "lending"):
                connection.execute(sqlalchemy.text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
        engine.dispose()


def test_monitoring(model: Model, tmp_path: Path) -> None:
    """The figures are a model, which a dashboard draws, and a test fails at an alert."""
    database = tmp_path / "loans.duckdb"
    rows = pd.concat([applicants(model, 60)] * 4, ignore_index=True).assign(id=range(240), sex=["f", "m"] * 120)
    watching = watch(model, rows, columns=Columns(protected=("sex",)))
    project = Project(tmp_path, {"type": "duckdb", "path": database}, model, "duckdb", monitoring=watching)
    with duckdb.connect(str(database)) as connection:
        connection.register("given", rows)
        connection.execute("CREATE SCHEMA lending; CREATE TABLE lending.applicants AS SELECT * FROM given")
    code, said = project.build()
    assert code == 0, said
    assert "PASS=10 WARN=0 ERROR=0 SKIP=0" in said
    with duckdb.connect(str(database)) as connection:
        told = connection.sql("SELECT * FROM scores_monitoring").df()
        connection.execute("UPDATE lending.applicants SET age = (SELECT MIN(age) FROM lending.applicants)")
    assert set(told["status"].dropna()) == {"ok"}
    code, said = project.build()
    assert code == 1
    assert "scores_monitoring_alerts" in said.partition("FAIL ")[2]
