"""Scorecards for other people's engines: PMML 4.4 with reason codes, and a SAS DATA step."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporters `pmml` and `sas`."""
    return [
        Component(
            name="pmml",
            kind="exporter",
            path="scrutable_interchange.pmml.exporter:PMMLExporter",
            summary="A PMML 4.4 Scorecard with score, decision, probability and reason codes",
            reference="Data Mining Group, PMML 4.4, element Scorecard",
            accepts=("scorecard",),
            produces=("pmml",),
            engines=("jpmml",),
        ),
        Component(
            name="sas",
            kind="exporter",
            path="scrutable_interchange.sas.exporter:SASExporter",
            summary="A SAS DATA step that scores a table; the file is proven in no SAS",
            reference="SAS 9.4 Language Reference: Concepts; IEEE 754-2019 for the doubles",
            accepts=("scorecard",),
            produces=("sas",),
        ),
    ]
