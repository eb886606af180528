"""The learner and the binner that a run asks for, with the options that they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from scrutable.data import favourable_class
from scrutable.errors import InputError, PluginError
from scrutable.model import Model, Quantity
from scrutable.plugins import CardChoice, Choice, ReviewHeader, read_whole
from scrutable.plugins.bases import Binner, Learner, RegressionLearner
from scrutable_lifecycle.config import BY_WOE, DEFAULT_LEARNER, Recipe
from scrutable_lifecycle.learner_options import chosen_binner, default_binner, options_of

#: Options of ours that leave inputs out where they are too large for the rows.
_LEAVING_OUT = ("leaf_penalty", "min_share", "min_count", "min_events")


def create_learner(run: Recipe, y: pd.Series) -> Learner | RegressionLearner:
    """The learner of a run with its binner, constraints and favourable class.

    Raises
    ------
    InputError : the learner takes no favourable class, binner or constraints; constraints among its options; it is not
        said which of two classes is favourable, and their labels do not tell; what has to be kept is no input.
    """
    further: dict[str, Any] = {}
    _refuse_must_aside(run)
    if "constraints" in run.learner.all_options:
        raise InputError(
            "constraints are stated apart from the learner's options",
            where="option 'constraints'",
            got=run.learner.all_options["constraints"],
            allowed="--constraint NAME:KEY=VALUE, or [[constraints]] in a config",
            fix="for example --constraint NAME:slack=0.05",
        )
    if run.data.favourable is not None:
        _refuse_untaken(run.learner.name, ["favourable"])
    if "favourable" in options_of(run.learner.name) and "favourable" not in run.learner.all_options:
        further["favourable"] = favourable_class(y, run.data.favourable)
    choice = chosen_card(run)
    if choice is not None:
        further[choice.option] = choice.steps
    if run.binner is not None or run.review.edits is not None:
        _refuse_untaken(run.learner.name, ["binner"])
        further["binner"] = create_binner(run, further.get("favourable"))
    if run.constraints:
        further["constraints"] = tuple(each.create("constraint") for each in run.constraints)
        if not run.data.attributes:
            fix = "name their columns with --protected or --protected-probabilities"
            raise InputError("a constraint needs protected attributes", where="constraint", fix=fix)
    _refuse_untaken(run.learner.name, further)
    _refuse_misplaced(run)
    learner: Learner | RegressionLearner = run.learner.create("learner", **further)
    return learner


def chosen_card(run: Recipe) -> CardChoice | None:
    """The card that the review of a run chose; None where it chose none.

    Raises
    ------
    InputError : a card of another learner, or its option is given, too; or as in `read_review`.
    """
    choice = None if run.review.edits is None else read_whole(run.review.edits).choice
    if choice is None:
        return None
    where = f"--edits, file {run.review.edits!r}, [choice]"
    if choice.learner != run.learner.name:
        fix = f"fit with --learner {choice.learner}, or delete the table [choice]"
        raise InputError("the card is one of another learner", where=where, got=choice.learner, fix=fix)
    if choice.option in run.learner.all_options:
        got = run.learner.all_options[choice.option]
        fix = f"leave --option {choice.option}=… out, or delete the table [choice]"
        raise InputError("the card is chosen twice", where=where, got=(choice.steps, got), fix=fix)
    return choice


def check_favoured(model: Model, run: Recipe, y: pd.Series) -> None:
    """That a model favours the class that the run or the labels name, whatever its learner does in `fit`.

    Raises
    ------
    PluginError : it favours another one, so that it would approve the wrong applicants.
    """
    if isinstance(model.outcome, Quantity):
        return
    wanted = favourable_class(y, run.data.favourable)
    if wanted is not None and model.outcome.favourable != wanted:
        raise PluginError(
            "the learner's model favours another class than it was asked to",
            where=f"learner {run.learner.name!r}",
            got=model.outcome.favourable,
            allowed=repr(wanted),
            fix="choose another learner, and report this to whoever made it",
        )


def create_binner(run: Recipe, favourable: Any = None) -> Binner:
    """The binner of a run by `chosen_binner`, with the edits of a review.

    Parameters
    ----------
    favourable : the favourable class if it is chosen, which a review must share.

    Raises
    ------
    InputError : edits in the options of the binner, too, a review of other bins, or as in `read_review`.
    """
    chosen, edits = chosen_binner(run), run.review.edits
    for option in chosen.all_options:
        _refuse_of_woe(run, f"binner {chosen.name!r}", chosen.name, option)
    if edits is None:
        made: Binner = chosen.create("binner")
        return made
    if "edits" in chosen.all_options:
        fix = "put them into the file"
        raise InputError("edits are given twice", where="--edits", got=edits, fix=fix)
    header, replayed, _ = read_whole(edits)
    reviewed: Binner = chosen.create("binner", edits=replayed)
    if header is not None:
        header.check(ReviewHeader.of(reviewed, favourable), f"--edits, file {edits!r}")
    return reviewed


def _refuse_untaken(name: str, further: Iterable[str]) -> None:
    taken = options_of(name)
    for option in further:
        if option not in taken:
            singular = option.removesuffix("s")
            fix = f"leave the {singular} out, or choose another learner; see `scrutable plugins`"
            raise InputError(f"the learner takes no {option}", where=f"learner {name!r}", fix=fix)


def leaving_out(run: Recipe) -> Iterator[str]:
    """Options of the run's learner and binner that leave inputs out where they are too large for the rows."""
    taken = options_of(run.learner.name)
    yield from (f"--option {name}" for name in _LEAVING_OUT if name in taken)
    if "binner" in taken:
        of_binner = options_of(chosen_binner(run).name, "binner")
        yield from (f"--binner-option {name}" for name in _LEAVING_OUT if name in of_binner)


