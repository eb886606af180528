"""`scrutable validate`: a model on applicants that it did not learn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import check_outputs, console, heading, output_folder, picture_content, reads_data, working
from scrutable.cli.options import (
    APPLICANTS,
    DATA,
    MEASURES,
    OUTPUT,
    Data,
    Ending,
    ModelFile,
    Protected,
    ProtectedProbabilities,
    Reference,
    Seed,
    Weight,
    data_config,
)
from scrutable.writing import check_targets, json_text
from scrutable_lifecycle.commands.options import json_target, need_matplotlib
from scrutable_lifecycle.commands.strategy.options import Favourable, Picture, Target

if TYPE_CHECKING:
    from scrutable_lifecycle.validation import Validation
    from scrutable_lifecycle.validation.results import PictureKind

#: The pictures of --pictures.
_KINDS: tuple[PictureKind, ...] = ("roc", "cap", "gains", "ks", "reliability", "groups")


@reads_data
def validate(
    model: ModelFile,
    data: Data,
    target: Target,
    *,
    favourable: Favourable = None,
    indeterminate: Annotated[
        str | None, DATA.option(help="Class that is neither good nor bad: not measured on, counted.")
    ] = None,
    weight: Weight = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    reference: Reference = None,
    reference_data: Annotated[
        Path | None,
        DATA.option(
            help="Applicants of the development, for stability; --weight is a column of theirs, too, and with the "
            "column of --target they are drawn beside the others."
        ),
        APPLICANTS,
    ] = None,
    intersection: Annotated[
        list[str] | None, MEASURES.option(metavar="A,B", help="Protected attributes to cross. Repeatable.")
    ] = None,
    approval_rate: Annotated[
        float | None, MEASURES.option(help="Of a second reading; the share of good outcomes if not given.")
    ] = None,
    min_group_size: Annotated[float, MEASURES.option(help="Smaller groups are shown, and flagged.")] = 30,
    seed: Seed = 0,
    output: Annotated[Path | None, OUTPUT.option("--output", "-o", help="A .json file to write.")] = None,
    picture: Picture = None,
    pictures: Annotated[
        Path | None,
        OUTPUT.option(
            metavar="FOLDER",
            help="Write roc.svg, cap.svg, gains.svg, ks.svg, reliability.svg and, of protected groups, groups.svg.",
        ),
    ] = None,
    ending: Ending,
) -> None:
    """Measure separation, calibration, disparity and stability of a model, each with its interval.

    Give applicants that it did not learn from, best of all later ones. Disparity is at the model's own decisions: the
    adverse impact ratio with a test of equal approval rates, and the standardised mean difference of the score.

    Examples:

    [bold]scrutable validate model.json later.csv --target paid --protected sex --protected age --intersection sex,age
    --reference-data train.csv[/bold]

    [bold]scrutable validate model.json later.csv --target paid --picture reliability.svg --json[/bold]

    [bold]scrutable validate model.json later.csv --target paid --reference-data train.csv --pictures pictures[/bold]
    """
    inputs = [model, data, *([] if reference_data is None else [reference_data])]
    json_target(output)
    check_outputs(picture, [output], inputs, overwrite=ending.overwrite)
    folder = None if pictures is None else _picture_folder(pictures, inputs, overwrite=ending.overwrite)
    config = data_config(
        data,
        target,
        favourable,
        protected,
        weight=weight,
        reference=reference,
        protected_probabilities=protected_probabilities,
        indeterminate=indeterminate,
    )
    with working(f"Validating {model} on {data}"):
        from scrutable_lifecycle.commands.deciders import read_deciders
        from scrutable_lifecycle.validation import validate as measured

        [judged] = read_deciders([model])
        validation = measured(
            judged,
            None,
            config,
            reference=reference_data,
            approval_rate=approval_rate,
            intersections=[[name.strip() for name in text.split(",")] for text in intersection or ()],
            min_group_size=min_group_size,
            seed=seed,
        )
        contents: dict[str, str | bytes] = {}
        if output is not None:
            contents[str(output)] = json_text(validation.to_dict())
        contents |= picture_content(picture, validation.plot)
        if folder is not None:
            contents |= _drawn_pictures(folder, validation)
    ending.tell(validation, contents, _show, weight=weight)


def _picture_folder(path: Path, inputs: list[Path], *, overwrite: bool) -> Path:
    """The folder, refused now where writing would be refused after the work."""
    need_matplotlib("--pictures")
    folder = output_folder(path)
    check_targets([folder / f"{kind}.svg" for kind in _KINDS], inputs=inputs, overwrite=overwrite)
    return folder


def _drawn_pictures(folder: Path, validation: Validation) -> dict[str, str | bytes]:
    from scrutable.plots import render

    kinds = [kind for kind in _KINDS if kind != "groups" or validation.disparity]
    return {str(folder / f"{kind}.svg"): render(validation.plot(kind), "svg") for kind in kinds}


def _show(validation: Validation) -> None:
    from scrutable_lifecycle.commands.validation_tables import validation_tables

    out = console()
    out.print(heading(f"{validation.known:,} rows with a known outcome"))
    for line in _remarks(validation):
        out.print(line)
    for each in validation_tables(validation):
        out.print(each)
    out.print("In brackets: 95% intervals, the decisions held fixed. Mean difference: SMD of the score.", style="dim")
    if validation.drift:
        out.print(
            "Interval of a PSI: the noise of few rows, which only raises an index, is off; so a PSI may lie above it.",
            style="dim",
        )


def _remarks(validation: Validation) -> Iterator[str]:
    unknown = validation.rows - validation.known
    if unknown:
        yield f"{unknown:,} more without one; the model approves {validation.approval_rate_unknown:.1%} of them"
    if validation.small_groups:
        named = "; ".join(validation.small_groups)
        yield f"Groups of fewer than {validation.min_group_size:g}, whose figures say little: {named}"
