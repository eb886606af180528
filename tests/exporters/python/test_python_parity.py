"""The file, run in a Python of its own, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from drawn import KINDS, drawn

from scrutable.model import Model
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_python.exporter import PythonExporter

EXPORTER = PythonExporter()


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


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_every_kind(kind: str) -> None:
    for model in drawn(kind, 25):
        check(model)
