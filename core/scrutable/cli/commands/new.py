"""`scrutable new`: a plugin package to begin with."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from scrutable.cli.output import console, emit_json
from scrutable.plugins.component import KINDS, Kind


def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case words with hyphens, such as csv-table.")],
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Folder to make; scrutable-NAME here if not given.")
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who holds the copyright.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Write a plugin of your own: an installable package that works, and tests that hold it to the contract.

    The package scrutable_NAME holds a small real component to change into yours. The folder is written whole or not at
    all, and never over something that is there. Next to it stand pyproject.toml with the entry point, tests, README,
    a workflow for continuous integration, and the licence.

    Examples: [bold]scrutable new exporter csv-table[/bold],
    [bold]scrutable new learner risk-score --output work/risk-score --author "Jane Doe"[/bold]
    """
    from scrutable.testing.scaffold import Names, new_plugin

    names = Names(cast(Kind, kind), name)  # it refuses what is no kind
    made = new_plugin(names, folder=output, author=author)
    folder, files = str(made.folder), list(made.files)
    if as_json:
        emit_json({"folder": folder, "package": names.package, "distribution": names.distribution, "files": files})
        return
    out = console()
    out.print(f"Wrote {len(files)} files to {folder}:", soft_wrap=True)
    for each in files:
        out.print(f"  {each}", soft_wrap=True)
    out.print()
    out.print("In that folder:")
    for command in ('python -m pip install -e ".[dev]"', "python -m pytest", f"scrutable plugins check {name}"):
        out.print(f"  {command}", soft_wrap=True)
