"""`scrutable plugins list`: what is installed here, and what failed."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli.component_descriptions import command_described, described, needs, spoken, version
from scrutable.cli.output import console, emit_json, heading, note, table
from scrutable.cli.terminal import Terminal
from scrutable.plugins.claims import Offer
from scrutable.plugins.component import Command
from scrutable.plugins.registry import Failure, Listing, registry

#: A terminal narrower than this has no room for names that are never broken.
_NARROW = 70


def list_plugins(as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """List binners, learners, constraints, explainers and exporters, and plugins that failed.

    Importers, dialects of SQL and commands follow them. Everything is found by its package's entry point alone; nothing
    heavy is imported.

    Example: [bold]scrutable plugins list[/bold]
    """
    plugins = registry()
    if as_json:
        told = {"failures": plugins.failures, "deprecations": plugins.deprecations, "blocked": plugins.blocked}
        others = {key: [{"plugin": one.plugin, "reason": one.reason} for one in failed] for key, failed in told.items()}
        conflicts = [{"what": each.what, "name": each.name, "reason": each.reason} for each in plugins.conflicts]
        components = [described(each) for each in plugins.listings()]
        commands = [command_described(each) for each in plugins.commands()]
        additions = [described(each) for each in plugins.additions()]
        emit_json(
            {
                "components": components,
                **others,
                "conflicts": conflicts,
                "commands": commands,
                "additions": additions,
            }
        )
        return
    _show([*plugins.listings(), *plugins.additions()])
    _show_commands(plugins.commands())
    _show_failures(plugins.failures)
    for each in (*plugins.deprecations, *plugins.blocked):
        note(f"plugin {each.plugin}: {each.reason}")
    for conflict in plugins.conflicts:
        if conflict.owner is None:  # the others were warned of as plugins were loaded
            note(conflict.reason)


def _show(listings: list[Listing]) -> None:
    out = console()
    made = table(("component", "what it does", "extra", "plugin", "version"), (), whole=_whole(out, 0, 2, 3, 4))
    last = None
    for listing in listings:
        component = listing.component
        if component.kind != last:
            made.add_row(heading(f"{component.kind}s"))
            last = component.kind
        extra = f"{component.extra} {'missing' if component.absent else '✓'}" if component.requires else ""
        cells = (f"  {listing.name}", component.summary, extra, listing.plugin, version(listing))
        made.add_row(*cells)
    out.print(made)
    for listing in listings:
        if listing.component.absent:
            component = listing.component
            out.print(f"{component.kind} {listing.name} {needs(listing)}", soft_wrap=True)


def _show_commands(commands: list[Offer[Command]]) -> None:
    out = console()
    lines = [(spoken(each), each.descriptor.summary, each.plugin, version(each)) for each in commands]
    out.print(table(("command", "what it does", "plugin", "version"), lines, whole=_whole(out, 0, 2, 3)))


def _show_failures(failures: list[Failure]) -> None:
    if failures:
        lines = [(failure.plugin, failure.reason) for failure in failures]
        console().print(table(("plugin", "reason"), lines, title=f"Failed ({len(lines)})"))


def _whole(out: Terminal, *columns: int) -> tuple[int, ...]:
    """The columns that are never broken, where there is room for them."""
    return columns if out.width >= _NARROW else ()
