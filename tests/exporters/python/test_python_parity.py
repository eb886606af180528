"""The file, run in a Python of its own, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import ast

import numpy as np
from hypothesis import HealthCheck, given, settings

from scrutable.model import Model, RegressionScorecard, RuleSet, Scorecard, SegmentedModel, TreeEnsemble
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edge_rows import edge_rows
from scrutable.testing.strategies import (
    regression_scorecards,
    rule_sets,
    scorecards,
    segmented_models,
    tree_ensembles,
)
from scrutable_python.exporter import PythonExporter

EXPORTER = PythonExporter()
SETTINGS = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def check(model: Model) -> None:
    """Same columns in the same order, same values and signs of zero; the text is ASCII that Python 3.8 parses."""
    rows = edge_rows(model, n_random=20)
    ours = evaluate(model, rows).frame()
    export = EXPORTER.export(model)
    theirs = EXPORTER.run(export, rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}, export.text
    for name, values in ours.items():
        assert values.dtype == theirs[name].dtype
        assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name
    assert export.text.isascii()
    ast.parse(export.text, feature_version=(3, 8))
    assert EXPORTER.holds(export, rows).all()


@SETTINGS
@given(model=scorecards())
def test_scorecards(model: Scorecard) -> None:
    check(model)


@SETTINGS
@given(model=regression_scorecards())
def test_regression_scorecards(model: RegressionScorecard) -> None:
    check(model)


@SETTINGS
@given(model=rule_sets(2))
def test_rule_sets_of_two_classes(model: RuleSet) -> None:
    check(model)


@SETTINGS
@given(model=rule_sets() | rule_sets(3))
def test_rule_sets(model: RuleSet) -> None:
    check(model)


@SETTINGS
@given(model=tree_ensembles())
def test_tree_ensembles(model: TreeEnsemble) -> None:
    check(model)


@SETTINGS
@given(model=segmented_models())
def test_segmented_models(model: SegmentedModel) -> None:
    check(model)
