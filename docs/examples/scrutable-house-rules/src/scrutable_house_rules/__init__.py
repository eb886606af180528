"""What one lender adds: a constraint with a bound of its own, an importer, a dialect of SQL and a command."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl

SCRUTABLE_HOOKS = 1


@hookimpl
def scrutable_constraints() -> list[Component]:
    """The constraint `priced-errors`, whose bounds are on a rate of its own definition."""
    return [
        Component(
            name="priced-errors",
            kind="constraint",
            path="scrutable_house_rules.priced_errors:PricedErrors",
            summary="Error rates that differ by a slack at most, where approving a bad payer counts several times",
            reference="Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17",
            produces=("priced-rate",),
        )
    ]


@hookimpl
def scrutable_importers() -> list[Component]:
    """The importer `house-card`."""
    return [
        Component(
            name="house-card",
            kind="importer",
            path="scrutable_house_rules.house_card:HouseCardImporter",
            summary="The house's own file of a scorecard, as JSON",
            produces=("scorecard",),
        )
    ]


@hookimpl
def scrutable_dialects() -> list[Component]:
    """The dialect of SQL of libSQL."""
    return [
        Component(name="libsql", kind="dialect", path="scrutable_house_rules.libsql:LIBSQL", summary="libSQL, a SQLite")
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """The command `scrutable score-range`."""
    return [
        Command(
            name="score-range",
            path="scrutable_house_rules.command:score_range",
            summary="Show the lowest and the highest score that a model gives.",
        )
    ]
