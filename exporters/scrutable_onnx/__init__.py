"""Models as ONNX graphs in double precision, proven equal to the evaluator on onnxruntime."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `onnx`."""
    return [
        Component(
            name="onnx",
            kind="exporter",
            path="scrutable_onnx.exporter:ONNXExporter",
            summary="One ONNX graph in double precision: score, probability, decision, points and reasons",
            reference="ONNX operator sets 18 and ai.onnx.ml 3 (ONNX 1.13)",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("onnx",),
            extra="onnx",
            requires=("onnx",),
            engines=("onnxruntime",),
        )
    ]
