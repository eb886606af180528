"""Models as JSON with its schema, for programs that read the model themselves."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `json`."""
    return [
        Component(
            name="json",
            kind="exporter",
            path="scrutable_json.exporter:JSONExporter",
            summary="The model file and its JSON Schema",
            reference="RFC 8259 (JSON); JSON Schema, draft 2020-12",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("json",),
        )
    ]
