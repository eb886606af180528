"""Every dialect, run or not: texts parse, quoting is read back, limits are refused."""

from __future__ import annotations

import math
import re
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pytest
import sqlglot
from cards import card, categories, ensemble, knocking_out, ladder, numbers, reason_policy, rule_set
from drawn import of_every_kind
from sqlglot import exp

from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import (
    Axis,
    Calibration,
    Categories,
    Clause,
    Feature,
    Interaction,
    Interval,
    Leaf,
    Missing,
    Rule,
    RuleSet,
    Split,
    TreeEnsemble,
)
from scrutable.testing.strategies import HOSTILE_NUMBERS, HOSTILE_TEXTS
from scrutable_sql.dialects import DIALECTS, EMITTED, PROVEN, Dialect
from scrutable_sql.exporter import ROW, SQLExporter
from scrutable_sql.quoting import is_plain, literal, name, number

ALL = pytest.mark.parametrize("d", DIALECTS.values(), ids=list(DIALECTS))
WRITTEN = pytest.mark.parametrize("d", EMITTED, ids=[d.name for d in EMITTED])
ODD = ("it's", "\\", "a\\'b", "a\\nb", "\n\r\t", "${v}", "$$", "", " ", "'", "''", "\\\\'", "%s", ":x", "?")
TEXTS = [*HOSTILE_TEXTS, *ODD]
CARD = card(
    ladder("age", 0.1, 25.5, 40.0),
    categories("job", "it's", "\\", "${v}", ""),
    policy=knocking_out("age", 18),
    label="a label",
)
REASONED = card(*CARD.characteristics, policy=knocking_out("age", 18), reasons=reason_policy(CARD))


def tree(depth: int) -> Split | Leaf:
    """A tree that asks for x at every level, and for y so that it is no ladder."""
    if depth == 0:
        return Leaf(1.0)
    clause = Clause("xy"[depth % 2], (Interval(upper=float(depth)),))
    return Split(clause, tree(depth - 1), Leaf(float(depth)))


def trees(depth: int) -> TreeEnsemble:
    features = numbers(*"xy")
    calibration = Calibration(slope=1)
    return ensemble(features=features, trees=(tree(depth),), calibration=calibration)


def value_of(node: exp.Expression) -> str:
    """The text that a literal, or pieces of one put together, stands for."""
    if isinstance(node, exp.Paren | exp.ToChar):
        return value_of(node.this)
    if isinstance(node, exp.DPipe | exp.Add):
        return value_of(node.left) + value_of(node.right)
    if isinstance(node, exp.Concat):
        return "".join(map(value_of, node.expressions))
    if isinstance(node, exp.Chr):
        return "".join(chr(int(code.this)) for code in node.expressions)
    if isinstance(node, exp.CodePointsToString):
        return "".join(chr(int(code.this)) for code in node.this.expressions)
    if isinstance(node, exp.Cast | exp.TryCast | exp.Unhex):
        return bytes.fromhex(node.this.this).decode()
    if isinstance(node, exp.Anonymous):
        return called(node.name, node.expressions[0])
    assert isinstance(node, exp.Literal | exp.National | exp.ByteString), repr(node)
    return str(node.this)


def called(function: str, argument: Any) -> str:
    """What functions of SQL Server, Oracle and Redshift return, which the parser does not know."""
    if function == "NCHAR":
        return chr(int(argument.this))
    if function == "UNISTR":
        return bytes.fromhex(argument.this.replace("\\", "")).decode("utf-16-be")
    assert function == "FROM_VARBYTE"
    return bytes.fromhex(argument.expressions[0].this).decode()


def parsed(text: str, d: Dialect) -> Any:
    (found,) = sqlglot.parse(text, dialect=d.sqlglot)
    return found


@ALL
def test_texts_are_read_back(d: Dialect) -> None:
    for text in TEXTS:
        written = literal(text, d)
        assert re.fullmatch("[ -~]+", written)
        found = value_of(parsed(f"SELECT {written}", d).selects[0])
        assert found.encode("utf-16", "surrogatepass").decode("utf-16") == text, text


