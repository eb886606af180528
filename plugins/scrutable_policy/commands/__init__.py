"""`scrutable policy`: rules around the score."""

from __future__ import annotations

import typer

policy = typer.Typer(
    help="Rules around the score: add, list, test and remove knock-outs, score adjustments and overrides.\n\n"
    "A knock-out declines whatever the score, an adjustment adds points, an override decides in the place of the "
    "score. The model keeps who added or removed what, and why, and its fingerprint changes with them.\n\n"
    "Examples: [bold]scrutable policy add model.json --rules rules.toml -o ruled.json[/bold], "
    "[bold]scrutable policy test ruled.json loans.csv --target paid --protected sex[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=True,
)
