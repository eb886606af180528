"""`scrutable reasons`: how a model's reasons are chosen and what they are called; and a policy taken anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrutable.cli.options import OUTPUT, AsJson, ModelFile, Overwrite
from scrutable.cli.output import console, emit, emit_json, note, working
from scrutable.cli.reading import reads_data
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_all

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
            help="A TOML file: codes, texts, translations.LANGUAGE, never, inquiries, k, near, population; see --toml.",
            rich_help_panel=_POLICY,
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
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """How the reasons of a decline are chosen, and the text of every reason code; of segments, those of each.

    With --reference, --method or --explainer baselines are taken anew from the applicants that the file holds; what
    the model's policy says otherwise stays as it is. --toml prints what the codes mean as a dictionary, --dictionary
    takes one:

    k = 4
    \\[codes]
    savings = "CASH"
    checking_status = "CASH"
    \\[texts]
    CASH = "Balances of the accounts"

    Examples:

    [bold]scrutable reasons model.json[/bold]

    [bold]scrutable reasons model.json --method near-cutoff --reference applicants.csv --dictionary reasons.toml
    --output final.json[/bold]

    [bold]scrutable reasons model.json --toml > reasons.toml[/bold]

    [bold]scrutable reasons model.json --compare applicants.csv[/bold]
    """
    targets = [path for path in (output, evidence_output) if path is not None]
    inputs = [path for path in (model, reference, dictionary, evidence, compare) if path is not None]
    check_targets(targets, inputs=inputs, overwrite=overwrite)
    with working("Importing the numeric libraries"):
        from scrutable.model import dumps, dumps_evidence
        from scrutable_reason_codes.commands.reason_policies import (
            Asked,
            compared_tables,
            compared_with,
            dictionary_text,
            policies_json,
            policy_tables,
            with_policy,
        )
    if as_toml and (as_json or compare is not None):
        raise InputError("prints a dictionary and nothing else", where="--toml", fix="leave --json and --compare out")
    asked = Asked(
        model=model,
        reference=reference,
        weight=weight,
        method=method,
        explainer=explainer,
        dictionary=dictionary,
        evidence=evidence,
    )
    if (evidence is None) != (evidence_output is None):
        raise InputError("evidence is read and written", where="--evidence, --evidence-output", fix="give both or none")
    found, known = with_policy(asked)
    agreed = None if compare is None else compared_with(asked, found, compare)
    contents = {} if output is None else {str(output): dumps(found)}
    if evidence_output is not None and known is not None:
        contents[str(evidence_output)] = dumps_evidence(known)
    write_all(contents, overwrite=overwrite)
    if as_toml:
        emit(dictionary_text(found))
        return
    if as_json:
        emit_json(policies_json(found) if agreed is None else [each.to_dict() for each in agreed])
        return
    for table in policy_tables(found) if agreed is None else compared_tables(agreed):
        console().print(table)
    for path in contents:
        console().print(f"wrote {path}", soft_wrap=True)
    if (asked.anew or dictionary is not None) and output is None:
        note("the policy was not written: name a file with --output")
