"""`scrutable calibrate`: refit what a model's score means in probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import console, emit_json, reads_data, say_weighted, working
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
from scrutable.writing import write_all
from scrutable_lifecycle.commands.evidence import EvidenceInput, EvidenceOutput, carried_evidence, check_evidence
from scrutable_lifecycle.commands.strategy.options import Favourable, Picture, Target, check_outputs, drawn

if TYPE_CHECKING:
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
        from scrutable.model import dumps
        from scrutable_lifecycle.calibration import calibrate as refit
        from scrutable_lifecycle.commands.deciders import read_deciders

        [judged] = read_deciders([model])
        calibrated = refit(
            judged,
            None,
            config,
            method=method,  # type: ignore[arg-type]  # the function refuses others
            central_tendency=central_tendency,
        )
        contents: dict[str, str | bytes] = {str(output): dumps(calibrated.model)}
        contents |= carried_evidence(evidence, evidence_output, judged, calibrated.evidence)
        contents |= drawn(picture, calibrated.plot)
    write_all(contents, overwrite=overwrite)
    if as_json:
        emit_json({**calibrated.to_dict(), "written": list(contents)})
    else:
        say_weighted(weight)
        _show(calibrated, list(contents))


def _show(calibrated: Calibrated, written: list[str]) -> None:
    from scrutable_lifecycle.commands.validation_tables import bins_table, calibration_table, groups_table

    out = console()
    for each in calibrated.to_dict()["calibrations"]:
        part = "" if each["segment"] is None else f"segment {each['segment']}: "
        out.print(f"{part}log-odds of a good outcome = {each['intercept']:.6g} + {each['slope']:.6g} x score")
    if (mean := calibrated.central_tendency) is not None:
        out.print(f"Moved to a mean PD of {mean:.4%}, and so off the rows' own default rate if that differs")
    out.print(calibration_table(calibrated))
    out.print(bins_table(calibrated.after.overall, "After, by bins of the PD"))
    if calibrated.after.groups:
        out.print(groups_table(calibrated.after))
    out.print("In brackets: 95% intervals. 'After' is measured on the rows that were fitted.", style="dim")
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)
