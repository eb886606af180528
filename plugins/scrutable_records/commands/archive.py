"""`scrutable archive`: decisions kept so that whoever changes one is found."""

from __future__ import annotations

import typer

archive = typer.Typer(
    help="An append-only archive of decisions: inputs, model, result and reasons of each, in a chain of digests.\n\n"
    "An archive is a folder of Parquet files and a manifest. `scrutable replay` checks it. The head, which append, "
    "amend, erase and head print, stands for all records so far: keep it where nobody can change both, since without "
    "it nobody can tell whether the last records were taken away.\n\n"
    "Examples: [bold]scrutable archive append decisions/ model.json applicants.csv --id loan_id[/bold], "
    "[bold]scrutable archive erase decisions/ --id L17 --by 'records office' --why 'request 17'[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=True,
)
