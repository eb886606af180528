"""`scrutable combine`: models of segments as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import console, emit_json, note, parse_features
from scrutable.cli.options import OUTPUT, AsJson, Overwrite, ReadByConditions
from scrutable.plugins import parse_names
from scrutable.writing import check_targets, write_all

if TYPE_CHECKING:
    from scrutable_segmented.combined import Combined


def combine(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="SEGMENT=MODEL", help="A segment's name and model file, in the order of the conditions."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file.", rich_help_panel=OUTPUT)],
    when: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEGMENT=CONDITION", help="Who belongs to a segment; the last one takes everybody else. Repeatable."
        ),
    ] = None,
    feature: ReadByConditions = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Put models together: each applicant gets the model of the first segment whose condition holds.

    Conditions are tests such as accounts < 3, purpose in ["car", "home"] or accounts is missing, with `and` between
    them; tests of one feature also with `or`. Cutoffs, knock-outs and reasons stay those of each model. What is written
    is one model for all other commands.

    Example: [bold]scrutable combine "thin file=thin.json" "thick file=thick.json" --when "thin file=accounts < 3 or
    missing" -o model.json[/bold]
    """
    pairs = parse_names(models, "models", "SEGMENT=MODEL", once="the segment")
    conditions = parse_names(when or (), "--when", "SEGMENT=CONDITION", once="the segment")
    files = {name: Path(path) for name, path in pairs.items()}
    check_targets([output], inputs=files.values(), overwrite=overwrite)
    from scrutable.cli import read_model
    from scrutable.model import dumps
    from scrutable_segmented.combined import Combined

    parts = {name: read_model(path) for name, path in files.items()}
    combined = Combined.of(parts, conditions, features=parse_features(feature))
    write_all({str(output): dumps(combined.model)}, overwrite=overwrite)
    if as_json:
        emit_json({**combined.to_dict(), "written": [str(output)]})
    else:
        _show(combined, output)


def _show(combined: Combined, output: Path) -> None:
    from scrutable.model import routing_in_words

    for line in routing_in_words(combined.model):
        console().print(line)
    console().print(f"wrote {output}", soft_wrap=True)
    for name, codes in combined.renamed.items():
        told = ", ".join(f"{old} is now {new}" for old, new in codes.items())
        note(f"reason codes of segment {name!r} were numbered anew, since they clashed with another's: {told}")
