"""`scrutable compare`: a champion and its challengers, measured alike, and the one to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, emit_json, heading, line, reads_data, say_weighted, working
from scrutable.cli.options import (
    APPLICANTS,
    DATA,
    AsJson,
    Favourable,
    Overwrite,
    Part,
    ProtectedProbabilities,
    Reference,
    Seed,
    Weight,
    data_config,
)
from scrutable.data import MIN_GROUP_SIZE
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins import parse_names
from scrutable.writing import write_all
from scrutable_lifecycle.commands.options import (
    CHOICE,
    ComparedGroups,
    FurtherRates,
    Margin,
    NoPicture,
    OutputFolder,
    Ratio,
    SmallestGroup,
    compared_groups,
)
from scrutable_lifecycle.commands.picked_files import files_of_pick, folder_of_pick

if TYPE_CHECKING:
    from scrutable.model import DecisionModel, Evidence
    from scrutable_lifecycle.search import SearchResult

_LOG = "comparison.json"


@reads_data
def compare(
    models: Annotated[list[Path], typer.Argument(metavar="CHAMPION CHALLENGER…", help="Model files, champion first.")],
    data: Annotated[Path, DATA.option(help="Applicants to compare on, that no model learned from."), APPLICANTS],
    target: Annotated[str, DATA.option(help="Column of their outcomes."), Part(name="target")],
    output: OutputFolder,
    development: Annotated[
        Path | None, DATA.option(help="Applicants to set the cutoffs on; those of --data if not given."), APPLICANTS
    ] = None,
    favourable: Favourable = None,
    protected: Annotated[
        list[str] | None,
        DATA.option(
            help="Protected attribute by which models are compared, never an input; without one, no groups are "
            "compared. Repeatable."
        ),
        Part(name="protected"),
    ] = None,
    protected_probabilities: ProtectedProbabilities = None,
    weight: Weight = None,
    reference: Reference = None,
    require: Annotated[
        float | None,
        CHOICE.option(help="Smallest ratio of approval rates between groups; 0.8 if not given, and groups are."),
    ] = None,
    ratio: Ratio = None,
    compare_groups: ComparedGroups = None,
    min_group_size: SmallestGroup = MIN_GROUP_SIZE,
    margin: Margin = None,
    approval_rate: Annotated[
        float | None, CHOICE.option(help="Share that every model approves; the champion's if not given.")
    ] = None,
    at: FurtherRates = None,
    seed: Seed = 0,
    evidence: Annotated[
        list[str] | None,
        DATA.option(
            metavar="MODEL=FILE", help="A model's evidence by the model's name; the pick's is carried over. Repeatable."
        ),
    ] = None,
    no_picture: NoPicture = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Compare a champion with challengers by accuracy, calibration, decisions and groups, and pick one.

    Every model is cut to approve as many as the champion does, then measured on the same rows. The pick is the most
    accurate one; with --protected, of those whose ratio of approval rates between groups meets the requirement. It may
    be the champion. Names of models are those of their files.

    If no model meets it, model.json is the one that comes closest. With --evidence, the binning, audit trail and
    reference of the pick stand in evidence.json, too.

    The folder gets model.json and evidence.json of the pick with its new cutoff, comparison.json with every measure
    and why each model was picked or not, and frontier.csv and frontier.svg, or without groups models.csv and roc.svg.

    Example: [bold]scrutable compare champion.json scorecard.json trees.json --data test.csv --target paid
    --protected sex --require 0.8 -o comparison[/bold]
    """
    files_of = parse_names(evidence or (), "--evidence", "MODEL=FILE", once="the model")
    known = {name: Path(path) for name, path in files_of.items()}
    inputs = [*models, data, *known.values(), *([] if development is None else [development])]
    config = data_config(data, target, favourable, protected, None, None, weight, reference, protected_probabilities)
    by_groups = bool(config.attributes)
    folder = folder_of_pick(output, _LOG, inputs, picture=not no_picture, overwrite=overwrite, by_groups=by_groups)
    with working("Importing the numeric libraries"):
        from scrutable_lifecycle.search.comparing import compare_models
        from scrutable_lifecycle.search.ratio_asked import RatioAsked
    with working(f"Comparing {len(models)} models"):
        asked = RatioAsked(
            kind=None if ratio is None else ratio.value,
            groups=compared_groups(compare_groups),
            min_group_size=min_group_size,
        )
        read = _read(models)
        result = compare_models(
            read,
            None,
            config,
            development=development,
            evidence=_evidence(known, read),
            required_ratio=require,
            ratio=asked,
            margin=margin,
            approval_rate=approval_rate,
            approval_rates=tuple(at or ()),
            random_state=seed,
        )
        contents = files_of_pick(
            result, result.evidence(), result.frame(), {_LOG: result.to_dict()}, picture=not no_picture
        )
    written = {str(folder / name): content for name, content in contents.items()}
    write_all(written, overwrite=overwrite)
    if as_json:
        emit_json(result.to_dict() | {"written": list(written)})
    else:
        say_weighted(weight)
        _show(result, list(written))


def _read(paths: Sequence[Path]) -> dict[str, DecisionModel]:
    """The models of files by name: that of the file, or the whole path where two files share it."""
    stems = [path.stem for path in paths]
    names = [stem if stems.count(stem) == 1 else str(path) for path, stem in zip(paths, stems, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise InputError("a model is given twice", where="models", got=name, fix="give each file once")
    from scrutable_lifecycle.commands.deciders import read_deciders

    return dict(zip(names, read_deciders(paths), strict=True))


def _evidence(paths: Mapping[str, Path], models: Mapping[str, DecisionModel]) -> dict[str, Evidence]:
    """What is known of the models, without what was measured at cutoffs that a comparison may move."""
    from scrutable.cli import read_evidence
    from scrutable.model import without_decisions

    for name in paths:
        if name not in models:
            fix = did_you_mean(name, models)
            raise InputError("not the name of a model that is compared", where="--evidence", got=name, fix=fix)
    return {name: without_decisions(read_evidence(path, models[name])) for name, path in paths.items()}


def _show(result: SearchResult, written: list[str]) -> None:
    from scrutable_lifecycle.commands.frontier import at_rates, beside_baseline, beside_champion, candidates, reading

    out, rows = console(), _rows(result)
    out.print(heading(f"{len(result.candidates)} models compared on {rows['validation']:,} rows"))
    out.print(candidates(result, out.width))
    out.print(reading(result, rows="development rows"), style="dim")
    out.print(beside_champion(result))
    if result.settings.approval_rates:
        out.print(at_rates(result, out.width))
    mark = "Picked: " if result.requirement_met else "No model meets the requirement. Closest: "
    out.print(line((mark, "bold"), f"{result.picked.name}: {result.picked.why}."))
    out.print(beside_baseline(result, name="champion"))
    for repeat in result.repeats:
        out.print(f"{repeat.alternative.name} is the same model as number {repeat.equals}.")
    out.print(f"wrote {', '.join(written)}", soft_wrap=True)


def _rows(result: SearchResult) -> Any:
    return result.to_dict()["rows"]
