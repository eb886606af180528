"""`scrutable archive amend`: notices and manual decisions that came after the records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import read_data, reads_data
from scrutable.errors import InputError
from scrutable_records.commands.options import (
    ArchiveFolder,
    AsJson,
    At,
    ManualBy,
    ManualDecision,
    ManualReason,
    NoticeColumn,
    TimeColumn,
    tell,
)

#: A number that 64 bits hold, as every number of a record is.
_NUMBER = re.compile("[0-9]{1,18}")


@reads_data
def amend(
    archive: ArchiveFolder,
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file, a row for each record to add to.")],
    record: Annotated[str, typer.Option("--record", help="Column of the numbers of these records.")],
    time: TimeColumn = None,
    at: At = None,
    notice: NoticeColumn = None,
    manual_decision: ManualDecision = None,
    manual_by: ManualBy = None,
    manual_reason: ManualReason = None,
    as_json: AsJson = False,
) -> None:
    """Add to earlier records what came later: notices that were sent, and manual decisions.

    The earlier records stay as they are; each addition is a record of its own that names the one that it is about.

    Examples:

    [bold]scrutable archive amend decisions/ sent.csv --record record --notice letter[/bold]
    """
    from scrutable_records import Archive, Said

    said = Said(
        time=time,
        now=at,
        notice=notice,
        manual_decision=manual_decision,
        manual_by=manual_by,
        manual_reason=manual_reason,
    )
    rows = read_data(data, text={*said.texts, record})
    if record not in rows:
        fix = "name the column of the numbers"
        raise InputError("missing column", where=f"--record, file {str(data)!r}", got=record, fix=fix)
    texts = [str(text) for text in rows[record]]
    wrong = next((row for row, text in enumerate(texts, 1) if not _NUMBER.fullmatch(text)), None)
    if wrong is not None:
        where = f"column {record!r}, row {wrong:,}"
        raise InputError("not the number of a record", where=where, allowed="a whole number from 1", fix="mend it")
    added = Archive(archive).amend([int(text) for text in texts], rows, said)
    count = added.head.record - added.first + 1
    tell(added.to_dict(), f"{count:,} records added, {added.first:,} to {added.head.record:,}", as_json)
