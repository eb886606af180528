"""`scrutable export`: a model for another engine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli.options import ModelFile
from scrutable.cli.output import console, emit, emit_json, note, working
from scrutable.cli.table_names import refuse_dotted, table_name
from scrutable.errors import InputError
from scrutable.plugins.choices import Choice, parse_names, parse_pairs
from scrutable.writing.files import check_targets, write_all

if TYPE_CHECKING:
    from scrutable.model import Model
    from scrutable.plugins.bases import Export


def export(
    model: ModelFile,
    to: Annotated[str, typer.Option("--to", help="An exporter's name, for example sql.")],
    output: Annotated[str, typer.Option("--output", "-o", help="A file, a folder, or - for standard output.")],
    dialect: Annotated[str | None, typer.Option(help="Dialect, for example duckdb, sqlite, postgres.")] = None,
    table: Annotated[str | None, typer.Option(help="Table to read: a name, or schema.name.")] = None,
    identifier: Annotated[list[str] | None, typer.Option("--id", help="Column to carry through. Repeatable.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="FEATURE=COLUMN", help="Column of a feature. Repeatable.")
    ] = None,
    reasons: Annotated[int | None, typer.Option(help="How many reasons to return; all if not given.")] = None,
    form: Annotated[str | None, typer.Option(help="select, view, table, insert, function, set or dbt.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of what is created, or schema.name.")] = None,
    key: Annotated[str | None, typer.Option(help="Column that tells the rows apart; carried through.")] = None,
    target_table: Annotated[str | None, typer.Option(help="Table to add to, or schema.name.")] = None,
    new_only: Annotated[bool, typer.Option("--new-only", help="Add rows whose key is not there yet.")] = False,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Further option; values are JSON or text.")
    ] = None,
    evidence: Annotated[Path | None, typer.Option(help="The model's evidence file.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Write a model as files that another engine runs with the same results.

    Examples:

    [bold]scrutable export model.json --to sql --dialect postgres --table risk.applicants -o score.sql[/bold]

    [bold]scrutable export model.json --to sql --form view --name scores -o - | duckdb loans.db[/bold]

    [bold]scrutable export model.json --to sql --key id --target-table scores --new-only -o new.sql[/bold]
    """
    if target_table is not None:
        _refuse_another(form, name)
        form, name = "insert", target_table
    named = {
        "dialect": dialect,
        "table": table_name(table),
        "ids": list(identifier) if identifier else None,
        "columns": dict(parse_names(column, "--column", once="the feature")) if column else None,
        "reasons": reasons,
        "form": form,
        "name": table_name(name),
        "key": key,
        "new_only": new_only or None,
    }
    options = {key: value for key, value in named.items() if value is not None}
    refuse_dotted(option or ())
    for key, value in parse_pairs(option or (), "--option").items():
        if key in options:
            raise InputError("the option is given twice", where="--option", got=key, fix="give it once")
        options[key] = value
    with working(f"Exporting {model}"):
        made = _export(model, evidence, Choice(name=to, options=options))
    if (missing := _unsigned(model)) is not None:
        note(missing)
    for name in _without_points(made.model):
        note(f"{name} is read and moves no score: everybody gets the same points for it")
    if output == "-":
        _print(made, as_json)
        return
    contents = _contents(made, output)
    check_targets(contents, inputs=[path for path in (model, evidence) if path is not None], overwrite=overwrite)
    write_all(contents, overwrite=overwrite)
    if as_json:
        emit_json({"exporter": to, "written": list(contents), "excluded": made.excluded})
        return
    for path in contents:
        console().print(f"wrote {path}", soft_wrap=True)
    if made.excluded:
        note(f"the results are those of Python, but for what the engine cannot hold: {made.excluded}")


def _refuse_another(form: str | None, name: str | None) -> None:
    """Refuse a table to add to where something else is to be created."""
    if form not in (None, "insert") or name is not None:
        raise InputError(
            "a table that is added to is the form insert, and has the name",
            where="--target-table",
            got=" ".join(f"--{key} {value}" for key, value in {"form": form, "name": name}.items() if value),
            fix="leave out --form and --name, or --target-table",
        )


def _unsigned(model: Path) -> str | None:
    """What is told of a model that is not signed off as the settings ask; None where it is, or they ask for nothing."""
    from scrutable.writing.settings import read_settings

    if read_settings().requires_state is None:
        return None
    from scrutable.proof import require_state

    try:
        require_state(model, "export")
    except InputError as error:
        return f"not to be brought into use yet, as the settings ask: {error}"
    return None


def _without_points(model: Model) -> list[str]:
    """Characteristics that nothing hangs on, in one segment or more; those that knock-outs ask for are none."""
    from scrutable.model import RegressionScorecard, Scorecard

    parts = [each for each in model.parts if isinstance(each, Scorecard | RegressionScorecard)]
    asked = {name for each in parts if isinstance(each, Scorecard) for name in each.policy.features}
    asked |= {name for each in parts for table in each.interactions for name in table.features}
    constant = (one.feature for each in parts for one in each.characteristics if one.is_constant)
    return [name for name in dict.fromkeys(constant) if name not in asked]


def _export(model: Path, evidence: Path | None, chosen: Choice) -> Export:
    from scrutable.cli.tables import read_evidence, read_model
    from scrutable.plugins.bases.answers import exported

    whole = read_model(model)
    known = None if evidence is None else read_evidence(evidence, whole)
    return exported(chosen.create("exporter"), whole, evidence=known)


def _print(made: Export, as_json: bool) -> None:
    if not as_json:
        main, *others = made.files
        _refuse_several(made, "-")
        if others:
            note(f"not printed: {', '.join(others)}; give a file or folder with --output to write them")
        emit(made.files[main])
        return
    binary = [name for name, content in made.files.items() if isinstance(content, bytes)]
    if binary:
        raise InputError("JSON holds no bytes", where="--json", got=binary, fix="give a file or folder with --output")
    emit_json(made.to_dict())


def _contents(made: Export, output: str) -> dict[str, str | bytes]:
    """Content by path; files that go by the main one's name go by the one that it is given."""
    if os.path.isdir(output) or output.endswith(("/", "\\")):
        return made.placed(output)
    _refuse_several(made, output)
    (_, main), *others = made.files.items()
    folder, name = os.path.split(output)
    stem = os.path.splitext(name)[0]
    beside = {os.path.join(folder, f"{stem}{key.removeprefix(_stem(made))}"): content for key, content in others}
    return {output: main, **beside} if name else {output: main}


def _stem(made: Export) -> str:
    """What the name of the main file is without its suffix."""
    return Path(next(iter(made.files))).stem


def _refuse_several(made: Export, output: str) -> None:
    """Refuse files that do not go by the main one's name, as `score_check.sql` goes by that of `score.sql`."""
    main, *others = made.files
    if not all(name.startswith(f"{_stem(made)}_") and Path(name).suffix == Path(main).suffix for name in others):
        raise InputError(
            "the export has several files",
            where=f"--output {output}",
            got=", ".join(made.files),
            fix="give a folder, with a slash at its end if it does not exist yet",
        )
