"""The learners that a run of `scrutable search` names, each with what it takes of the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from scrutable import registry
from scrutable.errors import InputError
from scrutable.plugins.bases import Learner
from scrutable_lifecycle.config import ReviewConfig, SearchRun
from scrutable_lifecycle.learner_options import options_of
from scrutable_lifecycle.learners import create_learner


def learners_of(run: SearchRun, y: pd.Series[Any]) -> list[Learner]:
    """The learners of a run. Each of several has the binner, the review and the constraints where it takes them.

    Raises
    ------
    InputError : none of several learners takes one of these, a learner of quantities, or as in `create_learner`.
    """
    return [_learner(each, y) for each in _each_alone(run)]


def _each_alone(run: SearchRun) -> Iterator[SearchRun]:
    """A run for each of the learners, with what of the binner, the review and the constraints it takes.

    Raises
    ------
    InputError : none of several learners takes one of these.
    """
    if not run.others:
        yield run
        return
    taken = {each.name: _taken_by(each.name) for each in run.learners}
    for option, stated in _stated(run).items():
        if stated and not any(option in options for options in taken.values()):
            fix = f"leave the {option.removesuffix('s')} out, or add a learner that takes it"
            raise InputError(f"none of the learners takes {option}", where=f"learners {run.names}", fix=fix)
    for each in run.learners:
        alone = replace(run, learner=each, others=())
        if "binner" not in taken[each.name]:
            alone = replace(alone, binner=None, review=ReviewConfig())
        yield alone if "constraints" in taken[each.name] else replace(alone, constraints=())


def _stated(run: SearchRun) -> dict[str, bool]:
    """Which parts of a run that not every learner takes are there."""
    return {
        "binner": run.binner is not None or run.review.edits is not None,
        "constraints": bool(run.constraints),
    }


def _taken_by(learner: str) -> set[str]:
    """The options of a learner, constraints only where a search leaves them to it: those on rates."""
    options = set(options_of(learner))
    return options if "rate" in registry().component("learner", learner).accepts else options - {"constraints"}


def _learner(run: SearchRun, y: pd.Series[Any]) -> Learner:
    learner = create_learner(run, y)
    if not isinstance(learner, Learner):
        raise InputError(
            "a search compares decisions, and this learner predicts a quantity",
            where=f"learner {run.learner.name!r}",
            fix="choose a learner of classes; see `scrutable plugins`",
        )
    return learner
