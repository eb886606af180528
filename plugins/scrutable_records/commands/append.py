"""`scrutable archive append`: records of the applicants of a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import read_model, reads_data, told, tracked, working
from scrutable.cli.options import ModelFile
from scrutable_records.commands.options import (
    ArchiveFolder,
    AsJson,
    At,
    IdColumn,
    ManualBy,
    ManualDecision,
    ManualReason,
    NoticeColumn,
    TimeColumn,
    tell,
)


@reads_data
def append(
    archive: ArchiveFolder,
    model: ModelFile,
    data: Annotated[Path, typer.Argument(help="A data file of applicants.")],
    identifier: IdColumn = None,
    time: TimeColumn = None,
    at: At = None,
    decided: Annotated[
        bool,
        typer.Option(
            "--decided",
            help="The file has the results as an engine gave them: score, approved (or decision), knock_out, reason_1 "
            "and so on.",
        ),
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", help="A result of the model that the file does not have, recorded as none; repeatable."
        ),
    ] = None,
    notice: NoticeColumn = None,
    manual_decision: ManualDecision = None,
    manual_by: ManualBy = None,
    manual_reason: ManualReason = None,
    as_json: AsJson = False,
) -> None:
    """Add a record of each applicant of a file: inputs as the model reads them, result and reasons.

    Doubles are kept to the bit, texts as they are. Without --decided the model decides now; with it, what production
    said is kept, and a replay tells whether it was right. Rows of a deployed view may say "approved" or "declined" in a
    column decision; where they have model_fingerprint, those of another model are refused.

    Examples:

    [bold]scrutable archive append decisions/ model.json applicants.parquet --id loan_id --time decided_at[/bold]

    [bold]scrutable archive append decisions/ model.json scored.csv --decided --id loan_id[/bold]
    """
    from scrutable_records import Archive, Said

    with working(f"Reading {model}"):
        decider = read_model(model)
    said = Said(
        id=identifier,
        time=time,
        now=at,
        decided=decided,
        without=tuple(without or ()),
        notice=notice,
        manual_decision=manual_decision,
        manual_by=manual_by,
        manual_reason=manual_reason,
    )
    progress = partial(tracked, on="Recording blocks of rows")
    added = Archive(archive).append_file(decider, data, said, told=told(), progress=progress)
    count = added.head.record - added.first + 1
    known = f"; {added.known_ids:,} of the ids were there already" if added.known_ids else ""
    tell(added.to_dict(), f"{count:,} records added, {added.first:,} to {added.head.record:,}{known}", as_json)
