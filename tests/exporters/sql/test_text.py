"""The text itself: hostile words, numbers, options, refusals, stability."""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlglot
from cards import card, categories, ensemble, knocking_out, ladder, reason_policy, rule_set

from scrutable.data.values import UNIT
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Calibration,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Outcome,
    Policy,
    Rule,
    Segment,
    SegmentedModel,
    Split,
    fingerprint,
)
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.plugins.registry import registry
from scrutable.testing.strategies import HOSTILE_NUMBERS, HOSTILE_TEXTS
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter
from scrutable_sql.quoting import comment, name, number

from .conftest import Make, Query

ATTACK = """x"; DROP TABLE victim; --'; DROP TABLE victim; /* \\"""


def test_hostile_names_execute_nothing(query: Query, dialect: str, make_exporter: Make) -> None:
    model = card(
        ladder(ATTACK, 1.0, label=ATTACK + "\n; DROP TABLE victim;\u2028DROP TABLE victim;\r"),
        categories(ATTACK + "*/", *(text for text in HOSTILE_TEXTS if text != ATTACK), ATTACK),
        label="*/ \n DROP TABLE victim; --",
        policy=knocking_out(ATTACK, 0, code=ATTACK, reason=ATTACK + "\n"),
    )
    table, view = ("applicants", "v") if dialect == "spark" else (ATTACK[:30], "v" + ATTACK[:30])
    exporter = make_exporter(table=table, ids=["i" + ATTACK], form="view", name=view)  # Spark's tables have plain names
    export = exporter.export(model)
    texts = [*HOSTILE_TEXTS, ATTACK, "unseen", None]
    rows = {ATTACK: [float(i % 4 - 1) for i in range(len(texts))], ATTACK + "*/": texts}
    assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}
    assert len(sqlglot.parse(export.text, dialect=exporter.target.sqlglot)) == 1
    query("CREATE TABLE victim (x INTEGER)")
    columns = ", ".join(f"{name(text, exporter.target)} VARCHAR(9)" for text in ("i" + ATTACK, *rows))
    query(f"CREATE TABLE {name(table, exporter.target)} ({columns})")
    query(export.text)
    assert query("SELECT COUNT(*) FROM victim") == [(0,)]


def test_words_change_nothing_but_comments(make_exporter: Make) -> None:
    hostile = "".join(HOSTILE_TEXTS) + "\x85\x0b\x0c\x1c\x1d\x1e\u2028\u2029\r SELECT 1; {{ 7*7 }} ${x}"
    plain, exporter = card(ladder("x", 1.0), policy=knocking_out("x", 18)), make_exporter()
    for cut in range(0, len(hostile), 40):
        words = hostile[cut : cut + 60] + "!"
        worded = card(ladder("x", 1.0, label=words), label=words, policy=knocking_out("x", 18, reason=words))
        trees = [
            sqlglot.parse_one(exporter.export(model).text, dialect=exporter.target.sqlglot) for model in (plain, worded)
        ]
        assert trees[0] == trees[1]


def test_words_are_never_read_as_a_template() -> None:
    text = SQLExporter().export(card(ladder("{{ 7*7 }}{% raw %}", 1.0, label="{{ 7*7 }}"))).text
    assert '"points_{{ 7*7 }}{% raw %}"' in text
    assert "49" not in text.replace(fingerprint(card(ladder("{{ 7*7 }}{% raw %}", 1.0, label="{{ 7*7 }}"))), "")


def test_comments_stay_on_their_line() -> None:
    everything = "".join(map(chr, range(0x3000))) + "\ufeff\U000e0001"
    for start in range(0, len(everything), 100):
        cleaned = comment(everything[start : start + 100])
        assert re.fullmatch("[ -~]+", cleaned)
        assert "&" not in cleaned
    assert comment("x" * 500) == "x" * 117 + "..."
    assert [comment(f"a{end}") for end in "\\-;"] == ["a\\x5c", "a\\x2d", "a\\x3b"]
    assert comment("$(v) ${v} $v") == "$ (v) $ {v} $v"


