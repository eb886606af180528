"""`scrutable calibrate`: refit what a model's score means in probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli.options import (
    OUTPUT,
    AsJson,
    Data,
    ModelFile,
    Overwrite,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)
from scrutable.cli.output import console, emit_json, say_weighted, working
from scrutable.cli.pictures import picture_format
from scrutable.cli.reading import reads_data
from scrutable.writing.files import write_all
from scrutable_lifecycle.commands.evidence import EvidenceInput, EvidenceOutput, carried, check_evidence
from scrutable_lifecycle.commands.strategy.options import Favourable, Picture, Target, check_outputs

if TYPE_CHECKING:
    from scrutable.model import DecisionModel
    from scrutable_lifecycle.calibration import Calibrated

_CALIBRATION = "Calibration"


@reads_data
def calibrate(
    model: ModelFile,
    data: Data,
    target: Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.", rich_help_panel=OUTPUT)],
    favourable: Favourable = None,
    weight: Weight = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    reference: Reference = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="logistic|intercept",
            help="Refit intercept and slope, or the intercept alone.",
            rich_help_panel=_CALIBRATION,
        ),
    ] = "logistic",
    central_tendency: Annotated[
        float | None,
        typer.Option(
            help="Long-run default rate that the mean PD of the rows is set to; their own if not given.",
            rich_help_panel=_CALIBRATION,
        ),
    ] = None,
    evidence: EvidenceInput = None,
    evidence_output: EvidenceOutput = None,
    picture: Picture = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Refit the probability of default that a model's score stands for, on applicants with known outcomes.

    Score, cutoff, decisions and reasons stay as they are; the new probabilities are in the model file, and so in every
    export. Give applicants that the model did not learn from. With --protected, the fit is measured by group.

    Examples:

    [bold]scrutable calibrate model.json recent.csv --target paid --central-tendency 0.05 -o calibrated.json[/bold]

    [bold]scrutable calibrate model.json recent.csv --target paid --protected sex --picture reliability.svg
    -o calibrated.json[/bold]
    """
    inputs = [model, data, *check_evidence(evidence, evidence_output, output)]
    check_outputs(picture, [output, evidence_output], inputs, overwrite=overwrite)
    config = data_config(data, target, favourable, protected, None, None, weight, reference, protected_probabilities)
    with working(f"Calibrating {model}"):
        from scrutable_lifecycle.calibration import calibrate as refit
        from scrutable_lifecycle.commands.deciders import read_judged

        [its], cohort = read_judged([model], config)
        found = refit(
            its,
            cohort,
            None,
            method=method,  # type: ignore[arg-type]  # the function refuses others
            central_tendency=central_tendency,
        )
        contents = _contents(its, found, output, evidence, evidence_output, picture)
    write_all(contents, overwrite=overwrite)
    if as_json:
        emit_json({**found.to_dict(), "written": list(contents)})
    else:
        say_weighted(weight)
        _show(found, list(contents))


def _contents(
    model: DecisionModel,
    found: Calibrated,
    output: Path,
    evidence: Path | None,
    evidence_output: Path | None,
    picture: Path | None,
) -> dict[str, str | bytes]:
    from scrutable.model import dumps

    contents: dict[str, str | bytes] = {str(output): dumps(found.model)}
    if evidence is not None:
        changes = {"calibration": found.to_dict()}
        contents[str(evidence_output)] = carried(evidence, model, found.model, changes, same_decisions=True)
    if picture is not None:
        from scrutable.plots import render
        from scrutable_lifecycle.plots.reliability import plot_reliability

        contents[str(picture)] = render(plot_reliability(found.after), picture_format(picture, "--picture"))
    return contents


def _show(found: Calibrated, written: list[str]) -> None:
    from scrutable_lifecycle.commands.validated import bins_table, calibration_table, groups_table

    out = console()
    for each in found.to_dict()["calibrations"]:
        part = "" if each["segment"] is None else f"segment {each['segment']}: "
        out.print(f"{part}log-odds of a good outcome = {each['intercept']:.6g} + {each['slope']:.6g} x score")
    if found.central_tendency is not None:
        out.print(
            f"Moved to a mean PD of {found.central_tendency:.4%}, and so off the rows' own default rate if that differs"
        )
    out.print(calibration_table(found))
    out.print(bins_table(found.after.overall, "After, by bins of the PD"))
    if found.after.groups:
        out.print(groups_table(found.after))
    out.print("In brackets: 95% intervals. 'After' is measured on the rows that were fitted.", style="dim")
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)
