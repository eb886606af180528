"""The text, run in real engines, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import sqlglot
from cards import card, categories, ladder, reason_policy, rule_set
from drawn import drawn, spread
from same_results import check_same

from scrutable.model import Categories, Clause, Feature, Model, Rule, Scorecard, SegmentedModel, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.plugins.bases import Export
from scrutable.proof.edges import edge_rows
from scrutable_sql import quoting
from scrutable_sql.dialects import DIALECTS, Dialect
from scrutable_sql.engines.spark import Spark
from scrutable_sql.exporter import SQLExporter

from .conftest import Make

#: A query has its price: in seconds for Spark, which compiles each. `make fuzz` runs more of them.
EXAMPLES = {"sqlite": 15, "duckdb": 10, "postgres": 8, "mariadb": 6, "mysql": 6, "clickhouse": 3, "spark": 1}
#: A column's type, and the types of integers, doubles and texts.
TYPES = {
    "sqlite": ("typeof({})", {"i": {"integer"}, "f": {"real", "null"}, "O": {"text", "null"}}),
    "duckdb": ("typeof({})", {"i": {"INTEGER"}, "f": {"DOUBLE"}, "O": {"VARCHAR"}}),
    "postgres": ("pg_typeof({})", {"i": {"integer"}, "f": {"double precision"}, "O": {"text"}}),
    "mariadb": ("CASE WHEN COERCIBILITY({0}) < 5 THEN CHARSET({0}) ELSE 'number' END",
                {"i": {"number"}, "f": {"number"}, "O": {"utf8mb4"}}),
    "mysql": ("CASE WHEN COERCIBILITY({0}) < 5 THEN CHARSET({0}) ELSE 'number' END",
              {"i": {"number"}, "f": {"number"}, "O": {"utf8mb4"}}),
    "clickhouse": ("toTypeName({})",
                   {"i": {f"Nullable(UInt{n})" for n in (8, 16, 32)}, "f": {"Nullable(Float64)"},
                    "O": {"Nullable(String)"}}),
    "spark": ("typeof({})", {"i": {"int"}, "f": {"double"}, "O": {"string"}}),
}  # fmt: skip


def affordable(dialect: str, kind: str) -> list[Model]:
    """As many models of a kind as the dialect's engine can afford."""
    models = [model for model in drawn(kind) if representable(model, DIALECTS[dialect])]
    return spread(models, EXAMPLES[dialect])


def check(model: Model, make_exporter: Make, **options: Any) -> None:
    """Same columns in the same order, same values and signs of zero, and a text that sqlglot can read back."""
    hidden = ("rowid", "oid", "_rowid_")
    columns = {f.name: f"column {f.name}" for f in model.features if f.name.casefold() in hidden}
    exporter = make_exporter(columns=columns, **options)
    export = exporter.export(model)
    rows = edge_rows(model, n_random=20)
    rows = rows[exporter.holds(export, rows)]
    ours = check_same(model, rows, exporter.run(export, rows), told=export.text)
    text = export.text.replace('U&"', '"')  # which the parser does not know
    assert sqlglot.parse_one(text, dialect=exporter.target.sqlglot) is not None
    if exporter.form == "select":
        check_types(ours, exporter, export, rows)


def check_types(ours: OutputFrame, exporter: SQLExporter, export: Export, rows: Any) -> None:
    """Scores, points and probabilities are doubles, decisions integers, and codes texts."""
    type_of, types = TYPES[exporter.dialect]
    d = exporter.target
    found = [quoting.name(key, d) for key in exporter.ids]
    found += [f"CAST({type_of.format(quoting.name(key, d))} AS {d.text}) AS type_{i}" for i, key in enumerate(ours)]
    text = f"SELECT {', '.join(found)} FROM ({export.text.rstrip().rstrip(';')}\n) AS results"
    names = tuple(f"reason_{i}" for i in range(len(ours)))  # which are read as texts
    result = exporter.run(replace(export, files={"score.sql": text}, results=names), rows)
    for name, values in zip(ours, result.values(), strict=True):
        assert set(values) <= types[ours[name].dtype.kind], name


def representable(model: Model, d: Dialect) -> bool:
    """Whether the engine takes so small a slope and such names; that others are refused is tested elsewhere."""
    singles = [segment.model for segment in model.segments] if isinstance(model, SegmentedModel) else [model]
    slopes = [each.calibration.slope for each in singles if isinstance(each, Scorecard | TreeEnsemble)]
    names = [f"points_{feature.name}" for feature in model.features]
    lengths = [len(name.encode() if d.name_bytes else name) for name in names]
    return (
        all(slope == 0 or slope >= d.smallest_slope for slope in slopes)
        and not any(d.forbidden and re.search(d.forbidden, name) for name in names)
        and (d.max_name is None or max(lengths, default=0) <= d.max_name)
    )


@pytest.mark.parametrize("kind", ["scorecards", "regression scorecards"])
def test_scorecards(dialect: str, make_exporter: Make, kind: str) -> None:
    for model in affordable(dialect, kind):
        check(model, make_exporter, ids=("an id",))


@pytest.mark.parametrize("form", ["view", "table"])
def test_rule_sets_of_two_classes(dialect: str, make_exporter: Make, form: str) -> None:
    for model in affordable(dialect, "rule sets of two classes"):
        check(model, make_exporter, form=form, name="results")


@pytest.mark.parametrize("kind", ["rule sets", "tree ensembles"])
def test_rule_sets_and_tree_ensembles(dialect: str, make_exporter: Make, kind: str) -> None:
    for model in affordable(dialect, kind):
        check(model, make_exporter)


def test_the_sign_of_zero_does_not_matter_in_lists(make_exporter: Make) -> None:
    """Engines look values up in hash tables where lists are long."""
    feature = Feature(name="x", kind="numeric")
    for size in (2, 30):
        few, many = (Categories(tuple(float(i) for i in range(n))) for n in (size, 300))
        rules = (Rule(when=(Clause("x", (few,)),), outcome="good"), Rule(when=(Clause("x", (many,)),), outcome="bad"))
        fallback = (Rule(when=(), outcome="good", weight=3),)
        model = rule_set(features=(feature,), rules=rules, fallback=fallback)
        exporter = make_exporter()
        found = exporter.run(exporter.export(model), {"x": [0.0, -0.0, 1.0, 5e-324]})
        assert differences(evaluate(model, {"x": [0.0, -0.0, 1.0, 5e-324]}).frame(), found) == {}


@pytest.mark.parametrize("form", ["select", "table"])
def test_segmented_models(dialect: str, make_exporter: Make, form: str) -> None:
    """Models of all kinds in one, which share columns but not all special codes, points and numbers of reasons."""
    name = None if form == "select" else "results"
    for model in affordable(dialect, "segmented models"):
        check(model, make_exporter, form=form, name=name)


@pytest.mark.parametrize("dialect", ["spark"], indirect=True)
@pytest.mark.parametrize("setting", ["spark.sql.ansi.enabled", "spark.sql.codegen.wholeStage"])
@pytest.mark.parametrize("value", ["true", "false"])
def test_spark_under_either_setting(make_exporter: Make, setting: str, value: str) -> None:
    model = card(ladder("x", 0.1, 40.5), categories("job", "it's", "\\", "${v}", ""))
    model = card(*model.characteristics, reasons=reason_policy(model))
    session = Spark().session()
    before = session.conf.get(setting)
    session.conf.set(setting, value)
    try:
        check(model, make_exporter)
    finally:
        session.conf.set(setting, before)
