"""The graph, run in onnxruntime, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
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
from scrutable_onnx.exporter import ONNXExporter

SETTINGS = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def check(model: Model, rows: pd.DataFrame | None = None, **options: Any) -> None:
    """Same columns in the same order and of the same types, same values, and the same signs of zero."""
    # a name of its own for every input, since the strategies name features like outputs, too
    exporter = ONNXExporter(columns={feature.name: f"column {feature.name}" for feature in model.features}, **options)
    rows = edge_rows(model, n_random=20) if rows is None else rows
    ours = evaluate(model, rows).frame()
    theirs = exporter.run(exporter.export(model), rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}
    for name, values in ours.items():
        assert values.dtype == theirs[name].dtype, name
        assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name


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
