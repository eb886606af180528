"""Checks of the table: what is wrong with its columns and rows is told row by row, or stops the statement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlglot
from cards import card, categories, ladder

from scrutable.errors import UnsupportedModel
from scrutable.model import Attribute, Missing, Statistics
from scrutable_sql.dialects import DIALECTS, EMITTED
from scrutable_sql.exporter import SQLExporter

from .conftest import QUICK, Make, Query
from .models import whole_card

ENGINES = pytest.mark.parametrize("dialect", QUICK, indirect=True)
#: Types of doubles, of 32 bits and of texts.
TYPES = {
    "duckdb": ("DOUBLE", "FLOAT", "VARCHAR"),
    "sqlite": ("REAL", None, "TEXT"),
    "postgres": ("DOUBLE PRECISION", "REAL", "TEXT"),
    "mariadb": ("DOUBLE", "FLOAT", "VARCHAR(20)"),
    "mysql": ("DOUBLE", "FLOAT", "VARCHAR(20)"),
    "clickhouse": ("Nullable(Float64)", "Nullable(Float32)", "Nullable(String)"),
}


def watched() -> Any:
    """A card of two numbers, of which one range is recorded, and a text."""
    plain = card(ladder("age", 25.0, 40.5), ladder("it's income", 3.0), categories("job", "cook", "smith"))
    features = [replace(each, observed=(18, 75)) if each.name == "age" else each for each in plain.features]
    return replace(plain, features=tuple(features))


def loaded(query: Query, dialect: str, types: tuple[str, ...], *rows: str, names: tuple[str, ...] = ()) -> None:
    quote = "`" if dialect in ("mariadb", "mysql", "clickhouse") else '"'
    columns = (f"{quote}{name}{quote} {kind}" for name, kind in zip(names or NAMES, types, strict=True))
    query(f"CREATE TABLE applicants ({', '.join(columns)})")
    for row in rows:
        query(f"INSERT INTO applicants VALUES ({row})")


NAMES = ("age", "it's income", "job")


def files(make_exporter: Make, **options: Any) -> tuple[str, str]:
    made = make_exporter(**options).export(watched()).files
    return str(made["score_columns.sql"]), str(made["score_check.sql"])


@ENGINES
def test_a_table_as_the_model_knows_it_violates_nothing(query: Query, dialect: str, make_exporter: Make) -> None:
    number, _, text = TYPES[dialect]
    loaded(query, dialect, (number, number, text), "18, 1, 'cook'", "75, NULL, NULL", "NULL, 1e9, 'smith'")
    for statement in files(make_exporter):
        assert query(statement) == []


@ENGINES
def test_unusual_rows_are_counted_by_column(query: Query, dialect: str, make_exporter: Make) -> None:
    number, _, text = TYPES[dialect]
    rows = ("-5000, 1, 'cook'", "76, 1, 'PhD'", "75.5, 1, 'Cook'", "40, -1e9, 'cook'")
    loaded(query, dialect, (number, number, text), *rows)
    _, check = files(make_exporter)
    assert [row[:4] for row in query(check)] == [
        ("unseen category", "job", 2, "0"),
        ("number out of range", "age", 3, "0"),
    ]
    _, check = files(make_exporter, tolerated=0.5)
    assert [row[:4] for row in query(check)] == [("number out of range", "age", 3, "0.5 of the rows")]


def learned() -> Any:
    """The card, whose fit never lacked the age, and lacked incomes."""
    counts = {"age": 0.0, "it's income": 7.0}

    def counted(one: Attribute, count: float) -> Attribute:
        here = isinstance(one.condition, Missing)
        return replace(one, statistics=Statistics(good=count, bad=0.0, share=0.0, woe=0.0)) if here else one

    parts = [
        replace(each, attributes=tuple(counted(one, counts[each.feature]) for one in each.attributes))
        if each.feature in counts
        else each
        for each in watched().characteristics
    ]
    return replace(watched(), characteristics=tuple(parts))


@ENGINES
def test_what_is_missing_in_all_rows_or_never_was_in_the_fit_is_told(
    query: Query, dialect: str, make_exporter: Make
) -> None:
    def told(model: Any, **options: Any) -> list[Any]:
        return [row[:4] for row in query(str(make_exporter(**options).export(model).files["score_check.sql"]))]

    number, _, text = TYPES[dialect]
    loaded(query, dialect, (number, number, text))
    assert told(learned()) == [("the table has no rows", "approved", 0, "1 or more")], "which lack nothing"
    for row in ("NULL, NULL, NULL", "NULL, NULL, NULL"):
        query(f"INSERT INTO applicants VALUES ({row})")
    everywhere = [("missing, in all rows", name, 2, "not all rows") for name in NAMES]
    never = ("missing; never missing in the fit", "age", 2, "0")
    assert sorted(told(watched())) == sorted(everywhere)
    assert sorted(told(learned())) == sorted([*everywhere, never])
    query("INSERT INTO applicants VALUES (30, 1, 'cook')")
    assert told(watched()) == []
    assert told(learned()) == [never]
    assert told(learned(), tolerated=0.7) == []
    for row in ("30, NULL, 'cook'", "30, NULL, 'cook'"):
        query(f"INSERT INTO applicants VALUES ({row})")
    assert told(learned()) == [never]


@ENGINES
def test_missing_and_short_columns_are_named(query: Query, dialect: str, make_exporter: Make) -> None:
    _, short, text = TYPES[dialect]
    loaded(query, dialect, (short or text, text), names=("age", "JOB" if dialect == "duckdb" else "job"))
    told = query(files(make_exporter)[0])
    assert [row[1:3] for row in sorted(told, key=lambda row: row[1])] == [("age", 1), ("it's income", 1)]
    by_column = {row[1]: row[0] for row in told}
    assert by_column["it's income"] == "missing column"
    lost, kind = by_column["age"].split(": ")
    assert lost == ("type that loses digits" if short else "type that cannot be read")
    assert kind.lower().startswith((short or text).lower().split("(")[0])


@ENGINES
def test_a_text_where_a_number_belongs_is_named(query: Query, dialect: str, make_exporter: Make) -> None:
    number, _, text = TYPES[dialect]
    loaded(query, dialect, (text, number, number), "'19', 1, 2")
    told = query(files(make_exporter)[0])
    assert {(row[0].split(":")[0], row[1]) for row in told} == {
        ("type that cannot be read", "age"),
        ("type that cannot be read", "job"),
    }
    exporter = make_exporter(status=True)
    statement = exporter.export(watched())
    if dialect != "clickhouse":  # whose texts it converts where they are numbers
        status = query(statement.text)[0][list(statement.results or ()).index("status")]
        assert status == "not scored: age is not numeric"
    assert ("row without a score", "approved", 1) in [row[:3] for row in query(files(make_exporter)[1])]


@ENGINES
def test_a_violation_stops_the_statement(query: Query, dialect: str, make_exporter: Make) -> None:
    number, _, text = TYPES[dialect]
    loaded(query, dialect, (number, number, text), "18, 1, 'PhD'")
    if not DIALECTS[dialect].raising:
        with pytest.raises(UnsupportedModel, match="SQLite has no expression that stops a statement"):
            files(make_exporter, raising=True)
        return
    columns, check = files(make_exporter, raising=True)
    alone = make_exporter(raising=True).export(card(ladder("age", 25.0))).files
    for statement in (columns, str(alone["score_columns.sql"]), str(alone["score_check.sql"])):
        assert query(statement) == []
    told = "more than 1 row" if dialect in ("mariadb", "mysql") else "check failed: unseen category, column job: 1"
    with pytest.raises(Exception, match=told):
        query(check)


@pytest.mark.parametrize("dialect", sorted(dialect.name for dialect in EMITTED))
def test_they_are_written_for_every_dialect(dialect: str) -> None:
    made = SQLExporter(dialect=dialect, table=("Risk", "a'b") if dialect != "bigquery" else ("Risk", "ab")).export(
        card(ladder("age", 25.0))
    )
    target = DIALECTS[dialect]
    assert ("score_columns.sql" in made.files) == (target.catalogue is not None)
    for name in set(made.files) - {"score.sql"}:
        assert sqlglot.parse_one(str(made.files[name]), dialect=target.sqlglot) is not None


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres"], indirect=True)
def test_hostile_names_and_texts_are_quoted(query: Query, dialect: str, make_exporter: Make) -> None:
    table, age = "a\"b'; DROP TABLE c; --", "it's; DROP TABLE c; --"
    made = make_exporter(table=table, columns={"age": age}, raising=dialect != "sqlite").export(whole_card()).files
    number, _, text = TYPES[dialect]
    quoted = table.replace('"', '""')
    query(f'CREATE TABLE "{quoted}" ("{age}" {number}, "debt {{{{ 1 }}}}" {number}, job {text})')
    query("CREATE TABLE c (x INTEGER)")
    query(f"""INSERT INTO "{quoted}" VALUES (30, 1, 'cook')""")
    for name in ("score_check.sql", "score_columns.sql"):
        assert query(str(made[name])) == []
    assert query("SELECT * FROM c") == []
    query(f'DELETE FROM "{quoted}"')
    query(f'INSERT INTO "{quoted}" VALUES (30, NULL, NULL)')
    if dialect == "sqlite":
        told = {row[:2] for row in query(str(made["score_check.sql"]))}
        assert told == {("missing, in all rows", "debt {{ 1 }}"), ("missing, in all rows", "job")}
    else:
        with pytest.raises(Exception, match="check failed: missing, in all rows, column"):
            query(str(made["score_check.sql"]))


def test_only_where_they_are_asked_for() -> None:
    assert list(SQLExporter(checks=False).export(watched()).files) == ["score.sql"]
    assert list(SQLExporter().export(card()).files) == ["score.sql"]