@ALL
def test_names_are_read_back(d: Dialect) -> None:
    for text in [text for text in TEXTS if text.strip()]:
        written = name(text, d)
        assert is_plain(written) or d.letter is None
        if written.startswith("U&"):  # which the parser does not know: its escapes are those of a double backslash
            unescaped = re.sub(r"\\\\|\\\+([0-9a-f]{6})", lambda met: chr(int(met[1] or "5c", 16)), written[2:])
            assert unescaped == f'"{text.replace(chr(34), chr(34) * 2)}"'
        else:
            assert parsed(f"SELECT 1 AS {written}", d).selects[0].alias == text


def number_of(node: exp.Expression) -> float:
    """What a number as written stands for, worked out in doubles."""
    if isinstance(node, exp.Paren | exp.Cast):
        return number_of(node.this)
    if isinstance(node, exp.Neg):
        return -number_of(node.this)
    if isinstance(node, exp.Div):
        return number_of(node.left) / number_of(node.right)
    if isinstance(node, exp.Mul):
        return number_of(node.left) * number_of(node.right)
    assert isinstance(node, exp.Literal), repr(node)
    return float(node.this)


@ALL
def test_numbers_are_read_back_and_none_is_bare(d: Dialect) -> None:
    for value in (*filter(math.isfinite, HOSTILE_NUMBERS), 0.1, -5266.570398081853, 1e300, 2.0**-1000, 123456789012.5):
        if value == 0 or abs(value) >= d.smallest:
            for compared in (False, True):
                found = parsed(f"SELECT {number(value, d, compared=compared)}", d).selects[0]
                assert number_of(found) == value
    for value in (math.inf, -math.inf):
        if d.infinity is not None:
            assert not parsed(f"SELECT {number(value, d)} AS x", d).find(exp.Null)


@ALL
@pytest.mark.parametrize("form", ["select", "view"])
def test_texts_parse(d: Dialect, form: str) -> None:
    several = (CARD, REASONED, trees(3))
    for model in several:
        exporter = SQLExporter(dialect=d.name, form=form, name="scores" if form == "view" else None)
        text = exporter.export(model).text
        assert parsed(text, d) is not None
        assert "NaN" not in text.replace("CAST('NaN' AS", "")
        assert text == exporter.export(model).text
        assert ("not run by the project's tests" in text) == (not d.proven and not d.run_in)


@WRITTEN
def test_hostile_models_parse_or_are_refused(d: Dialect) -> None:
    for model in of_every_kind(2):
        with suppress(UnsupportedModel):
            assert parsed(SQLExporter(dialect=d.name, utf8_names=True).export(model).text, d) is not None


@ALL
def test_every_file_is_lines_of_printable_ascii(d: Dialect) -> None:
    words = [*TEXTS, "b\u00fcro", "\u4e0a", "\U0001f600", "a;\n-- b", "R&D"]
    hostile = card(categories("job", *dict.fromkeys(words)), label="B\u00fcro\r\n& ${x} $(y);")
    forms: list[dict[str, Any]] = [{}, {"form": "dbt", "name": "m"}, {"form": "view", "name": "v"}]
    for form in forms:
        for text in SQLExporter(dialect=d.name, test_rows=40, **form).export(hostile).files.values():
            assert re.fullmatch("[ -~\n]+", str(text))
    spelled = card(ladder("gr\u00f6\u00dfe", 1.0))
    if d.letter is None:
        with pytest.raises(UnsupportedModel, match=r"has no way to write this name in ASCII.*utf8_names=True"):
            SQLExporter(dialect=d.name).export(spelled)
        mapped = SQLExporter(dialect=d.name, columns={"gr\u00f6\u00dfe": "size"}, points=False)
        assert mapped.export(spelled).text.isascii()
        assert "gr\u00f6\u00dfe" in SQLExporter(dialect=d.name, utf8_names=True).export(spelled).text
    else:
        assert SQLExporter(dialect=d.name).export(spelled).text.isascii()


