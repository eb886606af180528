"""`scrutable explain`: the reasons of each decision in words, the rules that voted on it, or what would change it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli.explanations import explanation_group, summed_up
from scrutable.cli.known_columns import APPLICANTS, Part, in_known_words, known, reads_data
from scrutable.cli.options import ModelFile
from scrutable.cli.output import console, emit_json, tracked, working
from scrutable.cli.pictures import picture_format
from scrutable.cli.protected_options import FORM, parse_probabilities
from scrutable.cli.reading import told
from scrutable.cli.tables import read_applicants, read_frame, read_model
from scrutable.data.grouped import FLAG
from scrutable.errors import InputError
from scrutable.writing.files import check_targets, write_whole

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table
    from scrutable.model import Model
    from scrutable.plugins.bases.explainer import Explainer
    from scrutable.plugins.choices import Choice
    from scrutable.plugins.explaining import Explained

_SUMMARY = "Summary and picture"


@reads_data
def explain(
    model: ModelFile,
    data: Annotated[Path, typer.Argument(help="A data file of applicants."), APPLICANTS],
    row: Annotated[
        list[int] | None, typer.Option(help="Row to explain; 1 is the first below the header. Repeatable.")
    ] = None,
    explainer: Annotated[
        str | None,
        typer.Option(
            help="An explainer's name; reason-codes if not given, and for a rule set without them the rules that voted."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Option of the explainer; values are JSON or text. Repeatable. "
            "scrutable plugins show NAME lists them.",
        ),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Applicants to compare with, such as those the model was fitted on.")
    ] = None,
    only_declined: Annotated[bool, typer.Option("--only-declined", help="Leave out approved applicants.")] = False,
    identifier: Annotated[
        str | None, typer.Option("--id", help="Column to call applicants by."), Part(name="id")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Show at most this many as text; JSON has all.")] = 10,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="Sum up all applicants instead of showing each.", rich_help_panel=_SUMMARY),
    ] = False,
    protected: Annotated[
        list[str] | None,
        typer.Option(
            help="Protected attribute: a column whose groups the summary compares. Repeatable.",
            rich_help_panel=_SUMMARY,
        ),
        Part(name="protected", when="summary"),
    ] = None,
    protected_probabilities: Annotated[
        list[str] | None,
        typer.Option(
            FLAG,
            metavar=FORM,
            help="Protected attribute whose groups are not known: a column for each group, with the probability that "
            "the row belongs to it. Repeatable.",
            rich_help_panel=_SUMMARY,
        ),
        Part(name="protected_probabilities"),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw the explanation of one applicant: a file in .svg or .png.", rich_help_panel=_SUMMARY),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the picture.", rich_help_panel=_SUMMARY)
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Why each applicant got the score and the decision; for a rule set, which rules voted for what.

    With the explainer counterfactual: the smallest changes of a few features with which the model would have decided
    otherwise, or a proof that there are none. Its options say what may change and how: max_changes=3, number=2,
    'immutable=age,housing', 'actions={"age": "none", "duration": {"change": "down", "lower": 6}}',
    'wanted={"kind": "probability", "at_least": 0.8}'.

    Examples:

    [bold]scrutable explain model.json applicants.csv --only-declined[/bold]

    [bold]scrutable explain model.json applicants.csv --row 7 --json[/bold]

    [bold]scrutable explain model.json applicants.csv --explainer counterfactual --reference train.csv
    --option max_changes=3 --option 'actions={"age": "none"}' --row 7 --plot path.svg[/bold]

    [bold]scrutable explain model.json applicants.csv --explainer counterfactual --summary --protected sex[/bold]
    """
    probabilities = parse_probabilities(protected_probabilities)
    _check(
        summary,
        [*(protected or ()), *probabilities],
        plot,
        [model, data, *([] if reference is None else [reference])],
        overwrite,
    )
    with working("Importing the numeric libraries"):
        from scrutable.plugins.explaining import check_one, count_of, reads_columns
    decider = in_known_words(read_model(model))
    chosen = _explainer(decider, explainer, option or (), reference)
    with working(f"Reading {data}"):
        reading = read_applicants if reads_columns(chosen, protected or (), probabilities) else read_frame
        applicants = reading(decider, data, identifier)
    if plot is not None:
        check_one(len(row) if row else count_of(applicants))
    everyone = _explained(
        decider,
        applicants,
        chosen,
        on=f"Explaining {data}",
        quiet=as_json,
        rows=row or (),
        reference=None if reference is None else _reference(decider, reference),
        identifier=identifier,
        protected=protected or (),
        probabilities=probabilities,
        cuts=told().cuts,
        place=f"file {str(data)!r}",
    )
    shown = everyone.declined() if only_declined else everyone
    if plot is not None and as_json:
        _draw(shown, plot, overwrite)  # before, so that nothing is written where it fails
    if summary:
        _show_summary(shown, as_json)
    elif as_json:
        emit_json(shown.to_dict())
    else:
        _show(everyone, shown, identifier, limit)
        if plot is not None:
            _draw(shown, plot, overwrite)
            console().print(f"wrote {plot}", soft_wrap=True)


