"""`scrutable plot`: what a scorecard or a rule set does, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scrutable.cli.known_columns import APPLICANTS, in_known_words, reads_data
from scrutable.cli.output import console, emit_json, working
from scrutable.cli.pictures import picture_format
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole

if TYPE_CHECKING:
    from scrutable.plots.picturing import ModelPicture

What = Literal["both", "effects", "importance", "attributes"]


@reads_data
def plot(
    model: Annotated[Path, typer.Argument(help="A model file that holds a scorecard or a rule set.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Picture: a file in .svg or .png.")] = None,
    what: Annotated[What | None, typer.Option(help="What to draw of a scorecard; both if not given.")] = None,
    feature: Annotated[
        list[str] | None, typer.Option(help="Draw the main effect of this characteristic only. Repeatable.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Applicants to draw the coverage of a rule set on: a data file."), APPLICANTS
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option(help="The model's evidence file: draws how sure the points are, where the learner tells it."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write what the picture shows as JSON.")] = False,
) -> None:
    """Draw how much each characteristic moves the score, and the points over its values; of a rule set the weights.

    The importance of a characteristic is the variance of its points over the training applicants. Interactions are
    drawn as heat maps. --what attributes draws a row for each attribute: share, event rate, WoE and points beside each
    other. With --evidence, bands and whiskers are intervals of the points. With --data, a rule set is
    drawn as the weight of its rules over the share of applicants that they cover, and the rules per applicant.

    Examples:

    [bold]scrutable plot model.json -o model.svg[/bold]

    [bold]scrutable plot model.json -o income.png --what effects --feature income[/bold]

    [bold]scrutable plot model.json -o model.svg --evidence evidence.json[/bold]

    [bold]scrutable plot model.json -o attributes.svg --what attributes[/bold]

    [bold]scrutable plot rules.json -o coverage.svg --data applicants.csv[/bold]

    [bold]scrutable plot model.json --json[/bold]
    """
    if what == "importance" and feature:
        raise InputError("the importance is one of all characteristics", where="--feature", fix="leave --feature out")
    if output is not None:
        form = picture_format(output, "--output")
        inputs = [path for path in (model, data, evidence) if path is not None]
        check_targets([output], inputs=inputs, overwrite=overwrite)
    elif not as_json:
        raise InputError("there is nowhere to draw", where="--output", fix="give a file, for example -o model.svg")
    picture = _picture(model, what, feature, data, evidence)
    shown = picture.to_dict() if as_json else {}
    if output is not None:
        from scrutable.plots import render

        with working(f"Drawing {model}"):
            content = render(picture.plot(), form)
        write_whole(output, content, overwrite=overwrite)
        shown = {"written": str(output), **shown}
    if as_json:
        emit_json(shown)
        return
    console().print(f"wrote {output}", soft_wrap=True)


def _picture(
    path: Path, what: What | None, features: list[str] | None, data: Path | None, evidence: Path | None
) -> ModelPicture:
    from scrutable.cli.tables import read_evidence, read_model, read_model_and_data
    from scrutable.model import RuleSet
    from scrutable.plots.picturing import picture_of

    model = read_model(path)
    applicants: Any = data
    if data is not None and isinstance(model, RuleSet):
        applicants = read_model_and_data(path, data, None)[1]
    measured = None if evidence is None else read_evidence(evidence, model)
    return picture_of(in_known_words(model), what=what, features=features, data=applicants, evidence=measured)