def test_doubles_are_read_back_to_the_last_bit(query: Query, dialect: str) -> None:
    chance = random.Random(0)
    drawn = [struct.unpack("<d", chance.randbytes(8))[0] for _ in range(1000)]
    subnormal = [chance.randrange(1, 2**52) * 5e-324 for _ in range(200)]
    fixed = [chance.randrange(-(2**50), 2**50) * 2.0**-30 for _ in range(1000)]
    tens = [float(f"{chance.randrange(10**17)}e{chance.randrange(-40, 20)}") for _ in range(1000)]
    usual = [round(chance.uniform(-1000, 1000), chance.randrange(4)) for _ in range(1000)]
    misread = [-5266.570398081853, -14.36821896738505, 60684192.45319077, -35.58507375665965]  # by SQLite 3.40
    values = [
        v + 0.0 for v in (*HOSTILE_NUMBERS, *misread, *drawn, *subnormal, *fixed, *tens, *usual) if not math.isnan(v)
    ]
    d = DIALECTS[dialect]
    values = [value for value in values if not 0 < abs(value) < d.smallest]
    values += [] if d.infinity is None else [math.inf, -math.inf]
    for compared in (False, True):
        for start in range(0, len(values), 500):
            some = values[start : start + 500]
            written = ", ".join(f"CAST({number(value, d, compared=compared)} AS {d.double})" for value in some)
            assert list(query(f"SELECT {written}")[0]) == some


def test_the_text_is_the_same_every_time_and_says_what_it_is(make_exporter: Make) -> None:
    model = card(ladder("age", 25.0, 40.5, label="a label"), categories("job", "cook"), policy=knocking_out("age", 18))
    text = make_exporter().export(model).text
    assert text == make_exporter().export(model).text
    header = "".join(line for line in text.splitlines(keepends=True) if line.startswith("-- "))
    for words in ("Scorecard", "favourable class 'good'", "at least 510.0", fingerprint(model)):
        assert words in header
    assert "40.5 THEN 10  -- a label\n" in text
    assert "THEN 'K1'  -- too young\n" in text


def test_the_heading_of_rules_says_in_words_how_votes_decide(make_exporter: Make) -> None:
    two = rule_set()
    first = "-- Votes decide: 'good' needs more votes than 'bad', a tie is 'bad'.\n"
    assert first in make_exporter().export(two).text
    assert f"-- Approved is 1 where the score is at least {UNIT!r}, the least difference, and no" in (
        make_exporter().export(two).text
    )
    text = make_exporter().export(replace(two, cutoff=0.5)).text
    assert "'good' needs at least 0.5 votes more than 'bad'" in text
    assert "-- Approved is 1 where the score is at least 0.5 and no knock-out applies.\n" in text
    three = Outcome(classes=("a", "b", "c"), favourable="a")
    many = rule_set(outcome=three, fallback=(Rule(when=(), outcome="b"),))
    assert (
        "the class with most votes wins, of equal ones the first of 'a', 'b', 'c'" in make_exporter().export(many).text
    )


@pytest.mark.parametrize("form", ["view", "table"])
def test_forms(form: str) -> None:
    text = SQLExporter(form=form, name="scores").export(card(ladder("x", 1.0))).text
    assert f'\nCREATE {form.upper()} "scores" AS\nWITH' in text
    assert next(iter(SQLExporter().export(card(ladder("x", 1.0))).files)) == "score.sql"


def test_fewer_columns_on_request(make_exporter: Make) -> None:
    model = card(ladder("age", 25.0), ladder("income", 10.0), policy=knocking_out("age", 18))
    model = card(*model.characteristics, policy=knocking_out("age", 18), reasons=reason_policy(model, k=4))
    rows = {"age": [17, 30, 20], "income": [5, 20, None]}
    whole = evaluate(model, rows).frame()
    assert whole["reason_1"].tolist() == ["K1", None, "R income"]
    for reasons, points in ((None, True), (2, False), (0, True), (1, True)):
        exporter = make_exporter(reasons=reasons, points=points)
        found = exporter.run(exporter.export(model), rows)
        wanted = [*list(whole)[:4], *(["points_age", "points_income"] if points else [])]
        numbers = range(1, 1 + (4 if reasons is None else reasons))
        assert list(found) == [*wanted, *(f"{what}_{i}" for what in ("reason", "short") for i in numbers)]
        assert set(differences(OutputFrame({key: whole[key] for key in found}), found)) <= {"probability"}


