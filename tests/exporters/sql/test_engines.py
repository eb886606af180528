"""Columns as they are in real tables: types, NULL, collations, wrong values, identifiers."""

from __future__ import annotations

import contextlib
import importlib
import sqlite3
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import psycopg
import pytest
import sqlalchemy
import sqlglot
from cards import card, categories, ladder

from scrutable.errors import InputError, PluginError
from scrutable.model.evaluator import evaluate
from scrutable.proof import certify, verification_rows
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.engines import Server, Table
from scrutable_sql.engines.spark import Spark
from scrutable_sql.exporter import SQLExporter
from scrutable_sql.quoting import qualified

from .conftest import Make, Query


def errors_of(module: str, name: str) -> tuple[type[Exception], ...]:
    """The errors of an engine that may not be here."""
    try:
        return (getattr(importlib.import_module(module), name),)
    except ImportError:
        return ()


MARIADB_ERRORS, SPARK_ERRORS = errors_of("pymysql", "Error"), errors_of("pyspark.errors", "PySparkException")
#: ClickHouse's errors are Python's own.
DATABASE_ERRORS = (sqlite3.Error, duckdb.Error, psycopg.Error, RuntimeError, *MARIADB_ERRORS, *SPARK_ERRORS)


def scores(query: Query, text: str) -> list[Any]:
    """The first column of a text whose table is numbered by n."""
    return [row[1] for row in sorted(query(text))]


def expected(model: Any, values: list[Any]) -> list[float]:
    found = evaluate(model, {"x": values}).score
    assert found is not None
    return found.tolist()


