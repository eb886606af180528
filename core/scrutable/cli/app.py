"""The application: its commands, and what holds for all of them."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable import __version__
from scrutable.cli.commands.bins import bins
from scrutable.cli.commands.calibrate import calibrate
from scrutable.cli.commands.combine import combine
from scrutable.cli.commands.compare import compare
from scrutable.cli.commands.demo import demo
from scrutable.cli.commands.explain import explain
from scrutable.cli.commands.export import export
from scrutable.cli.commands.fit import fit
from scrutable.cli.commands.import_ import import_
from scrutable.cli.commands.monitor import monitor
from scrutable.cli.commands.new import new
from scrutable.cli.commands.notices import notices
from scrutable.cli.commands.plot import plot
from scrutable.cli.commands.plugins import plugins
from scrutable.cli.commands.reasons import reasons
from scrutable.cli.commands.report import report
from scrutable.cli.commands.rescale import rescale
from scrutable.cli.commands.review import review
from scrutable.cli.commands.score import score
from scrutable.cli.commands.search import search
from scrutable.cli.commands.show import show
from scrutable.cli.commands.strategy import strategy
from scrutable.cli.commands.validate import validate
from scrutable.cli.commands.verify import verify
from scrutable.cli.guard import Guarded
from scrutable.masking import show_values

app = typer.Typer(
    name="scrutable",
    cls=Guarded,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Credit models that a person can read, with bounded group disparity, true reasons and exact exports.",
    epilog="Exit codes: 0 done; 1 the work failed, or a check did; 2 bad input or usage; 128 and a signal's number: "
    "it stopped the command. "
    "Start with [bold]scrutable demo[/bold].",
)
app.command("demo")(demo)
app.command("fit")(fit)
app.command("import")(import_)
app.command("bins")(bins)
app.command("review")(review)
app.command("search")(search)
app.command("compare")(compare)
app.command("combine")(combine)
app.command("show")(show)
app.command("plot")(plot)
app.command("score")(score)
app.command("explain")(explain)
app.command("reasons")(reasons)
app.command("notices")(notices)
app.command("report")(report)
app.command("export")(export)
app.command("verify")(verify)
app.command("validate")(validate)
app.command("calibrate")(calibrate)
app.command("rescale")(rescale)
app.command("monitor")(monitor)
app.command("new")(new)
app.add_typer(strategy, name="strategy")
app.add_typer(plugins, name="plugins")


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
