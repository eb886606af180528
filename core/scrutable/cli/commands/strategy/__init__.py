"""`scrutable strategy`: what a score is used for."""

from __future__ import annotations

import typer

from scrutable.cli.commands.strategy.bands import bands
from scrutable.cli.commands.strategy.cutoff import cutoff
from scrutable.cli.commands.strategy.rounding import rounding
from scrutable.cli.commands.strategy.swap import swap

strategy = typer.Typer(
    help="Score bands and gains, a cutoff, the swap set against the champion, the effect of rounding.\n\n"
    "All of them count applicants of a file, overall and by protected group, with sample weights if there are any. "
    "Rows without an outcome are counted as unknown, never as bad.\n\n"
    "Examples: [bold]scrutable strategy bands model.json loans.csv --target paid[/bold], "
    "[bold]scrutable strategy swap champion.json challenger.json loans.csv --target paid[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=True,
)
strategy.command("bands")(bands)
strategy.command("cutoff")(cutoff)
strategy.command("swap")(swap)
strategy.command("rounding")(rounding)
