"""`scrutable bins`: binning tables of a file, and their pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import (
    console,
    emit,
    emit_json,
    heading,
    output_folder,
    reads_data,
    say_weighted,
    table,
    with_special_codes,
    working,
)
from scrutable.cli.options import OUTPUT, AsJson, BinnerName, BinnerOption, EditsFile, Overwrite
from scrutable.errors import InputError
from scrutable.plugins import Choice
from scrutable.writing import check_targets, write_all
from scrutable_review.commands.options import LearnedFrom, Reviewed
from scrutable_review.default import DEFAULT_BINNER

if TYPE_CHECKING:
    from scrutable_review.reviewed import ReviewedBins


@reads_data
def bins(
    reviewed: Reviewed,
    *,
    binner: BinnerName = None,
    binner_option: BinnerOption = None,
    edits: EditsFile = None,
    learned_from: LearnedFrom,
    feature: Annotated[
        list[str] | None, typer.Option(help="Show the table of this feature, and of no other. Repeatable.")
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show the tables of all features below the summary.")] = False,
    output: Annotated[
        Path | None, OUTPUT.option("--output", "-o", help="Folder for a picture of each feature.")
    ] = None,
    overwrite: Overwrite = False,
    as_csv: Annotated[bool, OUTPUT.option("--csv", help="Write CSV, a row for each attribute.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a line for each feature, by falling information value; tables of its attributes with --feature or --all.

    A table has how many applicants each attribute has, its bad rate, WoE and information value. With protected
    attributes, there is also how their groups spread over the attributes, and the fairness information value: how much
    a feature tells of the group. With the edits of a review, the tables are those after them. All rows with an outcome
    are shown; with --test-size or --out-of-time those that a fit with the same options learns from.

    Examples:

    [bold]scrutable bins loans.csv --target paid --favourable yes --protected sex[/bold]

    [bold]scrutable bins loans.csv --target paid --favourable yes --binner quantile --edits review.toml
    --feature age -o pictures[/bold]
    """
    if as_csv and as_json:
        raise InputError("the tables are written in one format", where="--csv, --json", fix="give one of them")
    if feature and show_all:
        raise InputError("one feature or all are shown", where="--feature, --all", fix="give one of them")
    config, split = reviewed.config, learned_from.split
    named = Choice.of(binner or DEFAULT_BINNER, binner_option or (), "--binner-option")
    with working("Importing the numeric libraries"):
        from scrutable_review.commands.errors_by_flag import in_flags
        from scrutable_review.reviewed import review_bins
    with working(f"Binning {reviewed.source}"), in_flags():
        bins_of_file = review_bins(
            reviewed.source,
            config,
            split=split,
            binner=with_special_codes(named, config),
            edits=edits,
            features=feature or (),
            allow_protected=reviewed.allow_protected or (),
        )
    inputs = [reviewed.source] if edits is None else [reviewed.source, edits]
    written = [] if output is None else _draw(bins_of_file, output, inputs, overwrite)
    if as_json:
        emit_json({**bins_of_file.to_dict(), "written": written})
    elif as_csv:
        from scrutable.writing import csv_text

        emit(csv_text(bins_of_file.frame()))
    else:
        say_weighted(reviewed.weight)
        _show(bins_of_file, written, summed=not feature, tables=bool(feature) or show_all)


def _draw(reviewed: ReviewedBins, output: Path, inputs: list[Path], overwrite: bool) -> list[str]:
    from scrutable.plots import render

    folder = output_folder(output)
    paths = [folder / name for name in _names(list(reviewed.features))]
    check_targets(paths, inputs=inputs, overwrite=overwrite)
    with working("Drawing"):
        contents: dict[str, str | bytes] = {
            str(path): render(reviewed.plot(name), "svg") for path, name in zip(paths, reviewed.features, strict=True)
        }
    write_all(contents, overwrite=overwrite)
    return list(contents)


def _names(features: list[str]) -> list[str]:
    """A file for each feature, with a name that every file system takes."""
    plain = [re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60].strip("-.") for name in features]
    told_apart = len({name.lower() for name in plain}) == len(plain) and all(plain)
    return [f"{name}.svg" if told_apart else f"{at:03d}-{name}.svg" for at, name in enumerate(plain, 1)]


def _show(reviewed: ReviewedBins, written: list[str], *, summed: bool, tables: bool) -> None:
    from scrutable_review.commands.bin_tables import binning_table, group_table, summary_table

    out, every, audit = console(), reviewed.tables, reviewed.review.audit
    out.print(heading(f"Bins of {reviewed.describe()}"))
    if summed:
        out.print(summary_table(sorted(every, key=lambda each: -each.iv_used)))
    if not tables:
        out.print("The attributes of a feature: --feature NAME; of all of them: --all.", style="dim")
    for each in every if tables else ():
        out.print(binning_table(each))
        if (groups := group_table(each)) is not None:
            out.print(groups)
    if audit:
        headers = ("feature", "action", "detail", "who", "why", "IV before", "IV after")
        entries = [
            [e.feature, e.action, e.detail, e.who, e.why, f"{e.iv_before:.4f}", f"{e.iv_after:.4f}"] for e in audit
        ]
        out.print(heading("Decisions"))
        out.print(table(headers, entries, right=(5, 6)))
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)