#: Rules that an engine plans within seconds: Spark compiles every statement.
MANY_RULES = dict.fromkeys(DIALECTS, 2000) | {"duckdb": 500, "clickhouse": 500, "spark": 100}


def test_thousands_of_rules_and_hundreds_of_trees(dialect: str, make_exporter: Make) -> None:
    chance = random.Random(0)
    features = tuple(Feature(name=f"f{i}", kind="numeric") for i in range(5))

    def clause() -> Clause:
        lower = chance.uniform(-2, 2)
        return Clause(chance.choice(features).name, (Interval(lower, lower + chance.uniform(0.1, 3)), Missing()))

    rules = [
        Rule(when=(clause(),), outcome=chance.choice(("bad", "good")), weight=chance.random())
        for _ in range(MANY_RULES[dialect])
    ]
    trees = [Split(clause(), Leaf(chance.gauss(0, 1)), Split(clause(), Leaf(0.5), Leaf(chance.gauss(0, 1))))
             for _ in range(MANY_RULES[dialect] // 5)]  # fmt: skip
    fallback = (Rule(when=(), outcome="bad"),)
    models = (
        rule_set(features=features, rules=tuple(rules), fallback=fallback),
        ensemble(features=features, trees=tuple(trees)),
    )
    rows = {f.name: [chance.choice([math.nan, chance.gauss(0, 2)]) for _ in range(40)] for f in features}
    exporter = make_exporter()
    exporter = replace(exporter, ids=() if exporter.target.in_order else ("row id",))  # which puts rows in order
    for model in models:
        assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_many_characteristics_and_reasons(make_exporter: Make) -> None:
    """More than one chunk of sums, ranks and carriers."""
    chance = random.Random(0)
    names = [f"f{i}" for i in range(60)]
    model = card(*(ladder(name, 0.0, 1.0) for name in names))
    policy = reason_policy(model, baseline=15, k=5)
    model = card(*model.characteristics, reasons=policy, policy=Policy())
    rows = {name: [chance.gauss(0, 1) for _ in range(30)] for name in names}
    exporter = make_exporter(points=False)
    found, wanted = exporter.run(exporter.export(model), rows), evaluate(model, rows).frame()
    kept = OutputFrame({key: wanted[key] for key in found})
    assert len(kept) == 14
    assert differences(kept, found) == {}


def test_found_by_name() -> None:
    component = registry().component("exporter", "sql")
    assert component.produces == tuple(DIALECTS)
    assert component.load() is SQLExporter


PLAIN = card(ladder("x", 1.0))
STEEP = Calibration(slope=1e300)
REFUSED = [
    (
        {},
        lambda: SegmentedModel(segments=(Segment(name="all", model=card(ladder("x", 1.0), calibration=STEEP)),)),
        "linear predictor could overflow",
    ),
    (
        {"dialect": "postgres", "points": False},
        lambda: SegmentedModel(segments=(Segment(name="all", model=card(ladder("x" * 62, 1.0))),)),
        "64 bytes: a name too long for PostgreSQL",
    ),
    (
        {"reasons": 3},
        lambda: SegmentedModel(segments=(Segment(name="all", model=PLAIN),)),
        "the model has no reason policy",
    ),
    ({}, lambda: card(ladder("Age", 1.0), ladder("age", 1.0)), r"nothing but case.*got \['Age', 'age'\]"),
    ({"columns": {"x": "Y"}}, lambda: card(ladder("x", 1.0), ladder("y", 1.0)), "columns of the table: names"),
    ({"ids": ["SCORE"]}, lambda: PLAIN, r"columns of the result.*'SCORE', 'score'"),
    ({"ids": ["n", "n"]}, lambda: PLAIN, "columns of the result"),
    ({"dialect": "postgres"}, lambda: card(ladder("é" * 29, 1.0)), "65 bytes: a name too long for PostgreSQL.* 63"),
    ({"dialect": "postgres", "table": "t" * 64}, lambda: PLAIN, "a name too long"),
    ({}, lambda: card(ladder("x", 1.0), calibration=Calibration(slope=1e300)), "linear predictor could overflow"),
    ({"dialect": "postgres"}, lambda: card(ladder("x", 1.0), calibration=Calibration(slope=5e-324)), "underflows"),
    ({"dialect": "sqlite"}, lambda: card(ladder("OID", 1.0)), "row number.*'OID'.*another name with columns="),
    ({"dialect": "sqlite", "columns": {"x": "_rowid_"}}, lambda: PLAIN, "its own row number"),
    ({"dialect": "duckdb", "columns": {"x": "RowID"}}, lambda: PLAIN, "its own row number"),
    ({"reasons": 3}, lambda: PLAIN, "the model has no reason policy"),
    (
        {"reasons": 3},
        lambda: card(ladder("x", 1.0), reasons=reason_policy(PLAIN, k=2)),
        "does not give so many reasons; got 3; allowed: 0 to 2",
    ),
    ({"dialect": "sqlite"}, lambda: card(*(ladder(f"f{i}", 1.0) for i in range(1000))), "more columns than the engine"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "model", "message"), REFUSED, ids=[str(row[2]) for row in REFUSED])
def test_what_cannot_be_reproduced_is_refused(options: dict[str, Any], model: Callable[[], Any], message: str) -> None:
    exporter = SQLExporter(**options)
    with pytest.raises(UnsupportedModel, match=message):
        exporter.export(model())


MISTAKEN = [
    ({"dialect": "duckdbb"}, "unknown dialect.*did you mean 'duckdb'"),
    ({"dialect": ["duckdb"]}, r"option dialect: not a value that.*\['duckdb'\]; allowed: a text.*dialect='duckdb'"),
    (
        {"form": "dbd"},
        "option form: not a value.*'dbd'; allowed: 'select', 'view', 'table', 'dbt', 'insert', 'function' or 'set'",
    ),
    ({"form": "dbt"}, "whatever is created or added to has a name"),
    ({"form": "dbt", "name": "../scores"}, "no name for a dbt model; got '../scores'.*name='scores'"),
    ({"form": "dbt", "name": ("a", "b")}, "no name for a dbt model"),
    ({"form": "dbt", "name": "s", "relation": "source"}, "a dbt source needs its own name.*'applicants'"),
    ({"relation": "model"}, "option relation: not a value"),
    ({"materialized": "snapshot"}, "option materialized: not a value"),
    ({"test_rows": -1}, "option test_rows: not a value"),
    ({"form": "view"}, "whatever is created or added to has a name"),
    ({"name": "v"}, "a select has none"),
    ({"reasons": -1}, "option reasons: not a value.*got -1; allowed: None, or an integer from 0"),
    ({"reasons": True}, "option reasons: not a value"),
    ({"ids": "customer"}, r"option ids.*got 'customer'; allowed: several names. Fix: for example ids=\['customer'\]"),
    ({"ids": (5,)}, r"option ids.*got \(5,\)"),
    ({"booleans": [None]}, "option booleans: not a value"),
    ({"table": ("a", "b", "c")}, "option table.*allowed: a name, or schema and name"),
    ({"table": 5}, "option table.*got 5"),
    ({"form": "view", "name": ("a", 5)}, "option name: not a value"),
    ({"columns": {"x": 5}}, "option columns.*got {'x': 5}; allowed: the name of a column by"),
    ({"columns": ["x"]}, r"option columns.*got \['x'\]"),
    ({"shortfalls": 1}, "option shortfalls: not a value.*got 1; allowed: True or False"),
    ({"points": "no"}, "option points.*got 'no'; allowed: True or False"),
    ({"url": 5}, "option url: not a value"),
    ({"columns": {"agee": "x"}}, "option columns: the model reads no such feature.*did you mean 'age'"),
    ({"booleans": ["job"]}, "booleans are numeric features"),
    ({"table": ""}, "not a name that a table or column can have"),
    ({"ids": ["a\0"]}, "not a name that a table or column can have"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKEN, ids=[row[1] for row in MISTAKEN])
def test_mistaken_options_are_explained(options: dict[str, Any], message: str) -> None:
    model = card(ladder("age", 1.0), categories("job", "cook"))
    with pytest.raises(InputError, match=message):
        SQLExporter(**options).export(model)


def test_passwords_are_not_shown() -> None:
    exporter = SQLExporter(dialect="postgres", url="postgresql://user:secret@host/db")
    assert "secret" not in repr(exporter)
    assert "secret" not in repr(exporter.export(card(ladder("x", 1.0))))
