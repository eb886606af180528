"""`scrutable calibrate`: refit what a model's score means in probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, console, picture_content, reads_data, working
from scrutable.cli.options import (
    OUTPUT,
    Data,
    Ending,
    EvidenceFiles,
    ModelFile,
    Panel,
    Protected,
    ProtectedProbabilities,
    Reference,
    Weight,
    data_config,
)
from scrutable_lifecycle.commands.strategy.options import Favourable, Picture, Target

if TYPE_CHECKING:
    from scrutable_lifecycle.calibration import Calibrated

_CALIBRATION = Panel("Calibration")


@reads_data
def calibrate(
    model: ModelFile,
    data: Data,
    target: Target,
    *,
    output: Annotated[Path, OUTPUT.option("--output", "-o", help="Model file to write.")],
    favourable: Favourable = None,
    weight: Weight = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    reference: Reference = None,
    method: Annotated[
        str,
        _CALIBRATION.option(metavar="logistic|intercept", help="Refit intercept and slope, or the intercept alone."),
    ] = "logistic",
    central_tendency: Annotated[
        float | None,
        _CALIBRATION.option(
            help="Long-run default rate that the mean PD of the rows is set to; their own if not given."
        ),
    ] = None,
    evidence: EvidenceFiles,
    picture: Picture = None,
    ending: Ending,
) -> None:
    """Refit the probability of default that a model's score stands for, on applicants with known outcomes.

    Score, cutoff, decisions and reasons stay as they are; the new probabilities are in the model file, and so in every
    export. Give applicants that the model did not learn from. With --protected, the fit is measured by group.

    Examples:

    [bold]scrutable calibrate model.json recent.csv --target paid --central-tendency 0.05 -o calibrated.json[/bold]

    [bold]scrutable calibrate model.json recent.csv --target paid --protected sex --picture reliability.svg
    -o calibrated.json[/bold]
    """
    inputs = [model, data, *evidence.inputs(output)]
    check_outputs(picture, [output, evidence.evidence_output], inputs, overwrite=ending.overwrite)
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
        contents |= evidence.contents(judged, calibrated.evidence)
        contents |= picture_content(picture, calibrated.plot)
    ending.tell(calibrated, contents, _show, weight=weight)


def _show(calibrated: Calibrated) -> None:
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
