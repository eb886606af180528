"""`scrutable search`: less discriminatory alternatives of a model, measured alike, and the one to take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from scrutable.cli import console, emit_json, heading, known, line, note, reads_data, say_weighted, working
from scrutable.cli.options import MEASURES, MODEL, AsJson, Data, Overwrite, Seed, Target
from scrutable.data import MIN_GROUP_SIZE, SplitConfig
from scrutable.errors import InputError
from scrutable.plugins import Choice
from scrutable.writing import check_targets, make_folder, write_all
from scrutable_lifecycle.commands.learning import BesideLearner, Columns
from scrutable_lifecycle.commands.options import (
    CHOICE,
    ComparedGroups,
    FurtherRates,
    Margin,
    NoPicture,
    OutputFolder,
    Ratio,
    RequiredRatio,
    SmallestGroup,
    compared_groups,
)
from scrutable_lifecycle.commands.picked_files import files_of_pick, folder_of_pick
from scrutable_lifecycle.config import MODELS, SearchRun
from scrutable_lifecycle.dictionary_run import each_with_known
from scrutable_lifecycle.learner_options import options_of

if TYPE_CHECKING:
    from scrutable_lifecycle.search import Candidate, Searched

_LOG = "search.json"


#: The learner of a search that names none.
_USUAL = "lda-xgb1"


@dataclass(frozen=True, kw_only=True)
class SeveralLearners:
    """The learners, which stand before what goes with them."""

    learner: Annotated[
        list[str] | None,
        MODEL.option(
            metavar="NAME:KEY=VALUE,…",
            help=f"A learner's name; of several, with the options beside it. Repeatable; {_USUAL} if not given.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class SearchedLearning(BesideLearner, SeveralLearners):
    """The learners whose models are compared, and what they have to keep."""

    def stated(self) -> dict[str, Any]:
        """Parts of a run, by name."""
        first, *others = (Choice.parse(text, "--learner") for text in self.learner or [_USUAL])
        if self.option and (others or first.all_options):
            raise InputError(
                "options of one of several learners stand beside its name",
                where="--option",
                got=", ".join(self.option),
                fix=f"for example --learner {first.name}:{self.option[0]}",
            )
        if self.option:
            first = Choice.of(first.name, self.option, "--option")
        return {**self.beside(_binning(first, *others)), "learner": first, "others": tuple(others)}


def _binning(*learners: Choice) -> str:
    """The name of the first learner that takes a binner; the first of all where none does."""
    if len(learners) == 1:
        return learners[0].name
    return next((each.name for each in learners if "binner" in options_of(each.name)), learners[0].name)


@reads_data
def search(
    source: Data,
    target: Target,
    output: OutputFolder,
    *,
    columns: Columns,
    learning: SearchedLearning,
    require: RequiredRatio = 0.8,
    ratio: Ratio = None,
    compare_groups: ComparedGroups = None,
    min_group_size: SmallestGroup = MIN_GROUP_SIZE,
    margin: Margin = None,
    approval_rate: Annotated[
        float | None,
        CHOICE.option(help="Share that every candidate approves; the share of good outcomes if not given."),
    ] = None,
    at: FurtherRates = None,
    validation_size: Annotated[
        float, MEASURES.option(help="Share of the other rows that candidates are compared on.")
    ] = 0.25,
    test_size: Annotated[
        float, MEASURES.option(help="Share of rows held out from the whole search; 0 for none.")
    ] = 0.3,
    seed: Seed = 0,
    no_picture: NoPicture = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Search for a less discriminatory alternative.

    Tries the models that one or several learners make, compares all of them at one approval rate on rows that none
    learned from, and picks the most accurate one whose ratio of approval rates between groups meets the requirement.
    The pick and the baseline are then measured on rows that the search did not see.

    The folder gets model.json and evidence.json of the pick, frontier.csv, frontier.svg, search.json with everything
    that was tried and why it was picked or not, and each candidate's model in models/.

    Examples:

    [bold]scrutable search loans.csv --target paid --favourable yes --protected sex --drop loan_id -o search[/bold]

    [bold]scrutable search loans.csv --target paid --favourable yes --protected sex --require 0.9 --margin 0.02
    --at 0.5 -o search[/bold]

    [bold]scrutable search loans.csv --target paid --favourable yes --protected race --reference race=white
    --learner additive --learner fairgbm:max_leaves=7,n_estimators=50 -o search[/bold]
    """
    run = SearchRun(
        data=columns.config(source, target),
        **learning.stated(),
        split=SplitConfig(test_size=test_size, seed=seed),
        required_ratio=require,
        ratio=None if ratio is None else ratio.value,
        compared_groups=compared_groups(compare_groups),
        min_group_size=min_group_size,
        margin=margin,
        approval_rate=approval_rate,
        approval_rates=tuple(at or ()),
        validation_size=validation_size,
    )
    run, said = each_with_known(run, known())
    for told in said:
        note(told)
    folder = folder_of_pick(output, _LOG, [source], picture=not no_picture, overwrite=overwrite)
    check_targets(_models_in(folder), inputs=[source], overwrite=overwrite)
    searched = _search(run)
    written = _write(searched, folder, picture=not no_picture, overwrite=overwrite)
    if as_json:
        emit_json({**searched.to_dict(), "written": written})
    else:
        say_weighted(run.data.weight)
        _show(run, searched, written)


