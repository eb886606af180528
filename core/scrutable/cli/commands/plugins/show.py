"""`scrutable plugins show`: one component with its options."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli.described import distribution, in_full, needs, options
from scrutable.cli.docstrings import about
from scrutable.cli.output import console, emit_json, heading, table
from scrutable.registry import Listing, registry


def show(
    name: Annotated[str, typer.Argument(help="A component, for example scorecard.")],
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show what a component does, needs and takes; its code is imported for that.

    Example: [bold]scrutable plugins show scorecard[/bold]
    """
    listings = registry().named(name)
    if as_json:
        emit_json({"components": [in_full(listing) for listing in listings]})
        return
    for listing in listings:
        _show(listing)


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
        its = options(component)
        out.print(table(("option", "default", "meaning"), its, whole=(0,)) if its else "It has no options.")
