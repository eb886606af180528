"""`scrutable archive erase`: what is personal, taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import working
from scrutable.errors import InputError
from scrutable.writing import read_text
from scrutable_records.commands.options import ArchiveFolder, AsJson, tell


def erase(
    archive: ArchiveFolder,
    by: Annotated[str, typer.Option(help="Who erases.")],
    why: Annotated[str, typer.Option(help="On what ground. It stays in the archive: name no person.")],
    record: Annotated[list[int] | None, typer.Option("--record", min=1, help="Number of a record. Repeatable.")] = None,
    identifier: Annotated[
        list[str] | None, typer.Option("--id", help="Your own name of a decision. Repeatable.")
    ] = None,
    ids: Annotated[Path | None, typer.Option("--ids", help="A text file of such names, one a line.")] = None,
    before: Annotated[
        str | None, typer.Option(help="Erase all records from before this date or time, where a term ends.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take what is personal out of some records, or of all before a date; their digests stay.

    Inputs, id, notice and the reason of a manual decision go, with those of later records that are about them. Score,
    decision and reasons stay, of nobody. A further record tells which records, who and why, so that a replay tells them
    as erased. Copies and backups of the archive are not reached.

    Examples:

    [bold]scrutable archive erase decisions/ --ids gone.txt --by 'records office' --why 'request 17'[/bold]

    [bold]scrutable archive erase decisions/ --before 2021-11-27 --by 'records office' --why 'term of 5 years'[/bold]
    """
    from scrutable_records import Archive, Which
    from scrutable_records import erase as take_out

    names = list(identifier or ())
    if ids is not None:
        names += [line for line in read_text(ids).split("\n") if line.rstrip("\r")]
    if before is not None and (names or record):
        raise InputError("records are chosen in two ways", where="--before", fix="erase by date in a run of its own")
    which = Which(records=tuple(record or ()), ids=tuple(name.rstrip("\r") for name in names), before=before)
    with working(f"Erasing in {archive}"):
        erased = take_out(Archive(archive), which, by=by, why=why)
    numbers = ", ".join(f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in erased.records)
    said = f"{erased.count:,} records erased: {numbers}" if erased.count else "no record to erase"
    if erased.unknown_ids:
        said += f"; {erased.unknown_ids:,} of the ids are no record's, or erased already"
    tell(erased.to_dict(), said, as_json)
