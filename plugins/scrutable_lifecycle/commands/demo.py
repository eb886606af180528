"""`scrutable demo`: from real applications to two scorecards, SQL that gives the same scores, and reasons."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli import console, emit_json, output_folder, working
from scrutable.writing import check_targets, write_all

#: The files that it writes.
FILES = (
    "model.json",
    "plain.json",
    "evidence.json",
    "score.sql",
    "score_check.sql",
    "score_columns.sql",
    "certificate.html",
    "demo.svg",
)


def demo(
    output: Annotated[str, typer.Option("--output", "-o", help="Folder to write to.")] = "scrutable-demo",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the split, the learners and the bootstrap.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """German credit, end to end, in under a minute.

    Learns a plain scorecard, fitted as one problem as `scrutable fit` does, and one whose characteristics tell little
    about sex and age group, measures both on rows held out, writes the second as SQL, runs that in an embedded DuckDB,
    and compares with Python to the last bit. The folder gets model.json, plain.json, evidence.json, score.sql with its
    checks, certificate.html and demo.svg.

    Exit code 1 if any score, decision, reason or number of points differs.

    Examples: [bold]scrutable demo[/bold], [bold]scrutable demo --output results --overwrite --json[/bold]
    """
    folder = output_folder(output)
    check_targets([folder / name for name in FILES], overwrite=overwrite)
    with working("Importing the numeric libraries"):
        from scrutable_lifecycle.commands import demo_page
        from scrutable_lifecycle.demonstration import demonstrate
    shown = demonstrate(seed, working)
    parts = list(demo_page.parts(shown))
    made = shown.files() | {"demo.svg": demo_page.picture(parts)}
    contents = {str(folder / name): content for name, content in made.items()}
    write_all(contents, overwrite=overwrite)
    if as_json:
        emit_json({**shown.to_dict(), "written": list(contents)})
    else:
        out = console()
        for part in parts:
            out.print(part)
        out.print()
        out.print(f"Wrote to {folder}: {', '.join(FILES)}", soft_wrap=True)
    if not shown.certificate.passed:
        raise typer.Exit(1)
