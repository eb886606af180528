"""`scrutable plugins catalogue`: a page of every component, and how it keeps the contract."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli.output import emit
from scrutable.writing.files import check_targets, write_whole


def catalogue(
    results: Annotated[list[Path], typer.Argument(help="What `scrutable plugins check --output` wrote; several join.")],
    third_parties: Annotated[
        Path | None, typer.Option("--third-parties", help="A YAML file of distributions, with their homes.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A Markdown file; printed if left out.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
) -> None:
    """Write the catalogue: name, kind, summary, reference, version, maintainer, and the last run of the checks.

    Example: [bold]scrutable plugins catalogue docs/conformance/*.json -o docs/catalogue.md[/bold]
    """
    from scrutable.testing.catalogue import page, read_results, read_third_parties

    inputs = [*results, *([third_parties] if third_parties else [])]
    if output is not None:
        check_targets([output], inputs=inputs, overwrite=overwrite)
    homes = read_third_parties(third_parties) if third_parties else {}
    text = page(read_results(results), homes)
    if output is None:
        emit(text)
    else:
        write_whole(output, text, overwrite=overwrite)
