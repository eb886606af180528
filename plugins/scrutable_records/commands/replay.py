"""`scrutable replay`: archived decisions made anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import console, emit_json, note, table, tracked, working
from scrutable_records.commands.options import AsJson

if TYPE_CHECKING:
    from scrutable_records import Replayed

#: Differences that a terminal shows.
_SHOWN = 20


def replay(
    archive: Annotated[Path, typer.Argument(help="The folder of an archive, or a file of rows of its table.")],
    models: Annotated[Path, typer.Option(help="Folder of the archived model files.")],
    head: Annotated[
        list[str] | None,
        typer.Option("--head", metavar="NUMBER:DIGEST", help="A head that was kept elsewhere. Repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check archived decisions against their digests and the models that made them, and name what differs.

    Every record has to fit its digest and follow the one before; every decision is made anew, from the inputs as they
    were received, by the model of its fingerprint, and score, decision, knock-out, grade and reasons have to be equal
    to the bit. Records whose erasure is told in the archive count as erased. Numbers of records are named, and nothing
    of a person.

    The chain finds what was altered, taken out or put in. That the last records are gone it shows only beside a --head
    that was kept elsewhere.

    Exit code 1 tells that something differs, or that a model is not there.

    Examples:

    [bold]scrutable replay decisions/ --models archive/models[/bold]

    [bold]scrutable replay rows.csv --models archive/models --head 1000000:5f0c… --json[/bold]
    """
    from scrutable_records import Head, StoredRecords, TableRows, read_models
    from scrutable_records import replay as made_anew

    heads = [Head.read(text) for text in head or ()]
    with working(f"Reading {models}"):
        deciders = read_models(models)
        rows = TableRows(archive) if archive.is_file() else StoredRecords(archive)
    done = made_anew(rows, deciders, heads=heads, progress=partial(tracked, on="Replaying blocks of records"))
    if as_json:
        emit_json(done.to_dict())
    else:
        _show(done, bool(heads))
    if not done.passed:
        raise typer.Exit(1)


def _show(done: Replayed, with_heads: bool) -> None:
    out = console()
    out.print(
        f"{done.records:,} records, {done.decisions:,} decisions: {done.verified:,} made anew alike, "
        f"{done.erased:,} records erased",
        soft_wrap=True,
    )
    if done.differences:
        rows = [[f"{each.first:,}", f"{each.last:,}", str(each).partition(": ")[2]] for each in done.differences]
        out.print(table(["from record", "to", "what differs"], rows[:_SHOWN], right=[0, 1]))
        if len(rows) > _SHOWN:
            out.print(f"{len(rows) - _SHOWN:,} more; --json names them all")
    for name, count in done.unknown.items():
        out.print(f"model {name} is not there: {count:,} decisions", soft_wrap=True)
    out.print(f"head {done.head}", soft_wrap=True)
    if not with_heads:
        note("without a --head that was kept elsewhere, nobody can tell whether the last records were taken away")
