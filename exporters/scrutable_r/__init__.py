"""Models as R: one file of base R that scores a data.frame, or a package around it, proven equal to the evaluator."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `r`."""
    return [
        Component(
            name="r",
            kind="exporter",
            path="scrutable_r.exporter:RExporter",
            summary="One function of base R: score, probability, decision, points and reasons of a data.frame's rows",
            reference="R language definition; IEEE 754-2019 for the doubles",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("r",),
            engines=("rscript",),
        )
    ]