NUMBERS: list[tuple[str, str, list[float], list[str]]] = [
    # type, cut, the values as doubles, the values as written
    ("INTEGER", "17", [16, 17, 18, np.nan], ["16", "17", "18", "NULL"]),
    ("BIGINT", "9007199254740994", [2.0**53, 2.0**53 + 2, np.nan], ["9007199254740993", "9007199254740994", "NULL"]),
    ("NUMERIC(10, 2)", "0.3", [0.29, 0.3, 0.31, np.nan], ["0.29", "0.30", "0.31", "NULL"]),
    ("DOUBLE", "0.3", [0.1 + 0.2, 0.3, 0.29999999999999993, np.nan],
     ["0.30000000000000004", "0.3", "0.29999999999999993", "NULL"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "cut", "doubles", "written"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_numbers_of_every_type_are_doubles(
    dialect: str, query: Query, make_exporter: Make, kind: str, cut: str, doubles: list[float], written: list[str]
) -> None:
    model = card(ladder("x", float(cut)))
    kind = "DOUBLE PRECISION" if kind == "DOUBLE" and dialect == "postgres" else kind
    query(f"CREATE TABLE applicants (n INTEGER, x {kind})")
    query(f"INSERT INTO applicants VALUES {', '.join(f'({n}, {value})' for n, value in enumerate(written))}")
    assert scores(query, make_exporter(ids=["n"]).export(model).text) == expected(model, doubles)


NUMERIC = [
    *(("duckdb", kind) for kind in ("TINYINT", "UBIGINT", "HUGEINT", "UHUGEINT", "FLOAT", "DECIMAL(38, 5)", "BOOLEAN")),
    *(("postgres", kind) for kind in ("SMALLINT", "REAL", "NUMERIC", "amounts")),
]


@pytest.mark.parametrize(("dialect", "kind"), NUMERIC, indirect=["dialect"])
def test_every_numeric_type_is_read(query: Query, make_exporter: Make, kind: str) -> None:
    if kind == "amounts":
        query("CREATE DOMAIN amounts AS NUMERIC(9, 2)")
    query(f"CREATE TABLE applicants (n INTEGER, x {kind})")
    query("INSERT INTO applicants VALUES (0, 0), (1, 1), (2, NULL)")
    text = make_exporter(ids=["n"]).export(card(ladder("x", 1.0))).text
    assert scores(query, text) == [500, 510, 495]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"], indirect=True)
def test_single_precision_is_widened_not_reread(query: Query, make_exporter: Make) -> None:
    model = card(ladder("x", 0.1, float(np.float32(0.1))))
    query("CREATE TABLE applicants (n INTEGER, x REAL)")
    query("INSERT INTO applicants VALUES (0, 0.1), (1, CAST('NaN' AS REAL)), (2, CAST('-Infinity' AS REAL)), (3, NULL)")
    values = [float(np.float32(0.1)), np.nan, -np.inf, np.nan]
    assert scores(query, make_exporter(ids=["n"]).export(model).text) == expected(model, values)


def test_booleans_are_0_and_1(query: Query, make_exporter: Make) -> None:
    model = card(ladder("x", 1.0))
    query("CREATE TABLE applicants (n INTEGER, x BOOLEAN)")
    query("INSERT INTO applicants VALUES (0, FALSE), (1, TRUE), (2, NULL)")
    exporter = make_exporter(ids=["n"], booleans=["x"])
    assert scores(query, exporter.export(model).text) == [500, 510, 495]
    assert exporter.run(exporter.export(model), {"x": [True, False, None]})["score"].tolist() == [510, 500, 495]
    with pytest.raises(InputError, match="other values than 0 and 1 in a column of truth values"):
        exporter.run(exporter.export(model), {"x": [0.5]})


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_postgres_refuses_a_boolean_it_was_not_told_of(query: Query, make_exporter: Make) -> None:
    query("CREATE TABLE applicants (x BOOLEAN)")
    with pytest.raises(psycopg.Error, match="cannot cast type boolean to double precision"):
        query(make_exporter().export(card(ladder("x", 1.0))).text)


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
def test_sqlite_gives_no_score_for_values_of_another_kind(query: Query, make_exporter: Make) -> None:
    model = card(ladder("x", 1.0), categories("job", "cook", "1"))
    query("CREATE TABLE applicants (n, x, job)")
    query("INSERT INTO applicants VALUES (0, 2, 'cook'), (1, 'abc', 'cook'), (2, '2', 'cook'), (3, x'32', 'cook')")
    query("INSERT INTO applicants VALUES (4, 2, 1.0), (5, 2, x'636f6f6b'), (6, 2, 1), (7, NULL, NULL), (8, 2, '1')")
    found = sorted(query(make_exporter(ids=["n"]).export(model).text))
    assert [row[1] for row in found] == [511, None, None, None, None, None, None, 490, 512]
    assert all(value is None for value in found[1][1:])


def unscored(query: Query, text: str) -> bool:
    """Whether a text gives NULL for every result, or is refused."""
    try:
        (row,) = query(text)
        return all(value is None for value in row)
    except DATABASE_ERRORS:
        return True


WRONG_NUMBERS = [
    ("sqlite", "TEXT", "'16'"), ("sqlite", "BLOB", "'nan'"),
    *(("duckdb", "VARCHAR", text) for text in ("'abc'", "'1_000'", "'16'", "NULL")),
    ("duckdb", "DATE", "'2020-01-01'"), ("duckdb", "JSON", "'1'"), ("duckdb", "INTEGER[]", "[1]"),
    *(("postgres", "TEXT", text) for text in ("'abc'", "'0x10'", "'nan'", "NULL")),
    ("postgres", "DATE", "'2020-01-01'"),
    *(("postgres", kind, "'1'") for kind in ("JSONB", "MONEY", "OID")),
]  # fmt: skip
WRONG_TEXTS = [
    ("sqlite", "INTEGER", "1"), ("sqlite", "REAL", "1"), ("sqlite", "BLOB", "x'31'"),
    *(("duckdb", kind, "'1'") for kind in ("INTEGER", "DOUBLE", "DECIMAL(3, 1)", "BOOLEAN", "BLOB", "JSON")),
    ("duckdb", "VARCHAR[]", "['1']"), ("duckdb", "UUID", "NULL"),
    *(("postgres", kind, "1") for kind in ("INTEGER", "FLOAT8", "NUMERIC")), ("postgres", "BOOLEAN", "TRUE"),
    *(("postgres", kind, "'1'") for kind in ("BYTEA", "JSONB")),
    ("postgres", "TEXT[]", "'{1}'"), ("postgres", "UUID", "NULL"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "kind", "value"), WRONG_NUMBERS, indirect=["dialect"])
def test_a_column_that_is_not_numeric_gives_no_score(query: Query, make_exporter: Make, kind: str, value: str) -> None:
    query(f"CREATE TABLE applicants (x {kind})")
    query(f"INSERT INTO applicants VALUES ({value})")
    assert unscored(query, make_exporter().export(card(ladder("x", 1.0))).text)


@pytest.mark.parametrize(("dialect", "kind", "value"), WRONG_TEXTS, indirect=["dialect"])
def test_a_column_that_is_not_text_gives_no_score(query: Query, make_exporter: Make, kind: str, value: str) -> None:
    model = card(categories("x", "1", "1.0", "true"))
    query(f"CREATE TABLE applicants (x {kind})")
    query(f"INSERT INTO applicants VALUES ({value})")
    assert unscored(query, make_exporter().export(model).text)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"], indirect=True)
def test_numbers_in_a_column_of_truth_values_give_no_score(query: Query, make_exporter: Make) -> None:
    query("CREATE TABLE applicants (x INTEGER)")
    query("INSERT INTO applicants VALUES (5)")
    assert unscored(query, make_exporter(booleans=["x"]).export(card(ladder("x", 1.0))).text)


def test_what_the_engine_cannot_hold_is_declared(dialect: str, make_exporter: Make) -> None:
    excluded = make_exporter().export(card(ladder("x", 1.0))).excluded
    assert "of another kind than the feature's" in excluded
    assert ("15 digits" in excluded) == (dialect in ("duckdb", "clickhouse"))
    assert ("infinite" in excluded) == (dialect in ("mariadb", "mysql"))


@pytest.mark.parametrize("feature", ["num_nulls", "count", "t", "inputs"])
def test_a_name_is_never_a_function_of_the_row(query: Query, make_exporter: Make, feature: str) -> None:
    """PostgreSQL reads t.num_nulls as num_nulls(t) where t has no such column."""
    text = make_exporter().export(card(ladder(feature, 1.0))).text
    query("CREATE TABLE applicants (x INTEGER)")
    query("INSERT INTO applicants VALUES (1)")
    with pytest.raises(DATABASE_ERRORS):
        query(text)


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
@pytest.mark.parametrize("setting", ["on", "off"])
def test_backslashes_mean_the_same_under_either_setting(query: Query, make_exporter: Make, setting: str) -> None:
    attack = "\\'; DROP TABLE applicants; --"
    known = ["\\", attack, "\\n", "\\\\", "a\\'b"]
    texts = [*known, "\n", None]
    model = card(categories("x", *known))
    text = make_exporter(ids=["n"]).export(model).text
    query("CREATE TABLE applicants (n INTEGER, x TEXT)")
    for n, value in enumerate(texts):
        code_points = " || ".join(f"chr({ord(character)})" for character in value or "") or "NULL"
        query(f"INSERT INTO applicants VALUES ({n}, {code_points})")
    query(f"SET LOCAL standard_conforming_strings TO {setting}")
    assert scores(query, text) == expected(model, texts)
    assert len(sqlglot.parse(text, dialect="postgres")) == 1


def test_a_column_that_is_not_there_is_an_error(query: Query, make_exporter: Make) -> None:
    query("CREATE TABLE applicants (y VARCHAR(9))")
    with pytest.raises(DATABASE_ERRORS, match="x"):
        query(make_exporter().export(card(categories("x", "x"))).text)


TEXTS = "'own', 'OWN', 'own ', 'ówn', ''"
COLLATIONS = [
    ("sqlite", "CREATE TABLE applicants (n INTEGER, x TEXT COLLATE NOCASE)"),
    ("sqlite", "CREATE TABLE applicants (n INTEGER, x TEXT COLLATE RTRIM)"),
    ("duckdb", "CREATE TABLE applicants (n INTEGER, x VARCHAR COLLATE NOCASE)"),
    ("duckdb", "SET default_collation = 'nocase'; CREATE TABLE applicants (n INTEGER, x VARCHAR)"),
    ("duckdb", f"CREATE TYPE kinds AS ENUM ({TEXTS}); CREATE TABLE applicants (n INTEGER, x kinds)"),
    ("duckdb", "CREATE TABLE loaded (n INTEGER, x VARCHAR); CREATE VIEW applicants AS SELECT * FROM loaded"),
    ("postgres", "CREATE TABLE applicants (n INTEGER, x TEXT)"),
    ("postgres", 'CREATE TABLE applicants (n INTEGER, x TEXT COLLATE "C")'),
    ("postgres", "CREATE TABLE applicants (n INTEGER, x VARCHAR(9))"),
    ("postgres", "CREATE TABLE applicants (n INTEGER, x NAME)"),
    ("postgres", f"CREATE TYPE kinds AS ENUM ({TEXTS}); CREATE TABLE applicants (n INTEGER, x kinds)"),
    ("postgres", "CREATE DOMAIN words AS TEXT; CREATE DOMAIN kinds AS words; "
                 "CREATE TABLE applicants (n INTEGER, x kinds)"),
    ("postgres", "CREATE TABLE loaded (n INTEGER, x TEXT); CREATE VIEW applicants AS SELECT * FROM loaded"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "create"), COLLATIONS, indirect=["dialect"])
def test_texts_are_compared_by_code_point_whatever_the_collation(
    query: Query, make_exporter: Make, create: str
) -> None:
    for statement in create.split("; "):
        query(statement)
    table = "loaded" if "loaded" in create else "applicants"
    query(f"INSERT INTO {table} VALUES (0, 'own'), (1, 'OWN'), (2, 'own '), (3, 'ówn'), (4, NULL), (5, '')")
    text = make_exporter(ids=["n"]).export(card(categories("x", "own"))).text
    assert scores(query, text) == [501, 500, 500, 500, 495, 500]


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
@pytest.mark.parametrize("kind", ["CHAR(5)", "padded"])
def test_postgres_keeps_the_padding_that_clients_read(query: Query, make_exporter: Make, kind: str) -> None:
    model = card(categories("x", "own", "own  "))
    query("CREATE DOMAIN padded AS CHAR(5)")
    query(f"CREATE TABLE applicants (n INTEGER, x {kind})")
    query("INSERT INTO applicants VALUES (0, 'own'), (1, 'own '), (2, NULL), (3, 'rents')")
    values = [row[0] for row in query("SELECT x FROM applicants ORDER BY n")]
    assert values == ["own  ", "own  ", None, "rents"]
    assert scores(query, make_exporter(ids=["n"]).export(model).text) == expected(model, values)


def test_identifiers_go_through_untouched(query: Query, make_exporter: Make) -> None:
    exporter = make_exporter(ids=["customer", "x"], columns={"income": "x"})
    query("CREATE TABLE applicants (customer VARCHAR(9), other INTEGER, x INTEGER)")
    query("INSERT INTO applicants VALUES ('b', 1, 5), (NULL, 2, 5), ('b', 3, NULL)")
    found = query(exporter.export(card(ladder("income", 3.0))).text)
    assert [row[:3] for row in found] == [("b", 5, 510), (None, 5, 510), ("b", None, 495)]


def test_rows_come_back_in_their_order(make_exporter: Make) -> None:
    """More rows than any engine handles at a time."""
    model = card(ladder("x", 0.0))
    rows = {"x": np.random.default_rng(0).normal(size=130_000)}
    exporter = make_exporter()
    assert np.array_equal(exporter.run(exporter.export(model), rows)["score"], evaluate(model, rows).frame()["score"])


def test_schemas_and_created_tables(make_exporter: Make) -> None:
    exporter = make_exporter(table=("bank", "applicants"), form="table", name=("bank", "scores"), ids=["n"])
    export = exporter.export(card(ladder("x", 0.0)))
    quoted = qualified(("bank", "scores"), DIALECTS[exporter.dialect])
    assert f"CREATE TABLE {quoted} " in export.text
    for _ in range(2):  # nothing stays behind
        assert exporter.run(export, {"x": [-1, 1]})["score"].tolist() == [500, 510]


@pytest.mark.parametrize("table", ["inputs", "points", "Scores", "ranks", "t"])
def test_tables_named_like_a_step(make_exporter: Make, table: str) -> None:
    exporter = make_exporter(table=table)
    assert exporter.run(exporter.export(card(ladder("x", 0.0))), {"x": [1]})["score"].tolist() == [510]


def test_a_model_that_reads_nothing(make_exporter: Make) -> None:
    exporter = make_exporter()
    found = exporter.run(exporter.export(card()), {"x": [1, 2]})
    assert found["score"].tolist() == [500, 500]


def test_postgres_without_a_connection_says_so() -> None:
    exporter = SQLExporter(dialect="postgres")
    with pytest.raises(InputError, match="PostgreSQL needs a connection"):
        exporter.run(exporter.export(card(ladder("x", 0.0))), {"x": [1]})


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    exporter = SQLExporter(dialect="postgres", url="postgresql://nowhere")
    with pytest.raises(PluginError, match=r"a driver that works: psycopg"):
        exporter.run(exporter.export(card(ladder("x", 0.0))), {"x": [1]})


def test_a_machine_without_java_is_told_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = SimpleNamespace(SparkSession=SimpleNamespace(getActiveSession=lambda: None))
    monkeypatch.setattr("scrutable_sql.engines.spark.library", lambda *_: sessions)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PluginError, match=r"engine spark: Java is not installed.*apt-get install default-jre-headless"):
        Spark().version()


def test_a_sqlite_without_mathematics_is_helped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare(sqlite3.Connection):
        """Knows no EXP of its own."""

        registered = False

        def execute(self, text: str, *arguments: Any) -> sqlite3.Cursor:
            if "EXP(" in text and not self.registered:
                raise sqlite3.OperationalError("no such function: EXP")
            return super().execute(text, *arguments)

        def create_function(self, *arguments: Any, **options: Any) -> None:
            self.registered = True
            super().create_function(*arguments, **options)

    plain = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda name: plain(name, factory=Bare))
    model, exporter = card(ladder("x", 0.0)), SQLExporter(dialect="sqlite")
    found = exporter.run(exporter.export(model), {"x": [1.0]})
    assert found["probability"].tolist() == evaluate(model, {"x": [1.0]}).probability.tolist()


def test_a_temporary_table_hides_the_real_one(mariadb_url: str) -> None:
    engine = sqlalchemy.create_engine(
        mariadb_url.replace("mariadb:", "mariadb+pymysql:"), poolclass=sqlalchemy.NullPool
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE bank")
        connection.exec_driver_sql("CREATE TABLE bank.applicants (x DOUBLE)")
        before = connection.exec_driver_sql("SHOW DATABASES").fetchall()
        exporter = SQLExporter.at(mariadb_url.replace("localhost/", "localhost/bank"))
        assert exporter.engine().startswith("MariaDB 1")
        found = exporter.run(exporter.export(card(ladder("x", 1.0))), {"x": [5.0, np.nan, 0.5]})
        assert found["score"].tolist() == [510, 495, 500]
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM bank.applicants").scalar() == 0
        assert connection.exec_driver_sql("SHOW DATABASES").fetchall() == before
        connection.exec_driver_sql("DROP DATABASE bank")


def test_a_database_of_any_kind_keeps_what_was_there(tmp_path: Any) -> None:
    """The runner for databases without one of their own, here on SQLite, whose tables are then real ones."""
    path = tmp_path / "bank.db"
    exporter = SQLExporter(dialect="sqlite", table="applicants")
    export = exporter.export(card(ladder("x", 1.0)))
    table = Table(
        options=replace(exporter, url=None), columns={"x": np.array([0.0, 2.0])}, kinds={"x": "numeric"}, n_rows=2
    )
    server = Server(f"sqlite:///{path}", "SQLite")
    assert len(server.run(export.text, table)[0]) == 2
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
        connection.execute("CREATE TABLE applicants (precious REAL)")
        connection.execute("INSERT INTO applicants VALUES (7)")
    with contextlib.suppress(sqlalchemy.exc.OperationalError):
        server.run(export.text, table)  # the temporary table hides it, or there is an error
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT precious FROM applicants").fetchall() == [(7.0,)]


def test_the_certificate_asks_the_engine_over_its_own_connection(
    make_exporter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = make_exporter()
    claimed = exporter.engine()
    monkeypatch.setattr(SQLExporter, "engine", lambda self: "what the exporter says")
    model = card(ladder("x", 1.0))
    [run] = certify(model, [exporter], verification_rows(model, n_random=20)).runs
    assert (run.engine, run.attested, run.passed) == (claimed, True, True)
