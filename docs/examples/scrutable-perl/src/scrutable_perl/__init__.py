"""Models of every kind as a module of Perl."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `perl`."""
    return [
        Component(
            name="perl",
            kind="exporter",
            path="scrutable_perl.exporter:PerlExporter",
            summary="A module of Perl with a function for a row, that uses nothing but perl itself",
            reference="perlop and perldata of Perl 5.22; IEEE 754-2019 for the doubles",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=("perl",),
            engines=("perl",),
        )
    ]
