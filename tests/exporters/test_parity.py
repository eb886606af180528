"""Graphs and files of Python, run by themselves, equal the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import ast

import pytest
from drawn import KINDS, drawn
from same_results import check_same

from scrutable.proof.edges import edge_rows
from scrutable_onnx.exporter import ONNXExporter
from scrutable_python.exporter import PythonExporter


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_every_kind_of_model(kind: str) -> None:
    pytest.importorskip("onnxruntime")
    for model in drawn(kind):
        # a name of its own for every input, since the strategies name features like outputs, too
        exporter = ONNXExporter(columns={feature.name: f"column {feature.name}" for feature in model.features})
        rows = edge_rows(model, n_random=20)
        check_same(model, rows, exporter.run(exporter.export(model), rows))


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_every_kind_of_model(kind: str) -> None:
    """The text is ASCII that Python 3.8 parses, and takes all rows."""
    exporter = PythonExporter()
    for model in drawn(kind, 25):
        rows, export = edge_rows(model, n_random=20), exporter.export(model)
        check_same(model, rows, exporter.run(export, rows), told=export.text)
        assert export.text.isascii()
        ast.parse(export.text, feature_version=(3, 8))
        assert exporter.holds(export, rows).all()
