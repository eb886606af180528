"""The text, run in real engines, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import sqlglot
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scrutable.bases import Export
from scrutable.model import RuleSet, Scorecard, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.testing.edge_rows import edge_rows
from scrutable.testing.strategies import rule_sets, scorecards, tree_ensembles
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter

Make = Callable[..., SQLExporter]
SETTINGS = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


#: A column's type, and the types of integers, doubles and texts.
TYPES = {
    "sqlite": ("typeof({})", {"i": {"integer"}, "f": {"real"}, "O": {"text", "null"}}),
    "duckdb": ("typeof({})", {"i": {"INTEGER"}, "f": {"DOUBLE"}, "O": {"VARCHAR"}}),
    "postgres": ("pg_typeof({})", {"i": {"integer"}, "f": {"double precision"}, "O": {"text"}}),
}


def check(model: Scorecard | RuleSet | TreeEnsemble, make_exporter: Make, **options: Any) -> None:
    """Same columns in the same order, same values and signs of zero, and a text that sqlglot can read back."""
    hidden = ("rowid", "oid", "_rowid_")
    columns = {f.name: f"column {f.name}" for f in model.features if f.name.casefold() in hidden}
    exporter = make_exporter(columns=columns, **options)
    rows = edge_rows(model, n_random=20)
    ours = evaluate(model, rows).frame()
    export = exporter.export(model)
    theirs = exporter.run(export, rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}, export.text
    for name, values in ours.items():
        assert values.dtype == theirs[name].dtype
        assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name
    assert sqlglot.parse_one(export.text, dialect=exporter.dialect) is not None
    if exporter.form == "select":
        check_types(ours, exporter, export, rows)


def check_types(ours: OutputFrame, exporter: SQLExporter, export: Export, rows: Any) -> None:
    """Scores, points and probabilities are doubles, decisions integers, and codes texts."""
    type_of, types = TYPES[exporter.dialect]
    quoted = [f'"{name}"' for name in (*exporter.ids, *(name.replace('"', '""') for name in ours))]
    found = [
        name if i < len(exporter.ids) else f"CAST({type_of.format(name)} AS TEXT)" for i, name in enumerate(quoted)
    ]
    text = f"SELECT {', '.join(found)} FROM ({export.text.rstrip().rstrip(';')}\n) AS results"
    names = tuple(f"reason_{i}" for i in range(len(ours)))  # which are read as texts
    settings = {**export.settings, "results": names}
    result = exporter.run(replace(export, files={"score.sql": text}, settings=settings), rows)
    for name, values in zip(ours, result.values(), strict=True):
        assert set(values) <= types[ours[name].dtype.kind], name


def representable(model: Scorecard | TreeEnsemble, dialect: str) -> bool:
    slope = model.calibration.slope
    return slope == 0 or slope >= DIALECTS[dialect].smallest_slope


@SETTINGS
@given(model=scorecards())
def test_scorecards(dialect: str, make_exporter: Make, model: Scorecard) -> None:
    assume(representable(model, dialect))
    check(model, make_exporter, ids=("an id",))


@SETTINGS
@given(model=rule_sets(2), form=st.sampled_from(["view", "table"]))
def test_rule_sets_of_two_classes(make_exporter: Make, model: RuleSet, form: str) -> None:
    check(model, make_exporter, form=form, name="results")


@SETTINGS
@given(model=rule_sets() | rule_sets(3))
def test_rule_sets(make_exporter: Make, model: RuleSet) -> None:
    check(model, make_exporter)


@SETTINGS
@given(model=tree_ensembles())
def test_tree_ensembles(dialect: str, make_exporter: Make, model: TreeEnsemble) -> None:
    assume(representable(model, dialect))
    check(model, make_exporter)
