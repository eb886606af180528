"""The graph, run in onnxruntime, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn import KINDS, drawn

from scrutable.model import Model
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_onnx.exporter import ONNXExporter


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


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_every_kind(kind: str) -> None:
    for model in drawn(kind):
        check(model)