def _refuse_misplaced(run: Recipe) -> None:
    """Refuse an option that another component takes, and say which."""
    taken = options_of(run.learner.name)
    for option in run.learner.all_options if "binner" in taken else ():
        if option not in taken:
            _refuse_of_others(run, option)


def _refuse_of_others(run: Recipe, option: str) -> None:
    where = f"learner {run.learner.name!r}"
    if run.learner.name == DEFAULT_LEARNER and option in options_of(BY_WOE):
        fix = f"--learner {BY_WOE}, or leave the option out"
        raise InputError(f"an option of the learner {BY_WOE!r}", where=where, got=option, fix=fix)
    binner = chosen_binner(run).name
    if option in options_of(binner, "binner"):
        name = f"--binner {binner} " if run.binner is None else ""
        raise InputError(
            "an option of the binner, not of the learner",
            where=where,
            got=option,
            fix=f"{name}--binner-option {option}=…",
        )
    _refuse_of_woe(run, where, binner, option)


def _refuse_of_woe(run: Recipe, where: str, binner: str, option: str) -> None:
    """Refuse an option that the binner of WoE practice has, and the default learner's own has not."""
    if run.learner.name != DEFAULT_LEARNER or binner != default_binner(DEFAULT_LEARNER):
        return
    if option not in options_of(binner, "binner") and option in options_of(other := default_binner(BY_WOE), "binner"):
        fix = f"--binner {other} --binner-option {option}=…"
        raise InputError(f"an option of the binner {other!r}", where=where, got=option, fix=fix)


def _refuse_must_aside(run: Recipe) -> None:
    """Refuse names of `must`, of the learner or its selector, whose columns are no inputs."""
    options, data = run.learner.all_options, run.data
    chosen = options.get("select")
    selector = Choice.parse(chosen, "select").all_options if isinstance(chosen, str) else {}
    for must in (options.get("must"), selector.get("must")):
        for name in must if isinstance(must, list | tuple) else ():
            if name in data.aside:
                why = "protected" if name in data.attributes else "left out" if name in data.drop else "of another role"
                raise InputError(
                    f"the column is there but {why}, so that no model reads it",
                    where="must",
                    got=name,
                    fix="leave it out of must, or make it a feature: --drop, --protected, and ignore and never of a "
                    "data dictionary make it none",
                )