def _search(run: SearchRun) -> Searched:
    with working("Importing the numeric libraries"):
        from scrutable_lifecycle.search.alternatives import search_alternatives
    with working(f"Reading {run.data.path}") as say:

        def watch(candidate: Candidate) -> None:
            reached = f"AUC {candidate.auc:.3f}, ratio {candidate.ratio.value:.3f}"
            say(f"Models tried: {candidate.number}; {candidate.name}: {reached}")

        return search_alternatives(run, watch=watch)


def _write(searched: Searched, folder: Path, *, picture: bool, overwrite: bool) -> list[str]:
    with working("Writing"):
        contents = _contents(searched, picture=picture)
        make_folder(folder / MODELS)
        write_all({str(folder / name): content for name, content in contents.items()}, overwrite=overwrite)
    left = sorted(path.name for path in _models_in(folder) if f"{MODELS}/{path.name}" not in contents)
    if left:
        shown = ", ".join([*left[:3], *(["…"] if len(left) > 3 else [])])
        note(f"{folder / MODELS} holds models that this search did not write: {shown}")
    return [str(folder / name) for name in contents]


def _contents(searched: Searched, *, picture: bool) -> dict[str, str | bytes]:
    """What a search writes, by its name in the folder."""
    from scrutable.model import dumps

    result = searched.result
    frame = result.frame()
    frame.insert(2, "file", [_model_file(candidate) for candidate in result.candidates])
    log = result.to_dict() | {"held_out": searched.held_out}
    contents = files_of_pick(result, searched.evidence, frame, {_LOG: log}, picture=picture)
    return contents | {_model_file(candidate): dumps(candidate.model) for candidate in result.candidates}


def _model_file(candidate: Candidate) -> str:
    """Where a candidate's model is written, in the folder; a name that every file system takes."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", candidate.name)[:60].strip("-.")
    return f"{MODELS}/{candidate.number:02d}-{plain}.json"


def _models_in(folder: Path) -> list[Path]:
    return sorted((folder / MODELS).glob("*.json"))


def _show(run: SearchRun, searched: Searched, written: list[str]) -> None:
    from scrutable_lifecycle.commands.frontier import at_rates, beside_baseline, candidates, on_held_out, reading
    from scrutable_lifecycle.commands.measured import about_data, legend, side_by_side

    out, result = console(), searched.result
    rows = result.to_dict()["rows"]
    out.print(
        heading(
            f"{run.names}: {len(result.candidates)} models learned from {rows['learned_from']:,} rows, compared "
            f"on {rows['validation']:,}; {searched.n_held_out:,} held out"
        )
    )
    for told in about_data(run.data, result.picked.model.outcome, searched.inputs):
        out.print(told)
    out.print()
    out.print(candidates(result, out.width))
    out.print(reading(result, rows="rows learned from"), style="dim")
    if result.settings.approval_rates:
        out.print()
        out.print(at_rates(result, out.width))
    mark = "Picked: " if result.requirement_met else "Closest: "
    out.print()
    out.print(line((mark, "bold"), f"{result.picked.number}, {result.picked.name}: {result.picked.why}."))
    out.print(beside_baseline(result, name="baseline"))
    if searched.picked is not None and searched.baseline is not None:
        out.print()
        out.print(heading("On the rows held out"))
        both = {"baseline": searched.baseline, "picked": searched.picked}
        shown = both if result.picked.number > 1 else {"picked, the baseline": searched.picked}
        out.print(side_by_side(list(shown), list(shown.values())))
        out.print(legend(searched.picked), style="dim")
        out.print(on_held_out(searched.picked_ratio, result.settings))
    first = [path for path in written if Path(path).parent.name != MODELS]
    out.print(f"wrote {', '.join(first)}", soft_wrap=True)
    out.print(f"wrote {len(written) - len(first)} models to {Path(first[0]).parent / MODELS}", soft_wrap=True)
