"""The options that a registered learner takes, and the binner of a run."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Literal

from scrutable import registry
from scrutable.errors import InputError, PluginError
from scrutable.plugins import Choice, ReviewHeader, read_whole
from scrutable_lifecycle.config import Recipe, ReviewConfig


def options_of(name: str, kind: Literal["learner", "binner"] = "learner") -> Mapping[str, inspect.Parameter]:
    """The options of a registered learner or binner."""
    return inspect.signature(registry().load(kind, name)).parameters


def chosen_binner(run: Recipe) -> Choice:
    """The binner that a run names, or else the one whose bins were reviewed, or else its learner's own.

    Raises
    ------
    InputError : as of `default_binner` and `read_review`.
    """
    if run.binner is not None:
        return run.binner
    if reviewed := _reviewed(run.review):
        return Choice(name=reviewed.binner, options=dict(reviewed.options))
    return Choice(name=default_binner(run.learner.name))


def default_binner(learner: str, review: ReviewConfig | None = None) -> str:
    """The binner of a run that is given options for it, and no name.

    Raises
    ------
    InputError : the learner takes no binner, or has none by default and the review names none.
    """
    taken = options_of(learner)
    if "binner" in taken and review is not None and (reviewed := _reviewed(review)):
        return reviewed.binner
    if "binner" not in taken or not isinstance(default := taken["binner"].default, str):
        fix = "leave it out" if "binner" not in taken else "name the binner, too: --binner NAME"
        raise InputError(f"the learner {learner!r} has no binner by default", where="--binner-option", fix=fix)
    return default


def _reviewed(review: ReviewConfig) -> ReviewHeader | None:
    """What a review was made with, where its file says so.

    Raises
    ------
    PluginError : a binner that is not here; the message names the file.
    """
    header = None if review.edits is None else read_whole(review.edits).header
    if header is not None:
        try:
            registry().load("binner", header.binner)
        except PluginError as error:
            error.where = f"file {review.edits!r}, [review]"
            raise
    return header
