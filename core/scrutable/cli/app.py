"""The application: what holds for all of its commands, which come by the hook `scrutable_commands`."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable import __version__
from scrutable.cli.guard import Guarded
from scrutable.cli.hooked import Hooked
from scrutable.data.masking import show_values


class _Shell(Guarded, Hooked):
    """All commands, guarded."""


app = typer.Typer(
    name="scrutable",
    cls=_Shell,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Credit models that a person can read, with bounded group disparity, true reasons and exact exports.",
    epilog="Exit codes: 0 done; 1 the work failed, or a check did; 2 bad input or usage; 128 and a signal's number: "
    "it stopped the command. "
    "Start with [bold]scrutable demo[/bold].",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scrutable {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def _everywhere(
    context: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error, and the values of rows that it is about.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    show_values(debug)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
