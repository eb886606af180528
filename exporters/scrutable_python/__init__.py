"""Models as one Python file that needs the standard library only, proven equal to the evaluator."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `python`."""
    return [
        Component(
            name="python",
            kind="exporter",
            path="scrutable_python.exporter:PythonExporter",
            summary="One Python file without dependencies: a function for a row, and a command for CSV files",
            reference="The Python Language Reference, 3.8; IEEE 754-2019 for the doubles; RFC 4180 for CSV",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("python",),
            engines=("python",),
        )
    ]
