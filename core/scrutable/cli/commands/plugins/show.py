"""`scrutable plugins show`: one component with its options, or a command."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli.component_descriptions import command_described, distribution, in_full, needs, options, spoken
from scrutable.cli.output import console, emit_json, heading, table
from scrutable.plugins.claims import Offer
from scrutable.plugins.component import Command
from scrutable.plugins.docstrings import about
from scrutable.plugins.registry import Listing, registry


def show(
    name: Annotated[str, typer.Argument(help="A component, for example scorecard.")],
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show what a component does, needs and takes; its code is imported for that.

    A command of the name is shown as its descriptor has it; --help behind the command says what it takes.

    Example: [bold]scrutable plugins show scorecard[/bold]
    """
    commands = [each for each in registry().commands() if each.is_called(name) or spoken(each) == name]
    components = [*registry().listings(), *registry().additions()]
    listings = [each for each in components if each.is_called(name)]
    if not commands and not listings:
        listings = registry().named(name)  # which says why there is none
    if as_json:
        others = {"commands": [command_described(each) for each in commands]} if commands else {}
        emit_json({"components": [in_full(listing) for listing in listings], **others})
        return
    for listing in listings:
        _show(listing)
    for command in commands:
        _show_command(command)


def _show_command(command: Offer[Command]) -> None:
    facts = [
        ("summary", command.descriptor.summary),
        ("plugin", f"{command.plugin}, {distribution(command)}"),
        ("code", command.descriptor.path),
    ]
    console().print(heading(f"command {spoken(command)}"))
    console().print(table(("what", "as its descriptor says"), facts, whole=(0,)))


def _show(listing: Listing) -> None:
    component = listing.component
    facts = [
        ("summary", component.summary),
        ("reference", component.reference),
        ("produces", ", ".join(component.produces)),
        ("accepts", ", ".join(component.accepts)),
        ("enforces", ", ".join(component.enforces)),
        ("engines", ", ".join(component.engines)),
        ("needs", needs(listing)),
        ("plugin", f"{listing.plugin}, {distribution(listing)}"),
        ("code", component.path),
    ]
    out = console()
    out.print(heading(f"{component.kind} {listing.name}"))
    out.print(table(("what", "as its descriptor says"), [fact for fact in facts if fact[1]], whole=(0,)))
    if not component.absent:
        for paragraph in about(component.load()):
            out.print(paragraph)
            out.print()
        rows = options(component)
        out.print(table(("option", "default", "meaning"), rows, whole=(0,)) if rows else "It has no options.")
