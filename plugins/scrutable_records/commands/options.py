"""Options that the commands of the archive share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scrutable.cli import console, emit_json

ArchiveFolder = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="The folder of the archive.")]
IdColumn = Annotated[str | None, typer.Option("--id", help="Column of your own names of the decisions.")]
TimeColumn = Annotated[
    str | None, typer.Option("--time", help="Column of the times, in ISO 8601; UTC where no zone is named.")
]
At = Annotated[str | None, typer.Option("--at", help="The time of all rows, where no column has it; now if not given.")]
NoticeColumn = Annotated[str | None, typer.Option("--notice", help="Column of what the notices are known by.")]
ManualDecision = Annotated[
    str | None,
    typer.Option("--manual-decision", help="Column of what a person decided instead, 1 or 0; empty where nobody did."),
]
ManualBy = Annotated[str | None, typer.Option("--manual-by", help="Column of who did.")]
ManualReason = Annotated[str | None, typer.Option("--manual-reason", help="Column of why.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def tell(done: dict[str, Any], said: str, as_json: bool) -> None:
    """Say what was done, and the head."""
    if as_json:
        emit_json(done)
        return
    console().print(said, soft_wrap=True)
    console().print(f"head {done['head']}", soft_wrap=True)
