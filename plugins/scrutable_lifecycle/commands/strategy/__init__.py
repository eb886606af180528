"""`scrutable strategy`: what a score is used for."""

from __future__ import annotations

import typer

strategy = typer.Typer(
    help="Score bands and gains, a cutoff, the swap set against the champion, the effect of rounding.\n\n"
    "All of them count applicants of a file, overall and by protected group, with sample weights if there are any. "
    "Rows without an outcome are counted as unknown, never as bad.\n\n"
    "Examples: [bold]scrutable strategy bands model.json loans.csv --target paid[/bold], "
    "[bold]scrutable strategy swap champion.json challenger.json loans.csv --target paid[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=True,
)
