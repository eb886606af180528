"""Forms that add new rows to a table, and that are called: results, plans, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlglot
from cards import card, categories, ladder, reason_policy

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.proof import edge_rows
from scrutable_sql.dialects import DIALECTS, EMITTED
from scrutable_sql.exporter import SQLExporter
from scrutable_sql.quoting import literal, number

from .conftest import QUICK, Make, Query

ADDING = pytest.mark.parametrize("dialect", QUICK, indirect=True)
CALLED = ["duckdb", "postgres", "mariadb", "mysql", "clickhouse"]
TABLE = {
    "duckdb": "(id BIGINT, day DATE, age DOUBLE, job VARCHAR)",
    "sqlite": "(id INTEGER, day TEXT, age REAL, job TEXT)",
    "postgres": "(id BIGINT, day DATE, age FLOAT8, job TEXT)",
    "mariadb": "(id BIGINT, day DATE, age DOUBLE, job VARCHAR(9))",
    "mysql": "(id BIGINT, day DATE, age DOUBLE, job VARCHAR(9))",
    "clickhouse": "(id Int64, day Date, age Nullable(Float64), job Nullable(String))",
}


def model() -> Any:
    plain = card(ladder("age", 25.0, 40.5), categories("job", "cook", "it's"))
    return replace(plain, reasons=reason_policy(plain, k=2))


def loaded(query: Query, dialect: str, *rows: str) -> None:
    query(f"CREATE TABLE applicants {TABLE[dialect]}")
    add(query, *rows)


def add(query: Query, *rows: str) -> None:
    for row in rows:
        query(f"INSERT INTO applicants VALUES ({row})")


@ADDING
def test_each_row_says_which_model_decided_it(query: Query, dialect: str, make_exporter: Make) -> None:
    other = replace(model(), cutoff=model().cutoff + 1)
    loaded(query, dialect, "1, '2026-01-01', 30, 'cook'")
    options: dict[str, Any] = {"name": "scores", "key": "id", "fingerprint": True}
    query(make_exporter(form="table", **options).export(model()).text)
    add(query, "2, '2026-01-02', 20, NULL")
    query(make_exporter(form="insert", new_only=True, **options).export(other).text)
    told = query("SELECT id, model_fingerprint FROM scores ORDER BY id")
    assert [tuple(row) for row in told] == [(1, fingerprint(model())), (2, fingerprint(other))]


def test_a_unit_test_is_written_beside_texts_and_a_fingerprint() -> None:
    options: dict[str, Any] = {"form": "table", "name": "scores", "texts": "reason_texts", "fingerprint": True}
    assert "score_test.sql" in SQLExporter(test_rows=3, **options).export(model()).files


def test_a_fingerprint_is_of_rows_that_are_kept() -> None:
    with pytest.raises(InputError, match="option fingerprint"):
        SQLExporter(fingerprint=True)
    exporter = SQLExporter(form="table", name="scores", fingerprint=True)
    ours = exporter.run(exporter.export(model()), {"age": [30.0], "job": ["cook"]})
    assert list(ours) == list(SQLExporter().run(SQLExporter().export(model()), {"age": [30.0], "job": ["cook"]}))
    with pytest.raises(UnsupportedModel, match="columns of the result"):
        replace(exporter, ids=("model_fingerprint",)).export(model())


@ADDING
def test_rows_of_several_versions_say_which_decided_each(query: Query, dialect: str, make_exporter: Make) -> None:
    loaded(query, dialect, "1, '2026-01-01', 30, 'cook'")
    options: dict[str, Any] = {"name": "scores", "key": "id", "fingerprint": True}
    one, other = model(), replace(model(), base_points=model().base_points + 1)
    query(make_exporter(form="table", version=1, **options).export(one).text)
    add(query, "2, '2026-01-02', 50, 'cook'")
    query(make_exporter(form="insert", new_only=True, version=2, **options).export(other).text)
    told = query("SELECT id, model_version, model_fingerprint FROM scores ORDER BY id")
    assert [tuple(row) for row in told] == [(1, 1, fingerprint(one)), (2, 2, fingerprint(other))]


def test_a_version_is_a_number_of_rows_that_are_kept() -> None:
    for form, name in (("select", None), ("function", "score")):
        with pytest.raises(InputError, match="option version"):
            SQLExporter(form=form, name=name, version=1)
    for wrong in (0, -1, True, 1.5, "2"):
        with pytest.raises(InputError, match=r"option version.*an integer from 1"):
            SQLExporter(form="table", name="scores", version=wrong)
    text = SQLExporter(form="view", name="scores", version=7).export(model()).text
    assert 'CAST(7 AS BIGINT) AS "model_version"' in text
    with pytest.raises(UnsupportedModel, match="columns of the result"):
        SQLExporter(form="table", name="scores", version=1, ids=("model_version",)).export(model())


@ADDING
@pytest.mark.parametrize("rising", [None, "day"])
def test_only_new_rows_are_added(query: Query, dialect: str, make_exporter: Make, rising: str | None) -> None:
    loaded(query, dialect, "1, '2026-01-01', 30, 'cook'", "2, '2026-01-02', 20, NULL")
    options: dict[str, Any] = {"name": "scores", "key": "id", "ids": ["day"]}
    insert = make_exporter(form="insert", new_only=True, rising=rising, **options).export(model()).text
    query(make_exporter(form="table", **options).export(model()).text)
    before = query("SELECT * FROM scores ORDER BY id")
    query(insert)
    assert query("SELECT * FROM scores ORDER BY id") == before
    add(query, "3, '2026-01-02', NULL, 'smith'", "4, '2026-01-03', 50, 'cook'")
    query(insert)
    query(insert)
    after = query("SELECT * FROM scores ORDER BY id")
    assert after[:2] == before
    assert [row[0] for row in after] == [1, 2, 3, 4]
    query("DELETE FROM scores WHERE id > 0" if dialect != "clickhouse" else "TRUNCATE TABLE scores")
    query(insert)
    assert query("SELECT * FROM scores ORDER BY id") == after
    wanted = evaluate(model(), {"age": [30.0, 20.0, None, 50.0], "job": ["cook", None, "smith", "cook"]}).frame()
    assert [row[2] for row in after] == wanted["score"].tolist()


@ADDING
def test_all_rows_are_added_where_nobody_asks_for_new_ones(query: Query, dialect: str, make_exporter: Make) -> None:
    loaded(query, dialect, "1, '2026-01-01', 30, 'cook'")
    query(make_exporter(form="table", name="scores", key="id").export(model()).text)
    query(make_exporter(form="insert", name="scores", key="id").export(model()).text)
    assert len(query("SELECT * FROM scores")) == 2


def call(dialect: str, function: str, names: list[str], values: list[Any]) -> str:
    d = DIALECTS[dialect]

    def written(value: Any) -> str:
        if value is None or value != value:
            return "NULL"
        return literal(value, d) if isinstance(value, str) else f"CAST({number(value, d)} AS {d.double})"

    texts = [written(value) for value in values]
    if dialect == "clickhouse":
        texts = [f"{name} = {text}" for name, text in zip(names, texts, strict=True)]
    head = "CALL" if dialect in ("mariadb", "mysql") else "SELECT * FROM"
    return f"{head} {function}({', '.join(texts)})"


@pytest.mark.parametrize("dialect", CALLED, indirect=True)
def test_one_application_is_scored_as_the_model_says(query: Query, dialect: str, make_exporter: Make) -> None:
    exporter = make_exporter(form="function", name="score_one")
    export = exporter.export(model())
    query(export.text)
    rows = edge_rows(model(), n_random=20, seed=3)
    rows = rows[make_exporter().holds(make_exporter().export(model()), rows)].sample(25, random_state=1)
    if dialect == "clickhouse":  # whose parameters of views are never NULL when they are literals
        rows = rows.dropna()
    wanted: Any = evaluate(model(), rows).frame()
    names = list(rows.columns)
    for place, row in enumerate(rows.itertuples(index=False)):
        (told,) = query(call(dialect, "score_one", names, list(row)))
        for name, value in zip(export.results or (), told, strict=True):
            expected = wanted[name][place]
            if expected is None or expected != expected:
                assert value is None or value != value
            else:
                assert value == (pytest.approx(expected, abs=1e-15) if name == "probability" else expected)
    assert export.files.keys() == {"score.sql"}


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_a_function_of_postgresql_is_put_in_the_place_of_its_call(query: Query, make_exporter: Make) -> None:
    query("CREATE TABLE applicants (id BIGINT PRIMARY KEY, age FLOAT8, job TEXT)")
    query("INSERT INTO applicants SELECT i, i % 60, 'cook' FROM generate_series(1, 5000) AS r(i)")
    query(make_exporter(form="function", name="score_one").export(model()).text)
    query(make_exporter(form="view", name="scores", key="id").export(model()).text)
    select = "SELECT a.id, s.* FROM applicants AS a CROSS JOIN LATERAL score_one(a.age, a.job) AS s"
    plan = "\n".join(row[0] for row in query(f"EXPLAIN {select} WHERE a.id = 77"))
    assert "Function Scan" not in plan
    assert "Index Cond: (id = 77)" in plan
    assert sorted(query(select)) == sorted(query("SELECT * FROM scores"))


@pytest.mark.parametrize("dialect", ["duckdb"], indirect=True)
def test_a_macro_of_duckdb_scores_a_table_by_its_name(query: Query, dialect: str, make_exporter: Make) -> None:
    loaded(query, dialect, "1, '2026-01-01', 30, 'cook'", "2, '2026-01-02', 20, NULL")
    query(make_exporter(form="set", name="score_all", key="id").export(model()).text)
    query(make_exporter(form="view", name="scores", key="id").export(model()).text)
    assert query("SELECT * FROM score_all('applicants')") == query("SELECT * FROM scores")


MONTHS = [f"2026-{month:02}-01" for month in range(1, 13)]


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_a_month_of_a_partitioned_table_is_read_alone(query: Query, make_exporter: Make) -> None:
    query("CREATE TABLE applicants (id BIGINT, day DATE, age FLOAT8, job TEXT) PARTITION BY RANGE (day)")
    for i, start in enumerate(MONTHS, 1):
        end = MONTHS[i] if i < 12 else "2027-01-01"
        query(f"CREATE TABLE month_{i} PARTITION OF applicants FOR VALUES FROM ('{start}') TO ('{end}')")
    query(
        "INSERT INTO applicants SELECT i, DATE '2026-01-01' + i % 365, i % 60, 'cook'"
        " FROM generate_series(1, 3650) AS r(i)"
    )
    query(make_exporter(form="view", name="scores", key="id", ids=["day"]).export(model()).text)
    month = "SELECT * FROM scores WHERE day >= DATE '2026-03-01' AND day < DATE '2026-04-01'"
    plan = "\n".join(row[0] for row in query(f"EXPLAIN {month}"))
    assert "month_3" in plan
    assert not [i for i in (1, 2, *range(4, 13)) if f"month_{i} " in plan]
    assert len(query(month)) == 310


@pytest.mark.parametrize("dialect", ["duckdb"], indirect=True)
def test_a_month_is_met_at_the_scan_of_duckdb(query: Query, make_exporter: Make) -> None:
    query(
        "CREATE TABLE applicants AS SELECT i AS id, DATE '2026-01-01' + CAST(i // 1000 AS INTEGER) AS day,"
        " CAST(i % 60 AS DOUBLE) AS age, 'cook' AS job FROM range(365000) r(i)"
    )
    query(make_exporter(form="view", name="scores", key="id", ids=["day"]).export(model()).text)
    month = "SELECT * FROM scores WHERE day >= DATE '2026-03-01' AND day < DATE '2026-04-01'"
    plan = "\n".join(str(cell) for row in query(f"EXPLAIN ANALYZE {month}") for cell in row)
    assert "(day >= '2026-03-01'::DATE) AND (day < '2026-04-01'::DATE)" in plan.split("Filters:")[1]
    assert "365,000" not in plan
    assert len(query(month)) == 31000


def test_what_cannot_be_called_is_refused() -> None:
    whole = model()
    with pytest.raises(UnsupportedModel, match="SQLite has nothing that is called with values"):
        SQLExporter(dialect="sqlite", form="function", name="f").export(whole)
    with pytest.raises(UnsupportedModel, match=r"PostgreSQL has no function that is called with a table.*LATERAL"):
        SQLExporter(dialect="postgres", form="set", name="f").export(whole)
    with pytest.raises(UnsupportedModel, match="ClickHouse has no such name of an argument; got 'my age'"):
        SQLExporter(dialect="clickhouse", form="function", name="f").export(card(ladder("my age", 1.0)))
    for dialect in CALLED:
        with pytest.raises(UnsupportedModel, match="would take the argument for a column"):
            SQLExporter(dialect=dialect, form="function", name="f").export(card(ladder("score", 1.0)))
        renamed = SQLExporter(dialect=dialect, form="function", name="f", columns={"score": "given"}, points=False)
        assert "given" in renamed.export(card(ladder("score", 1.0))).text
    with pytest.raises(InputError, match="carries no column through"):
        SQLExporter(form="function", name="f", key="id")
    with pytest.raises(InputError, match="new rows are told by a key"):
        SQLExporter(form="insert", name="f", new_only=True)
    with pytest.raises(InputError, match="a rising column is carried through"):
        SQLExporter(form="insert", name="f", key="id", new_only=True, rising="day")
    exporter = SQLExporter(form="insert", name="f", key="id")
    with pytest.raises(InputError, match="only what selects from a table is run here"):
        exporter.run(exporter.export(whole), {"age": [1.0], "job": ["cook"]})


def test_no_text_of_the_model_ends_a_function() -> None:
    hostile = card(categories("job", "$score$; DROP TABLE a; --", "$score_$"), ladder("age", 1.0, label="$score__$"))
    text = SQLExporter(dialect="postgres", form="function", name="f").export(hostile).text
    tag = text[text.index(" AS $") + 4 :].split("\n")[0]
    assert text.count(tag) == 2
    assert text.rstrip().endswith(f"{tag};")


@pytest.mark.parametrize("dialect", sorted(dialect.name for dialect in EMITTED))
def test_an_insert_is_written_for_every_dialect(dialect: str) -> None:
    exporter = SQLExporter(dialect=dialect, form="insert", name="scores", key="id", new_only=True)
    text = exporter.export(model()).text
    assert sqlglot.parse_one(text, dialect=DIALECTS[dialect].sqlglot).find(sqlglot.exp.Insert) is not None
    assert text.index("WITH\n") < text.index("INSERT INTO") if dialect == "tsql" else "INSERT INTO" in text
