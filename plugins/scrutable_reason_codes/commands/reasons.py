"""`scrutable reasons`: how a model's reasons are chosen and what they are called; and a policy taken anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, emit, emit_json, note, reads_data, working
from scrutable.cli.options import OUTPUT, AsJson, ModelFile, Overwrite
from scrutable.errors import InputError
from scrutable.writing import check_targets, write_all

if TYPE_CHECKING:
    from scrutable.model import DecisionModel, Evidence, Model

_POLICY = "A policy taken anew"


@reads_data
def reasons(
    model: ModelFile,
    reference: Annotated[
        Path | None,
        typer.Option(
            help="Take the policy anew from these applicants: all of them, the declined too.", rich_help_panel=_POLICY
        ),
    ] = None,
    weight: Annotated[
        str | None, typer.Option(help="Column of the reference's weights.", rich_help_panel=_POLICY)
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="below-average, near-cutoff, below-maximum, below-neutral, shapley or votes-against; "
            "the default of the kind of model if not given.",
            rich_help_panel=_POLICY,
        ),
    ] = None,
    explainer: Annotated[
        str | None,
        typer.Option(
            help="Whose policy it becomes; reason-codes if not given. Needed where the model's policy is another's.",
            rich_help_panel=_POLICY,
        ),
    ] = None,
    dictionary: Annotated[
        Path | None,
        typer.Option(
            help="Data dictionary: labels, codes, reasons of columns, never, \\[reasons] with k and more; see --toml.",
            rich_help_panel=_POLICY,
        ),
    ] = None,
    predecessor: Annotated[
        Path | None,
        typer.Option(
            help="The version before this model: its features keep their codes and texts, and no code is reused."
        ),
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option(help="The model's evidence, to be written anew for the new model.", rich_help_panel=_POLICY),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the model with the new policy.", rich_help_panel=OUTPUT)
    ] = None,
    evidence_output: Annotated[
        Path | None, typer.Option(help="Write the evidence for the new model.", rich_help_panel=OUTPUT)
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option(help="Applicants: how often each method gives the declined the same reasons."),
    ] = None,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Print the dictionary as TOML, to be edited and given as --dictionary.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="List texts that are not fit to be sent, and fail if there are some.")
    ] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """How the reasons of a decline are chosen, and the text of every reason code; of segments, those of each.

    With --reference, --method or --explainer baselines are taken anew from the applicants that the file holds; what
    the model's policy says otherwise stays as it is. --toml prints what the codes mean as a data dictionary,
    --dictionary takes one:

    \\[columns.savings]
    code = "CASH"
    reason = "Balances of the accounts"
    \\[columns.checking_status]
    code = "CASH"
    \\[reasons]
    k = 4

    Examples:

    [bold]scrutable reasons model.json[/bold]

    [bold]scrutable reasons model.json --method near-cutoff --reference applicants.csv --dictionary reasons.toml
    --output final.json[/bold]

    [bold]scrutable reasons model.json --predecessor last-year.json --output model-with-its-codes.json[/bold]

    [bold]scrutable reasons model.json --check[/bold]

    [bold]scrutable reasons model.json --toml > reasons.toml[/bold]

    [bold]scrutable reasons model.json --compare applicants.csv[/bold]
    """
    targets = [path for path in (output, evidence_output) if path is not None]
    inputs = [path for path in (model, reference, dictionary, predecessor, evidence, compare) if path is not None]
    check_targets(targets, inputs=inputs, overwrite=overwrite)
    if as_toml and (as_json or check or compare is not None):
        raise InputError(
            "prints a dictionary and nothing else", where="--toml", fix="leave --json, --check and --compare out"
        )
    if check and compare is not None:
        raise InputError("lists texts and nothing else", where="--check", fix="leave --compare out")
    if (evidence is None) != (evidence_output is None):
        raise InputError("evidence is read and written", where="--evidence, --evidence-output", fix="give both or none")
    if weight is not None and reference is None:
        raise InputError("a weight without a reference", where="--weight", got=weight, fix="give --reference")
    with working("Importing the numeric libraries"):
        from scrutable.cli import read_evidence, read_model
        from scrutable.model import dumps
        from scrutable_reason_codes.commands.policy_tables import compared_tables, policy_tables
        from scrutable_reason_codes.policies import reason_policies
    own = read_model(model)
    known = None if evidence is None else read_evidence(evidence, own)
    rows, weights = (None, None) if reference is None else _reference(model, reference, weight)
    with working("Taking the baselines"):
        policies = reason_policies(
            own,
            rows,
            weight=weights,
            method=method,
            explainer=explainer,
            dictionary=dictionary,
            population=None if reference is None else f"all applicants of {reference.name}",
            predecessor=None if predecessor is None else _version(predecessor),
            where=f"file {str(model)!r}",
        )
    agreed = None
    if compare is not None:
        applicants, _ = _reference(model, compare, None)
        with working("Comparing methods"):
            agreed = policies.compared(applicants, reference=rows, weight=weights)
    contents: dict[str, str | bytes] = {} if output is None else {str(output): dumps(policies.model)}
    if evidence_output is not None and known is not None:
        contents[str(evidence_output)] = _carried(known, policies.model)
    write_all(contents, overwrite=overwrite)
    if as_toml:
        emit(policies.toml())
        return
    if check:
        _told_faults(policies.model, as_json=as_json)
        return
    if as_json:
        emit_json((agreed or policies).to_dict())
        return
    for table in policy_tables(policies) if agreed is None else compared_tables(agreed):
        console().print(table)
    for path in contents:
        console().print(f"wrote {path}", soft_wrap=True)
    changed = [reference, method, explainer, weight, dictionary, predecessor]
    if output is None and any(each is not None for each in changed):
        note("the policy was not written: name a file with --output")


def _told_faults(model: DecisionModel, *, as_json: bool) -> None:
    """List the texts that are not fit to be sent, and end with 1 if there are some."""
    from scrutable.model import text_faults
    from scrutable_reason_codes.commands.policy_tables import faults_table

    faults = text_faults(model)
    if as_json:
        emit_json([each._asdict() for each in faults])
    elif faults:
        console().print(faults_table(faults))
    else:
        console().print(
            "No text is known to be unfit to be sent; whether each is specific enough a person has to read."
        )
    if faults:
        raise typer.Exit(1)


def _version(path: Path) -> DecisionModel:
    """A version of the model that gave reasons."""
    from scrutable.cli import read_model
    from scrutable.model import RegressionScorecard

    model = read_model(path)
    if isinstance(model, RegressionScorecard):
        raise InputError("a model of a quantity gives no reasons", where="--predecessor", got=str(path))
    return model


def _reference(model: Path, path: Path, weight: str | None) -> tuple[Any, Any]:
    """The rows of a file, and their weights if they have some."""
    from scrutable.cli import read_model_and_data
    from scrutable.data import weights_of

    with working(f"Reading {path}"):
        rows = read_model_and_data(model, path, None)[1]
    return rows, None if weight is None else weights_of(rows, weight, f"--weight, file {str(path)!r}")


def _carried(evidence: Evidence, model: Model) -> str:
    """The evidence as that of another model."""
    from dataclasses import replace

    from scrutable.model import dumps_evidence, fingerprint

    return dumps_evidence(replace(evidence, model_sha256=fingerprint(model)))
