"""`scrutable rescale`: the same scorecard with its points on another scale."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import check_outputs, console, reads_data, working
from scrutable.cli.options import OUTPUT, Ending, EvidenceFiles, Panel

if TYPE_CHECKING:
    from scrutable_lifecycle.calibration import Rescaled

_SCALE = Panel("Scale")


@reads_data
def rescale(
    model: Annotated[Path, typer.Argument(help="A model file that holds a scorecard, or segments of them.")],
    *,
    output: Annotated[Path, OUTPUT.option("--output", "-o", help="Model file to write.")],
    pdo: Annotated[float, _SCALE.option(help="Points that double the odds.")] = 20.0,
    base_score: Annotated[float, _SCALE.option(help="Points at the base odds.")] = 600.0,
    base_odds: Annotated[float, _SCALE.option(help="Odds there, good to bad.")] = 50.0,
    decimals: Annotated[int | None, _SCALE.option(help="Decimals of the points, 0 to 6; all if not given.")] = None,
    data: Annotated[
        Path | None, typer.Option(help="Applicants to compare decisions and reasons on: a data file.")
    ] = None,
    evidence: EvidenceFiles,
    ending: Ending,
) -> None:
    """Put the points of a scorecard on another scale, so that its score means exactly the odds declared.

    Points, cutoff, calibration and baselines of reasons are mapped by the model's calibration: calibrate first, if that
    is stale. Without --decimals the decisions stay; rounded points can change some, and --data counts them. Evidence is
    carried over but for its measures on held-out rows, whose cutoffs are on the old scale.

    Examples:

    [bold]scrutable rescale model.json --pdo 40 --base-score 660 --base-odds 15 -o new.json[/bold]

    [bold]scrutable rescale model.json --pdo 40 --decimals 0 --data applicants.csv -o whole.json[/bold]
    """
    inputs = [model, *([] if data is None else [data]), *evidence.inputs(output)]
    check_outputs(None, [output, evidence.evidence_output], inputs, overwrite=ending.overwrite)
    with working(f"Rescaling {model}"):
        from scrutable.cli import read_model, read_model_and_data
        from scrutable.model import Scaling, dumps
        from scrutable_lifecycle.calibration import rescale as put_on_scale

        old, rows = (read_model(model), None) if data is None else read_model_and_data(model, data, None)
        scaling = Scaling(pdo=pdo, base_score=base_score, base_odds=base_odds, decimals=decimals)
        rescaled = put_on_scale(old, scaling, X=rows)  # type: ignore[arg-type]  # the function refuses others
        contents: dict[str, str | bytes] = {str(output): dumps(rescaled.model)}
        contents |= evidence.contents(old, rescaled.evidence)
    ending.tell(rescaled, contents, partial(_show, rounded=decimals is not None))


def _show(rescaled: Rescaled, *, rounded: bool) -> None:
    for line in _lines(rescaled, rounded):
        console().print(line, soft_wrap=True)


def _lines(rescaled: Rescaled, rounded: bool) -> list[str]:
    if rescaled.certain:
        lines = ["No applicant can be decided otherwise than before"]
    else:
        sides = "to either side of" if rounded else "below"
        lines = [f"Only scores within {rescaled.margin:.2g} old points {sides} the cutoff can be decided otherwise"]
    if rescaled.rows is not None:
        changed = f"{rescaled.flipped:,} are decided otherwise, {rescaled.reasons_changed:,} get other reasons"
        lines.append(f"Of {rescaled.rows:,} applicants {changed}")
    elif rounded:
        lines.append("--data counts the applicants whom the rounding decides otherwise")
    return lines