def test_what_a_dialect_is_not_run_on_is_said() -> None:
    assert [d.name for d in PROVEN if not d.proven] == []
    assert [d.name for d in EMITTED if d.proven] == []
    with pytest.raises(InputError, match="Snowflake needs a connection"):
        SQLExporter(dialect="snowflake").engine()
    with pytest.raises(PluginError, match="not installed"):
        SQLExporter.at("snowflake://user@account/db").engine()


def test_sql_server_nests_ten_cases() -> None:
    assert parsed(SQLExporter(dialect="tsql").export(trees(9)).text, DIALECTS["tsql"]) is not None
    with pytest.raises(UnsupportedModel, match=r"CASE nests deeper than SQL Server.*got 12; allowed: at most 10"):
        SQLExporter(dialect="tsql").export(trees(12))


def listed(n: int, kind: str = "numeric") -> RuleSet:
    values = tuple(float(i) for i in range(n)) if kind == "numeric" else tuple(str(i) for i in range(n))
    rules = tuple(
        Rule(when=(Clause("x", (Categories(values, negated),)),), outcome="good", weight=weight)
        for negated, weight in ((False, 1.0), (True, 2.0))
    )
    return rule_set(features=(Feature(name="x", kind=kind),), rules=rules, fallback=(Rule(when=(), outcome="bad"),))


def test_oracle_takes_a_thousand_values_in_a_list() -> None:
    found = parsed(SQLExporter(dialect="oracle").export(listed(2500)).text, DIALECTS["oracle"])
    lists = [len(node.expressions) for node in found.find_all(exp.In) if len(node.expressions) > 100]
    assert lists
    assert max(lists) == 1000
    assert sum(lists) % 2500 == 0


def test_what_a_column_cannot_hold_is_left_out_of_lists() -> None:
    infinite = rule_set(
        features=(Feature(name="x", kind="numeric"), Feature(name="job", kind="categorical")),
        rules=(
            Rule(when=(Clause("x", (Interval(lower=math.inf),)),), outcome="bad", weight=2),
            Rule(when=(Clause("job", (Categories(("", "a"), True),)),), outcome="bad", weight=4),
        ),
        fallback=(Rule(when=(), outcome="bad"),),
    )
    text = SQLExporter(dialect="mysql").export(infinite).text
    assert "1 = 0" in text
    assert "`x_job` NOT IN ('', 'a')" in text
    assert "\"x_job\" <> 'a'" in SQLExporter(dialect="oracle").export(infinite).text


def test_rows_that_an_engine_cannot_hold() -> None:
    rows = {"age": [1.0, math.inf, math.nan, 5.0], "job": ["a", "b", None, ""]}
    held = {}
    for dialect in ("duckdb", "mariadb", "tsql", "oracle"):
        exporter = SQLExporter(dialect=dialect)
        held[dialect] = exporter.holds(exporter.export(CARD), rows).tolist()
    assert held == {
        "duckdb": [True] * 4,
        "mariadb": [True, False, True, True],
        "tsql": [True, False, True, True],
        "oracle": [True, True, True, False],
    }


_HALVES = (Interval(upper=1.0), Interval(lower=1.0), Missing())
_TABLE = Interaction(
    rows=Axis(feature="age", conditions=_HALVES),
    columns=Axis(feature="debts", conditions=_HALVES),
    points=((1, 0, 0),) * 3,
    name="x" * 60,
)
TABLE = replace(card(ladder("age", 1.0), ladder("debts", 1.0)), interactions=(_TABLE,))
REFUSED: list[tuple[str, dict[str, Any], Any, str]] = [
    ("tsql", {"form": "table", "name": "t"}, CARD, "SQL Server has no CREATE TABLE AS"),
    ("tsql", {}, card(ladder("x", 1.5e-320)), "SQL Server has no such small numbers"),
    ("spark", {}, card(ladder("${v}", 1.0)), "characters that Spark SQL has in no name"),
    ("bigquery", {}, card(ladder("a.b", 1.0)), "characters that BigQuery has in no name"),
    ("oracle", {}, card(ladder('a"b', 1.0)), "characters that Oracle Database has in no name"),
    ("mariadb", {}, card(ladder("😀", 1.0)), "characters that MariaDB has in no name"),
    ("mysql", {}, card(ladder("x" * 60, 1.0)), "67 characters: a name too long for MySQL"),
    ("oracle", {}, card(ladder("é" * 62, 1.0)), "131 bytes: a name too long for Oracle.*the feature 'é+' a shorter"),
    ("mysql", {}, TABLE, "64 characters. Fix: give the interaction 'x+' a shorter name"),
    ("bigquery", {}, replace(TABLE, interactions=(replace(_TABLE, name="a.b"),)), "interaction 'a.b' another"),
    ("mysql", {"columns": {"age": "x" * 65}}, TABLE, "Fix: give the column 'x+' a shorter name"),
    ("mysql", {"table": "x" * 65}, TABLE, "Fix: give the table 'x+' a shorter name"),
]


