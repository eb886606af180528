"""A run with the options that a data dictionary has for its learner and its binner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from scrutable.plugins import Choice, DataDictionary, selector_keeping, special_codes_for
from scrutable_lifecycle.config import Recipe, SearchRun
from scrutable_lifecycle.learner_options import chosen_binner, options_of

R = TypeVar("R", bound=Recipe)


def with_known(run: R, dictionary: DataDictionary | None) -> tuple[R, tuple[str, ...]]:
    """The run with special codes and features that have to be kept, and what of them does not hold.

    Roles are the columns' own: see `scrutable.plugins.config_by_dictionary`.
    """
    told: list[str] = []
    if dictionary is None:
        return run, ()
    must = [name for name in dictionary.must if name not in run.data.aside]
    if passed := [name for name in dictionary.must if name not in must]:
        told.append(f"must names {', '.join(map(repr, passed))}, which is no input of this run; it is passed over")
    for name, value in (("special_codes", special_codes_for(run.data, dictionary)), ("must", must)):
        if value:
            run, more = _with_option(run, name, value)
            told += more
    return run, tuple(told)


def each_with_known(run: SearchRun, dictionary: DataDictionary | None) -> tuple[SearchRun, tuple[str, ...]]:
    """A search with what the dictionary has for each of its learners, and what of it does not hold.

    A binner is that of all learners, so that one of several has nothing from the dictionary by its binner alone.
    """
    if not run.others:
        return with_known(run, dictionary)
    learners: list[Choice] = []
    told: list[str] = []
    for choice in run.learners:
        alone, more = with_known(replace(run, learner=choice), dictionary)
        learners.append(alone.learner)
        told += more
        if alone.binner != run.binner:
            only = f"learner {choice.name!r} takes what the dictionary has by its binner only"
            told.append(f"{only}, which among several learners is passed over: search it alone")
    return replace(run, learner=learners[0], others=tuple(learners[1:])), tuple(dict.fromkeys(told))


def _with_option(run: R, name: str, value: Any) -> tuple[R, list[str]]:
    """The run with an option of its learner, or else of its binner, and what is told where neither takes it."""
    if name in run.learner.all_options or (run.binner is not None and name in run.binner.all_options):
        return run, [f"{name} is given as an option, which holds; the dictionary's is passed over"]
    taken = options_of(run.learner.name)
    if name in taken:
        return replace(run, learner=_with(run.learner, name, value)), []
    if "binner" in taken:
        binner = chosen_binner(run)
        if name in options_of(binner.name, "binner"):
            return replace(run, binner=_with(binner, name, value)), []
    if name == "must" and "select" in taken and isinstance(taken["select"].default, str | None):
        return _with_selector(run, taken["select"].default, value)
    return run, [f"learner {run.learner.name!r} takes no {name}; the dictionary's is passed over"]


def _with_selector(run: R, default: str | None, must: Sequence[str]) -> tuple[R, list[str]]:
    """The run with features that the selector of its learner has to keep; where nothing is selected, all stay."""
    chosen = run.learner.all_options.get("select", default)
    if chosen is None:
        return run, []
    text, told = selector_keeping(chosen, must)
    return (run if told else replace(run, learner=_with(run.learner, "select", text))), [*told]


def _with(choice: Choice, name: str, value: Any) -> Choice:
    return replace(choice, options={**choice.options, name: value})