def _explainer(model: Model, name: str | None, options: Sequence[str], reference: Path | None) -> Explainer | None:
    """The explainer that is asked for; None where the model's own votes are."""
    from scrutable.model import RegressionScorecard
    from scrutable.plugins.bases.reason_explainers import reasons_explainer
    from scrutable.plugins.choices import Choice
    from scrutable.plugins.explaining import refuse_beside_votes, votes_alone

    if name is None and isinstance(model, RegressionScorecard):
        return None  # it has no reasons, whatever the options are
    if name is None and votes_alone(model):
        for given, flag in ((options, "--option"), (reference, "--reference")):
            if given:
                refuse_beside_votes(flag, given)
        return None
    chosen = Choice.of(name or reasons_explainer(), options, "--option")
    made: Explainer = _within(chosen, model).create("explainer")
    return made


def _within(explainer: Choice, model: Model) -> Choice:
    """The explainer, whose proposals the dictionary limits if it makes some."""
    dictionary, given = known(), explainer.options.get("actions", {})
    if dictionary is None:
        return explainer
    from scrutable.model.contents import features_read
    from scrutable.plugins.dictionary_words import actions_by_dictionary
    from scrutable.plugins.registry import registry

    takes = "actions" in inspect.signature(registry().load("explainer", explainer.name)).parameters
    if not takes or not isinstance(given, Mapping):
        return explainer
    actions = actions_by_dictionary(dictionary, features_read(model), given)
    return replace(explainer, options={**explainer.options, "actions": actions})


def _reference(model: Model, reference: Path) -> pd.DataFrame:
    with working(f"Reading {reference}"):
        return read_frame(model, reference, None)


def _explained(
    model: Model, applicants: pd.DataFrame | Table, chosen: Explainer | None, *, on: str, quiet: bool, **asked: Any
) -> Explained:
    """The explanations; those of an explainer that takes its time are followed as they come."""
    from scrutable.plugins.bases.capable import overrides
    from scrutable.plugins.bases.explainer import Explainer
    from scrutable.plugins.explaining import explain

    if quiet or chosen is None or not overrides(type(chosen), Explainer, "explain_each"):
        with working(on):
            return explain(model, applicants, explainer=chosen, **asked)

    def follow(items: Iterable[Any], total: int) -> Iterable[Any]:
        return tracked(items, total, on)

    return explain(model, applicants, explainer=chosen, progress=follow, **asked)


def _check(summary: bool, protected: Sequence[str], plot: Path | None, inputs: list[Path], overwrite: bool) -> None:
    """Refuse before the work what would be refused after it."""
    if protected and not summary:
        raise InputError("only a summary compares groups", where="--protected", got=protected, fix="add --summary")
    if plot is None:
        return
    if summary:
        raise InputError("a summary has no picture", where="--plot", got=str(plot), fix="leave --plot or --summary out")
    picture_format(plot, "--plot")
    check_targets([plot], inputs=inputs, overwrite=overwrite)


def _draw(shown: Explained, plot: Path, overwrite: bool) -> None:
    from scrutable.plots import render

    with working(f"Drawing {plot}"):
        content = render(shown.plot(), picture_format(plot, "--plot"))
    write_whole(plot, content, overwrite=overwrite)


def _show_summary(shown: Explained, as_json: bool) -> None:
    summary = shown.summary()
    if as_json:
        emit_json(summary.to_dict())
    else:
        console().print(summed_up(summary))


def _show(everyone: Explained, shown: Explained, identifier: str | None, limit: int) -> None:
    """The explanations as text, as many as the limit says, and a line that counts them."""
    out = console()
    rows = list(zip(shown.names, shown.numbers, shown.explanations, strict=True))
    for who, number, each in rows[:limit]:
        out.print(explanation_group(f"Row {number}" if who is None else f"Row {number}, {identifier} {who}", each))
        out.print()
    declined = sum(each.approved is False for each in everyone.explanations)
    decided = f", {declined:,} declined" if everyone.decided else ""
    rest = f"; {len(rows) - limit:,} more are not shown, see --limit" if len(rows) > limit else ""
    out.print(f"{len(everyone.explanations):,} applicants{decided}{rest}.")
