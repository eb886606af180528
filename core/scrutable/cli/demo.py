"""`scrutable demo`: from real applications to two scorecards, SQL that gives the same scores, and reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli.output import console, emit_json, printable, working
from scrutable.errors import InputError


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")] = Path("scrutable-demo"),
    seed: Annotated[int, typer.Option(min=0, help="Seed of the split, the learners and the bootstrap.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """German credit, end to end, in under a minute.

    Learns a plain scorecard and one whose characteristics tell little about sex and age group, measures both on rows
    held out, writes the second as SQL, runs that in an embedded DuckDB, and compares with Python to the last bit.
    The folder gets model.json, plain.json, evidence.json, score.sql and demo.svg; these are replaced.

    Exit code 1 if any score, decision, reason or number of points differs.

    Examples: [bold]scrutable demo[/bold], [bold]scrutable demo --output /tmp/demo --json[/bold]
    """
    if output.exists() and not output.is_dir():
        raise InputError("is not a folder", where=f"--output {str(output)!r}", fix="give another path")
    with working("Importing the numeric libraries"):
        from scrutable.cli import demonstration, presentation
    shown = demonstration.run(seed, working)
    output.mkdir(parents=True, exist_ok=True)
    written = demonstration.write(shown, output)
    page = list(presentation.parts(shown))
    written.append(presentation.picture(page, output / "demo.svg"))
    if as_json:
        emit_json(demonstration.to_json(shown, written))
    else:
        out = console()
        for part in page:
            out.print(part)
        names = ", ".join(path.name for path in written)
        out.print(f"\nWrote to {printable(output)}, replacing what was there: {names}", soft_wrap=True)
    if not shown.parity.exact:
        raise typer.Exit(1)
