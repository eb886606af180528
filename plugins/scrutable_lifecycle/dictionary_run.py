"""A run that a data dictionary completes; what the run states itself comes first, and what that overrules is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from scrutable.data import DataConfig, read_names
from scrutable.errors import InputError
from scrutable.plugins import Choice, DataDictionary
from scrutable_lifecycle.config import Run
from scrutable_lifecycle.learner_options import chosen_binner, options_of

#: Parts of a config that name one column, by the role of that column.
_SINGLE: dict[Literal["outcome", "identifier", "weight", "date"], str] = {
    "outcome": "target",
    "identifier": "id",
    "weight": "weight",
    "date": "date",
}


def completed(run: Run, dictionary: DataDictionary) -> tuple[Run, tuple[str, ...]]:
    """The run with roles, types, labels, special codes and lists of a dictionary, and what of it does not hold.

    A column that the dictionary gives a role which the run gives another column is left out, since it is no input;
    so are features that may never be read. Lists of the run (protected attributes, dropped columns) are added to.

    Raises
    ------
    InputError : a column that the file lacks.
    """
    assert run.data.path is not None
    dictionary.check_columns(read_names(run.data.path, run.data), f"file {run.data.path!r}")
    data, told = _columns(run.data, dictionary)
    aside = {data.target, *data.attributes, *data.drop}
    codes = {name: codes for name, codes in dictionary.special_codes.items() if name not in aside}
    must = [name for name in dictionary.must if name not in aside]
    run = replace(run, data=data)
    for name, value in (("special_codes", codes), ("must", must)):
        if value:
            run, more = _with_option(run, name, value)
            told += more
    return run, tuple(told)


def _columns(config: DataConfig, dictionary: DataDictionary) -> tuple[DataConfig, list[str]]:
    stated = {name for name in (config.target, config.id, config.weight, config.date, config.accepted) if name}
    stated |= {*config.attributes, *config.drop}
    aside = [name for name in (*dictionary.having("ignore"), *dictionary.never) if name not in stated]
    single: dict[str, Any] = {}
    told = []
    for role, part in _SINGLE.items():
        for name in dictionary.having(role):
            chosen = getattr(config, part)
            if chosen is None and name not in stated:
                single[part] = name
            elif chosen is not None and chosen != name:
                told.append(f"--{part} says {chosen!r}, and the dictionary {name!r}; the option holds")
                aside += [name] if name not in stated else []
    protected = [name for name in dictionary.having("protected") if name not in stated]
    told += [
        f"the options give column {name!r} another role than the dictionary, {column.role!r}; the options hold"
        for name, column in dictionary.columns.items()
        if name in stated and not _agree(config, name, column.role)
    ]
    favourable = [column.favourable for name, column in dictionary.columns.items() if name == config.target]
    groups = {name: dictionary.columns[name].reference for name in protected}
    return replace(
        config,
        **single,
        favourable=next(iter(favourable), None) if config.favourable is None else config.favourable,
        protected=(*config.protected, *protected),
        drop=(*config.drop, *aside),
        reference={**{name: group for name, group in groups.items() if group is not None}, **config.reference},
        text=(*config.text, *_typed(config, dictionary, "text")),
        numbers=(*config.numbers, *_typed(config, dictionary, "number")),
        labels={**dictionary.labels, **config.labels},
    ), told


def _agree(config: DataConfig, name: str, role: str) -> bool:
    """Whether the options say of a column what the dictionary says, or the opposite was told already."""
    for single, part in _SINGLE.items():
        if role == single:
            return getattr(config, part) is not None or name in config.drop
    return {"protected": name in config.attributes, "ignore": name in config.drop}.get(role, name in config.drop)


def _typed(config: DataConfig, dictionary: DataDictionary, kind: str) -> Iterator[str]:
    """Columns of a type of which the options do not speak."""
    spoken = {*config.text, *config.numbers}
    return (name for name, each in dictionary.columns.items() if each.type == kind and name not in spoken)


def _with_option(run: Run, name: str, value: Any) -> tuple[Run, list[str]]:
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
    if name == "must" and "select" in taken and isinstance(taken["select"].default, str):
        return _with_selector(run, taken["select"].default, value)
    return run, [f"learner {run.learner.name!r} takes no {name}; the dictionary's is passed over"]


def _with_selector(run: Run, default: str, must: Sequence[str]) -> tuple[Run, list[str]]:
    """The run with features that the selector of its learner has to keep; where nothing is selected, all stay."""
    chosen = run.learner.all_options.get("select", default)
    if chosen is None:
        return run, []
    if "must" in Choice.parse(chosen, "select").all_options:
        return run, ["the selector is given a list must, which holds; the dictionary's is passed over"]
    further = f"must={json.dumps(list(must))}"
    text = f"{chosen},{further}" if "=" in chosen else f"{chosen}:{further}"
    return replace(run, learner=_with(run.learner, "select", text)), []


def _with(choice: Choice, name: str, value: Any) -> Choice:
    return replace(choice, options={**choice.options, name: value})


def required_target(target: str | None, dictionary: DataDictionary | None) -> str:
    """The column of the outcome by an option, or else by the dictionary.

    Raises
    ------
    InputError : neither says it.
    """
    said = target or (None if dictionary is None else next(iter(dictionary.having("outcome")), None))
    if said is None:
        raise InputError(
            "an option is missing",
            where="scrutable fit",
            allowed="--target: the column of the outcome",
            fix='give --target, or a column of the dictionary role = "outcome"',
        )
    return said
