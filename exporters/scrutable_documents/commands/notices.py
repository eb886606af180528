"""`scrutable notices`: adverse-action notices for the applicants that a model declines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable import registry
from scrutable.cli import (
    console,
    emit,
    emit_json,
    known,
    note,
    output_folder,
    read_data,
    read_model,
    reads_data,
    told,
    tracked,
    working,
)
from scrutable.cli.options import APPLICANTS, Part
from scrutable.errors import InputError, ScrutableError
from scrutable.proof import require_state
from scrutable.writing import check_targets, write_all
from scrutable_documents.law import REGULATION_B_READ, REGULATION_B_SINCE

if TYPE_CHECKING:
    from scrutable.model import Model
    from scrutable_documents.notices.exporter import Notices
    from scrutable_documents.notices.made_notices import MadeNotices
    from scrutable_documents.notices.written_notices import WrittenNotices

_INDEX = ("index.html", "index.csv")

_SHOWN = 5


def _print_example(wanted: bool) -> None:
    if wanted:
        emit(registry().load("exporter", "notices").example_files()["lender"])
        raise typer.Exit()


@reads_data
def notices(
    model: Annotated[Path, typer.Argument(help="A model file, with a reason policy.")],
    data: Annotated[Path, typer.Argument(help="A data file of applicants."), APPLICANTS],
    lender: Annotated[Path, typer.Option(help="A TOML file that says who sends the notices; see --example-lender.")],
    date: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Date of the notices.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Folder to write to.")],
    form: Annotated[
        list[str] | None, typer.Option("--format", help="html, pdf, docx, text or json. Repeatable; html if not given.")
    ] = None,
    identifier: Annotated[
        str | None,
        typer.Option("--id", help="Column to call applicants and their files by; rows are counted if not."),
        Part(name="id"),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Column of the applicants' names.")] = None,
    address: Annotated[list[str] | None, typer.Option(help="Column of the applicants' addresses. Repeatable.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the reasons, one that the model has translations in.")
    ] = None,
    templates: Annotated[
        Path | None, typer.Option(help="Folder of templates of your own: notice.html, index.html, style.css.")
    ] = None,
    paper: Annotated[str, typer.Option(help="letter or A4.")] = "letter",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that make PDF and DOCX files; one a processor if not given.")
    ] = None,
    draft: Annotated[
        bool,
        typer.Option("--draft", help="Make drafts that say so, even where texts of reasons are not fit to be sent."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
    example_lender: Annotated[
        bool, typer.Option("--example-lender", callback=_print_example, is_eager=True, help="Show a file for --lender.")
    ] = False,
) -> None:
    """A notice to each declined applicant: action taken, principal reasons, and the ECOA notice.

    Where the lender's file names a consumer reporting agency, a notice has what section 615(a) of the Fair Credit
    Reporting Act asks for, and where it describes a score, the score with its key factors. The folder gets a file for
    each notice and format, index.html and index.csv, or, where one notice would not be whole, nothing.

    Texts of reasons that are not fit to be sent are refused: names of columns, the same text for two codes, a
    prohibited basis; `scrutable reasons MODEL --check` lists them. --draft makes notices that say that they are drafts.

    The templates are a starting point and not legal advice. They follow Regulation B {read}; {since}. Check them
    against the law in force.

    Examples:

    [bold]scrutable notices --example-lender > lender.toml[/bold]

    [bold]scrutable notices model.json applicants.csv --lender lender.toml --date 2026-11-22 --id loan_id
    --name name --address address --format pdf --output notices[/bold]
    """
    inputs = [model, data, lender]
    folder = output_folder(output)
    check_targets([folder / each for each in _INDEX], inputs=inputs, overwrite=overwrite)
    with working(f"Reading {model}"):
        decider = read_model(model)
        if not draft:
            require_state(model, "notices")
    options = {
        "lender": lender,
        "date": date,
        "formats": tuple(form or ("html",)),
        "id": identifier,
        "name": name,
        "address": tuple(address or ()),
        "language": language,
        "templates": templates,
        "paper": paper,
        "workers": workers or os.cpu_count() or 1,
        "draft": draft,
        "dictionary": known(),
    }
    done = _in_blocks(decider, data, options, folder, inputs, overwrite, quiet=as_json)
    made, names = done or _at_once(decider, data, options, folder, inputs, overwrite, quiet=as_json)
    if as_json:
        emit_json({**made.to_dict(), "written": [str(folder / each) for each in names]})
        return
    said = f"{made.applicants:,} applicants, {made.notices:,} with a notice; wrote {folder / 'index.html'}"
    console().print(said, soft_wrap=True)
    note(
        "the templates are a starting point and not legal advice; they follow Regulation B "
        f"{REGULATION_B_READ}; {REGULATION_B_SINCE}"
    )


notices.__doc__ = (notices.__doc__ or "").format(read=REGULATION_B_READ, since=REGULATION_B_SINCE)


def _in_blocks(
    model: Model, data: Path, options: dict[str, Any], folder: Path, inputs: list[Path], overwrite: bool, *, quiet: bool
) -> tuple[WrittenNotices, Sequence[str]] | None:
    """Write the notices of a large file block by block; None where it is small, or has to be read whole."""
    from scrutable.data.frames import is_small

    if is_small(data):
        return None
    from scrutable_documents.notices.options import NoticeOptions
    from scrutable_documents.notices.written_notices import write_notices

    with suppress(ScrutableError):
        given = NoticeOptions(applicants=None, **options)
        progress = _as_they_come if quiet else partial(tracked, on="Making notices")
        done = write_notices(
            model, given, data, folder, told=told(), inputs=inputs, overwrite=overwrite, progress=progress
        )
        return None if done is None else (done, done.names)
    return None


def _at_once(
    model: Model, data: Path, options: dict[str, Any], folder: Path, inputs: list[Path], overwrite: bool, *, quiet: bool
) -> tuple[MadeNotices, Sequence[str]]:
    """Make the notices of all rows, and write them."""
    with working(f"Reading {data}"):
        named = [options["id"], options["name"], *options["address"]]
        texts = [each for each in named if each is not None]  # as they stand in the file, such as an id of 007
        applicants = read_data(data, model, text=texts)
    exporter: Notices = registry().create("exporter", "notices", applicants=applicants, **options)
    made = exporter.make(model, progress=None if quiet else _tracked)
    _refuse_others(folder, made.export.files)
    contents = made.export.placed(folder)
    check_targets(contents, inputs=inputs, overwrite=overwrite)
    with working(f"Writing {len(contents):,} files"):
        write_all(contents, overwrite=overwrite)
    return made, list(made.export.files)


def _as_they_come(blocks: Iterable[Any], _: int) -> Iterable[Any]:
    return blocks


def _tracked(notices: Iterable[Any], total: int) -> Iterable[Any]:
    return tracked(notices, total, "Making notices")


def _refuse_others(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder with notices that the new index would not name: somebody might send them with the others."""
    others = sorted({path.name for path in folder.glob("notice-*")} - set(names))
    if others:
        shown = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN:,} more" if len(others) > _SHOWN else "")
        raise InputError(
            "the folder holds notices that the new index would not name",
            where=f"folder {str(folder)!r}",
            got=shown,
            fix="remove them, or give another folder",
        )
