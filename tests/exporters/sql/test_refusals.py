"""What a database refuses to make for rows of ours is told with the right that it takes, and nothing is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest
import sqlalchemy
from cards import card, ladder

from scrutable.errors import InputError
from scrutable_sql.exporter import SQLExporter

MODEL = card(ladder("age", 25))
ROWS = {"age": [19.0, 25.0]}


def tried(url: str, **options: object) -> str:
    exporter = SQLExporter.at(url, **options)
    with pytest.raises(InputError) as refused:
        exporter.run(exporter.export(MODEL), ROWS)
    return str(refused.value)


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection


def test_a_table_that_is_there_is_told_in_postgresql(postgres_url: str, postgres: psycopg.Connection) -> None:
    postgres.execute("CREATE SCHEMA taken")
    postgres.execute("CREATE TABLE taken.applicants AS SELECT 30.0 AS age")
    said = tried(postgres_url, table=("taken", "applicants"))
    assert '"taken"."applicants"' in said
    assert "it is there already" in said
    assert "verify --deployed" in said
    assert postgres.execute("SELECT age FROM taken.applicants").fetchall()[0][0] == 30


def test_a_right_that_is_missing_is_told_in_postgresql(postgres_url: str, postgres: psycopg.Connection) -> None:
    postgres.execute("CREATE ROLE reader LOGIN PASSWORD 'geheim'")
    postgres.execute("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
    url = str(sqlalchemy.make_url(postgres_url).set(username="reader", password=None).render_as_string(False))
    for options, right in (({}, "TEMPORARY"), ({"table": ("other", "applicants")}, "CREATE")):
        said = tried(url, **options)
        assert f"the right {right}" in said
        assert "verify --deployed" in said


def test_a_table_that_is_there_is_told_in_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "bank.db"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA risk; CREATE TABLE risk.applicants AS SELECT 30.0 AS age")
    assert "it is there already" in tried(f"duckdb:///{path}", table=("risk", "applicants"))


def test_a_table_that_is_there_is_told_in_mariadb(mariadb_url: str) -> None:
    engine = sqlalchemy.create_engine(mariadb_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE USER reader")
        connection.exec_driver_sql("CREATE DATABASE readable")
        connection.exec_driver_sql("GRANT SELECT ON readable.* TO reader")
    url = sqlalchemy.make_url(mariadb_url).set(username="reader", database="readable").render_as_string(False)
    assert "CREATE TEMPORARY TABLES" in tried(url)
