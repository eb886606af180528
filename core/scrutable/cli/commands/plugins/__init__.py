"""`scrutable plugins`: what is installed here, what it can do, and whether it keeps the contract."""

from __future__ import annotations

from typing import Annotated

import typer

plugins = typer.Typer(
    help="Binners, learners, constraints, explainers and exporters: list, show and check them.\n\n"
    "Without a command it lists them.\n\n"
    "Examples: [bold]scrutable plugins list[/bold], [bold]scrutable plugins show scorecard[/bold], "
    "[bold]scrutable plugins check scorecard[/bold]",
    rich_markup_mode="rich",
)


@plugins.callback(invoke_without_command=True)
def _without_a_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Write the list as JSON.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        from scrutable.cli.commands.plugins.listing import list_plugins

        list_plugins(as_json=as_json)
