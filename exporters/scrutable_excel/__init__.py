"""Models as a workbook with live formulas, proven equal to the evaluator in LibreOffice."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `excel`."""
    return [
        Component(
            name="excel",
            kind="exporter",
            path="scrutable_excel.exporter:ExcelExporter",
            summary="A workbook that scores applicants with live formulas, looked up in the model's own tables",
            reference="ISO/IEC 29500 (Office Open XML)",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("xlsx",),
            engines=("libreoffice",),
            extra="excel",
            requires=("xlsxwriter",),
            known_failures={
                "what-runs-are-the-files": "a workbook holds its applicants, so run compares the file with what it "
                "writes of the model, and fills the rows into workbooks of the same formulas",
            },
        )
    ]
