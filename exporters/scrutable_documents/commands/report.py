"""`scrutable report`: a model's own document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli import (
    FORM,
    check_reference,
    console,
    emit_json,
    known,
    parse_probabilities,
    parse_references,
    read_data,
    reads_data,
    told,
    working,
)
from scrutable.cli.options import APPLICANTS, ModelFile, Part
from scrutable.data import FLAG
from scrutable.plugins import Choice
from scrutable.writing import check_targets, write_all
from scrutable_documents.commands.report_files import targets

_REFERENCE_GROUP = "--reference-group"
_TEXTS = "Texts, as they stand in the document"


@reads_data
def report(
    model: ModelFile,
    output: Annotated[str, typer.Option("--output", "-o", help="A .html or .pdf file, or a folder.")] = "report.html",
    data: Annotated[
        Path | None, typer.Option(help="Applicants to measure on, not learned from: a data file."), APPLICANTS
    ] = None,
    target: Annotated[str | None, typer.Option(help="Column of their outcomes."), Part(name="target")] = None,
    protected: Annotated[
        list[str] | None,
        typer.Option(help="Protected attribute: a column whose groups are compared. Repeatable."),
        Part(name="protected", when="target"),
    ] = None,
    protected_probabilities: Annotated[
        list[str] | None,
        typer.Option(
            FLAG,
            metavar=FORM,
            help="Protected attribute whose groups are not known: a column for each group, with the probability that "
            "the row belongs to it. Repeatable.",
        ),
        Part(name="protected_probabilities"),
    ] = None,
    reference_group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ATTRIBUTE=GROUP",
            help="Group that the others are compared with; the largest if not given. Repeatable.",
        ),
        Part(name="reference", when="protected"),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(help="Applicants that the model was developed on, for stability; with outcomes for curves, too."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="The .json certificate that scrutable verify wrote of the model.")
    ] = None,
    evidence: Annotated[Path | None, typer.Option(help="The model's evidence file.")] = None,
    title: Annotated[str, typer.Option(help="Title.", rich_help_panel=_TEXTS)] = "",
    date: Annotated[str, typer.Option(help="Date; none is taken from the clock.", rich_help_panel=_TEXTS)] = "",
    purpose: Annotated[str, typer.Option(help="What the model is for.", rich_help_panel=_TEXTS)] = "",
    limits: Annotated[str, typer.Option(help="What it is not for.", rich_help_panel=_TEXTS)] = "",
    about_data: Annotated[
        str, typer.Option(help="Where the data come from, and of which dates.", rich_help_panel=_TEXTS)
    ] = "",
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format", metavar="html|pdf", help="What to write into a folder; html if not given. Repeatable."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Write a model's own document: purpose, data, binning, points, performance, groups, limits, parity, provenance.

    The page stands alone and needs no network. It holds a what-if calculator that runs the model in the browser. What
    is not given, the document says that it is not there.

    Examples:

    [bold]scrutable report model.json --evidence evidence.json[/bold]

    [bold]scrutable report model.json --data test.csv --target default --protected sex --reference train.csv
    --certificate certificate.json --purpose "Consumer loans up to 20,000" --format html --format pdf -o report/[/bold]
    """
    check_reference(reference_group, protected, protected_probabilities, _REFERENCE_GROUP)
    probable = parse_probabilities(protected_probabilities)
    references = parse_references(reference_group, _REFERENCE_GROUP)
    paths = targets(output, form or ())
    inputs = [path for path in (model, data, reference, certificate, evidence) if path is not None]
    check_targets(paths.values(), inputs=inputs, overwrite=overwrite)
    texts = {"title": title, "date": date, "purpose": purpose, "limits": limits, "about_data": about_data}
    with working(f"Measuring {model}"):
        from scrutable.cli import read_evidence, read_model
        from scrutable.plugins.bases import exported
        from scrutable_documents.report.protected import protected_groups

        decider = read_model(model)
        measured = None if evidence is None else read_evidence(evidence, decider)
        applicants = None if data is None else read_data(data, decider)
        options = {
            **texts,
            "certificate": None if certificate is None else str(certificate),
            "seed": seed,
            "data": applicants,
            "target": target,
            "protected": protected_groups(applicants, protected or (), probable, references, told().cuts),
            "reference": None if reference is None else read_data(reference, decider),
            "format": list(paths),
            "dictionary": known(),
        }
        document = exported(Choice(name="report").create("exporter", **options), decider, evidence=measured)
        made = dict(zip(paths, document.files.values(), strict=True))
    write_all({paths[each]: content for each, content in made.items()}, overwrite=overwrite)
    if as_json:
        emit_json({"written": list(paths.values())})
        return
    for path in paths.values():
        console().print(f"wrote {path}", soft_wrap=True)
