"""`scrutable dictionary`: a first data dictionary of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli.options import OUTPUT, AsJson, Data, Favourable, Overwrite
from scrutable.cli.output import console, emit, emit_json, working
from scrutable.cli.reading import reads_files, told
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole

_COMMENT = """Data dictionary of {name}. Roles and special codes are guessed, ranges are rounded:
look at each, add labels, units and reasons, and give it with --dictionary.
Roles: feature, outcome, protected, identifier, weight, date, ignore."""


@reads_files
def dictionary(
    data: Data,
    target: Annotated[str | None, typer.Option(help="Column of the outcome; guessed if not given.")] = None,
    favourable: Favourable = None,
    output: Annotated[Path | None, OUTPUT.option("--output", "-o", help="Dictionary: a file in .toml.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a first data dictionary: role, type, range, special codes of each column, to be corrected.

    Roles are guessed by names and values. Ranges and special codes tell of no few rows, and no value of a single person
    is written. Labels of Stata's and SAS's files are taken over.

    Examples:

    [bold]scrutable dictionary loans.csv -o loans.toml[/bold]

    [bold]scrutable dictionary loans.xlsx --sheet 2024 --target paid --favourable yes -o loans.toml[/bold]

    [bold]scrutable fit loans.csv --dictionary loans.toml -o model.json[/bold]
    """
    if favourable is not None and target is None:
        raise InputError("a class of no outcome", where="--favourable", got=favourable, fix="give --target, too")
    if output is not None:
        check_targets([output], inputs=[data], overwrite=overwrite)
    with working(f"Reading {data}"):
        from scrutable.plugins.guessed_dictionary import first_dictionary_and_notes

        first, notes = first_dictionary_and_notes(data, told(), target=target, favourable=favourable)
    text = first.text(_COMMENT.format(name=data.name), notes)
    if output is not None:
        write_whole(output, text, overwrite=overwrite)
    if as_json:
        emit_json({**first.to_dict(), "written": [] if output is None else [str(output)]})
    elif output is None:
        emit(text)
    else:
        for line in first.lines():
            console().print(line)
        if not first.having("outcome"):
            console().print('outcome: none was guessed; --target names it, or role = "outcome" in the file')
        console().print(f"wrote {output}", soft_wrap=True)
