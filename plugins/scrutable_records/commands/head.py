"""`scrutable archive head`: what to keep elsewhere."""

from __future__ import annotations

from scrutable_records.commands.options import ArchiveFolder, AsJson, tell


def head(archive: ArchiveFolder, as_json: AsJson = False) -> None:
    """Print the number and the digest of the last record, to be kept elsewhere.

    Given to `scrutable replay --head` at any later time, it tells whether the records up to that number are still the
    same ones.

    Examples: [bold]scrutable archive head decisions/[/bold]
    """
    from scrutable_records import Archive

    last = Archive(archive).head
    tell({"records": last.record, "head": str(last)}, f"{last.record:,} records", as_json)
