"""The text, run in real engines, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

from collections.abc import Callable

import sqlglot
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scrutable.model import RuleSet, Scorecard, TreeEnsemble
from scrutable.model.evaluator import differences, evaluate
from scrutable.testing.edge_rows import edge_rows
from scrutable.testing.strategies import rule_sets, scorecards, tree_ensembles
from scrutable_sql.exporter import SQLExporter

Make = Callable[..., SQLExporter]
SETTINGS = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def check(model: Scorecard | RuleSet | TreeEnsemble, exporter: SQLExporter) -> None:
    """Same columns in the same order, same values, and a text that sqlglot can read back."""
    rows = edge_rows(model, n_random=20)
    ours = evaluate(model, rows).frame()
    export = exporter.export(model)
    theirs = exporter.run(export, rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}, export.text
    assert sqlglot.parse_one(export.text, dialect=exporter.dialect) is not None


def representable(model: Scorecard | TreeEnsemble, exporter: SQLExporter) -> bool:
    slope = model.calibration.slope
    return slope == 0 or slope >= exporter.engine.smallest_slope


@SETTINGS
@given(model=scorecards())
def test_scorecards(make_exporter: Make, model: Scorecard) -> None:
    exporter = make_exporter(ids=("an id",))
    assume(representable(model, exporter))
    check(model, exporter)


@SETTINGS
@given(model=rule_sets(2), form=st.sampled_from(["view", "table"]))
def test_rule_sets_of_two_classes(make_exporter: Make, model: RuleSet, form: str) -> None:
    check(model, make_exporter(form=form, name="results"))


@SETTINGS
@given(model=rule_sets() | rule_sets(3))
def test_rule_sets(make_exporter: Make, model: RuleSet) -> None:
    check(model, make_exporter())


@SETTINGS
@given(model=tree_ensembles())
def test_tree_ensembles(make_exporter: Make, model: TreeEnsemble) -> None:
    exporter = make_exporter()
    assume(representable(model, exporter))
    check(model, exporter)
