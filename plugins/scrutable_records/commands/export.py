"""`scrutable archive export`: rows for a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import console, emit_json, working
from scrutable.cli.options import Overwrite
from scrutable_records.commands.options import ArchiveFolder, AsJson


def export(
    archive: ArchiveFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="A .parquet or .csv file to write.")],
    after: Annotated[int, typer.Option(min=0, help="The last record that the table has already.")] = 0,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write records as rows for a table of a database.

    `scrutable archive table` prints the statement that makes it. Texts that CSV cannot hold exactly, or that a
    spreadsheet takes for a formula, are refused in CSV.

    Examples: [bold]scrutable archive export decisions/ --after 1000000 -o new.parquet[/bold]
    """
    from scrutable_records import StoredRecords, write_rows_of

    with working(f"Writing {output}"):
        done = write_rows_of(StoredRecords(archive), output, after=after, overwrite=overwrite)
    if as_json:
        emit_json({**done.to_dict(), "written": str(output)})
    else:
        console().print(f"{done.records:,} records; wrote {output}", soft_wrap=True)
