"""Filters on a key of the view's table reach the table: one row is read and scored, not all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cards import card, categories, ladder, reason_policy

from scrutable.model.evaluator import evaluate

from .conftest import Make, Query

N_ROWS, KEY = 20_000, 77
#: How an engine is asked for its plan, and what the plan says where the filter is met at the table.
PLANS = {
    "duckdb": ("EXPLAIN", "Filters: id = 77"),
    "sqlite": ("EXPLAIN QUERY PLAN", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"),
    "postgres": ("EXPLAIN", "Index Cond: (id = 77)"),
    "mariadb": ("EXPLAIN", "\nt\nconst\nPRIMARY\n"),
    "mysql": ("EXPLAIN FORMAT=TRADITIONAL", "\nt\nNone\nconst\nPRIMARY\n"),
    "clickhouse": ("EXPLAIN indexes = 1", "Condition: (id in [77, 77])"),
}
#: A table with a key and 20,000 rows, from a query of the numbers from 1.
CREATE = {
    "duckdb": "CREATE TABLE applicants AS {}",
    "sqlite": "CREATE TABLE applicants (id INTEGER PRIMARY KEY, age REAL, income REAL, job TEXT)",
    "postgres": "CREATE TABLE applicants (id BIGINT PRIMARY KEY, age FLOAT8, income FLOAT8, job TEXT)",
    "mariadb": "CREATE TABLE applicants (id BIGINT PRIMARY KEY, age DOUBLE, income DOUBLE, job VARCHAR(9))",
    "mysql": "CREATE TABLE applicants (id BIGINT PRIMARY KEY, age DOUBLE, income DOUBLE, job VARCHAR(9))",
    "clickhouse": "CREATE TABLE applicants ENGINE = MergeTree ORDER BY id AS {}",
}
NUMBERS = {
    "duckdb": "SELECT i AS id, CAST(i % 60 AS DOUBLE) AS age, CAST(i % 7 AS DOUBLE) AS income,"
    " CAST(CASE WHEN i % 3 = 0 THEN 'cook' ELSE 'smith' END AS VARCHAR) AS job FROM range(1, {n} + 1) r(i)",
    "sqlite": "WITH RECURSIVE r(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM r WHERE i < {n})"
    " SELECT i, i % 60, i % 7, CASE WHEN i % 3 = 0 THEN 'cook' ELSE 'smith' END FROM r",
    "postgres": "SELECT i, i % 60, i % 7, CASE WHEN i % 3 = 0 THEN 'cook' ELSE 'smith' END"
    " FROM generate_series(1, {n}) AS r(i)",
    "mariadb": "SELECT seq, seq % 60, seq % 7, CASE WHEN seq % 3 = 0 THEN 'cook' ELSE 'smith' END FROM seq_1_to_{n}",
    "mysql": "WITH a(d) AS (SELECT 0 UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5"
    " UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9), r(i) AS (SELECT 1 + v.d + 10 * w.d + 100 * x.d"
    " + 1000 * y.d + 10000 * z.d FROM a AS v, a AS w, a AS x, a AS y, a AS z)"
    " SELECT i, i % 60, i % 7, CASE WHEN i % 3 = 0 THEN 'cook' ELSE 'smith' END FROM r WHERE i <= {n}",
    "clickhouse": "SELECT assumeNotNull(number + 1) AS id, CAST(id % 60 AS Nullable(Float64)) AS age,"
    " CAST(id % 7 AS Nullable(Float64)) AS income,"
    " CAST(if(id % 3 = 0, 'cook', 'smith') AS Nullable(String)) AS job FROM numbers({n})",
}
ENGINES = pytest.mark.parametrize("dialect", PLANS, indirect=True)


def whole() -> Any:
    """A card with whole points and reasons."""
    plain = card(ladder("age", 25.0, 40.5), ladder("income", 3.0), categories("job", "cook"))
    return replace(plain, reasons=reason_policy(plain, k=3))


def loaded(query: Query, dialect: str) -> None:
    numbers = NUMBERS[dialect].format(n=N_ROWS)
    query(CREATE[dialect].format(numbers))
    if "{}" not in CREATE[dialect]:
        query(f"INSERT INTO applicants {numbers}")


def plan(query: Query, dialect: str, select: str) -> str:
    return "\n".join(str(cell) for row in query(f"{PLANS[dialect][0]} {select}") for cell in row)


@ENGINES
@pytest.mark.parametrize("form", ["points", "scores"])
def test_a_filter_on_the_key_reaches_the_table(query: Query, dialect: str, make_exporter: Make, form: str) -> None:
    model = whole()
    loaded(query, dialect)
    exporter = make_exporter(ids=["id"], form="view", name="scores", points=form == "points", shortfalls=False)
    query(exporter.export(model).text)
    select = f"SELECT * FROM scores WHERE id = {KEY}"
    (row,) = query(select)
    wanted = evaluate(model, {"age": [17.0], "income": [0.0], "job": ["smith"]}).frame()
    assert row[:2] == (KEY, wanted["score"][0])
    assert row[-3:] == tuple(wanted[f"reason_{i}"][0] for i in (1, 2, 3))
    told = plan(query, dialect, select)
    assert PLANS[dialect][1] in told


@ENGINES
def test_filters_and_orders_of_results_are_as_of_any_table(query: Query, dialect: str, make_exporter: Make) -> None:
    model = whole()
    loaded(query, dialect)
    query(make_exporter(ids=["id"], form="view", name="scores").export(model).text)
    every = query("SELECT id, score, reason_1, short_1 FROM scores ORDER BY id")
    assert len(every) == N_ROWS
    best = sorted(every, key=lambda row: (-row[1], row[0]))[:5]
    assert query("SELECT id, score, reason_1, short_1 FROM scores ORDER BY score DESC, id LIMIT 5") == best
    some = [row for row in every if row[1] >= best[0][1]]
    assert query(f"SELECT id, score, reason_1, short_1 FROM scores WHERE score >= {best[0][1]} ORDER BY id") == some
    assert 0 < len(some) < N_ROWS
