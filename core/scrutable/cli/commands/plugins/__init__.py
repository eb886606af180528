"""`scrutable plugins`: what is installed here, what it can do, and whether it keeps the contract."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli.commands.plugins.catalogue import catalogue
from scrutable.cli.commands.plugins.check import check
from scrutable.cli.commands.plugins.doctor import doctor
from scrutable.cli.commands.plugins.listing import list_plugins
from scrutable.cli.commands.plugins.show import show

plugins = typer.Typer(
    help="Binners, learners, constraints, explainers and exporters: list, show and check them.\n\n"
    "Without a command it lists them.\n\n"
    "Examples: [bold]scrutable plugins list[/bold], [bold]scrutable plugins show scorecard[/bold], "
    "[bold]scrutable plugins check scorecard[/bold]",
    rich_markup_mode="rich",
)
plugins.command("list")(list_plugins)
plugins.command("show")(show)
plugins.command("check")(check)
plugins.command("doctor")(doctor)
plugins.command("catalogue")(catalogue)


@plugins.callback(invoke_without_command=True)
def _without_a_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Write the list as JSON.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        list_plugins(as_json=as_json)