@pytest.mark.parametrize(("dialect", "options", "model", "message"), REFUSED, ids=[row[3] for row in REFUSED])
def test_limits_are_refused(dialect: str, options: dict[str, Any], model: Any, message: str) -> None:
    with pytest.raises(UnsupportedModel, match=message):
        SQLExporter(dialect=dialect, **options).export(model)


ENGINES = {
    "duckdb": "duckdb",
    "sqlite:///file.db": "sqlite",
    "postgres": "postgres",
    "postgresql+psycopg2://host/db": "postgres",
    "mariadb+pymysql://host/db": "mariadb",
    "mysql://host/db": "mysql",
    "mssql+pyodbc://host/db": "tsql",
    "databricks://host": "databricks",
}


@pytest.mark.parametrize(("engine", "dialect"), ENGINES.items(), ids=list(ENGINES))
def test_engines_by_name_and_url(engine: str, dialect: str) -> None:
    exporter = SQLExporter.at(engine, points=False)
    assert (exporter.dialect, exporter.ids, exporter.points) == (
        dialect,
        () if dialect in ("duckdb", "sqlite", "postgres") else (ROW,),
        False,
    )
    assert exporter.url == (engine if ":" in engine else None)


def test_mistaken_engines_are_explained() -> None:
    with pytest.raises(InputError, match=r"unknown engine; got 'duckbd'.*did you mean 'duckdb'"):
        SQLExporter.at("duckbd")
    with pytest.raises(InputError, match=r"the URL is not of MariaDB; got 'postgresql'; allowed: mariadb"):
        SQLExporter(dialect="mariadb", url="postgresql://host").engine()
    exporter = SQLExporter(dialect="mariadb", url="mariadb://host")
    export = exporter.export(CARD)
    with pytest.raises(InputError, match="row 0: a value that no column of MariaDB can hold"):
        exporter.run(export, {"age": [np.inf], "job": ["a"]})


@pytest.mark.parametrize(("engine", "connected"), [("sqlite", sqlite3.connect), ("duckdb", duckdb.connect)])
def test_a_file_is_left_as_it_was(engine: str, connected: Any, tmp_path: Any) -> None:
    path = tmp_path / "bank.db"
    with closing(connected(str(path))) as bank:
        bank.execute("CREATE TABLE loans (amount INTEGER)")
        bank.commit()
    for _ in range(2):
        for options in ({}, {"form": "table", "name": "scores"}):
            exporter = SQLExporter.at(f"{engine}:///{path}", **options)
            found = exporter.run(exporter.export(CARD), {"age": [10.0, 30.0], "job": ["\\", None]})
            assert found["score"].tolist() == [512, 515]
            assert exporter.engine().casefold().startswith(engine)
    with closing(connected(str(path))) as bank:
        tables = "SELECT name FROM sqlite_master" if engine == "sqlite" else "SELECT table_name FROM duckdb_tables()"
        assert bank.execute(tables).fetchall() == [("loans",)]


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_file_that_does_not_exist_is_refused_and_not_made(engine: str, tmp_path: Any) -> None:
    path = tmp_path / "banc.db"
    exporter = SQLExporter.at(f"{engine}:///{path}")
    with pytest.raises(InputError, match=r"option url: no such database file; got '.*banc.db'"):
        exporter.run(exporter.export(CARD), {"age": [10.0], "job": [None]})
    assert list(tmp_path.iterdir()) == []
