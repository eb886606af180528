"""Everything that a run of `scrutable fit` or `search` is told, and the TOML file that repeats a fit."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from scrutable.cli.choices import Choice
from scrutable.cli.coerce import coerce
from scrutable.errors import InputError
from scrutable.files import read_toml

#: Folder of the candidates' models, in the one that a search writes.
MODELS = "models"


@dataclass(frozen=True, kw_only=True)
class DataConfig:
    """Where the applicants are, and what each column is; every column that is not named is an input.

    `reference` names the group that the others are compared with, by protected attribute; else it is the largest.
    """

    path: str
    target: str
    favourable: str | int | float | bool | None = None
    protected: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    id: str | None = None
    weight: str | None = None
    reference: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SplitConfig:
    """The share of rows that is held out, stratified by the target's classes if it has any; 0 fits on all rows."""

    test_size: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.test_size < 1:
            raise InputError(
                "not a share of rows", where="test_size", got=self.test_size, allowed="0 to below 1", fix="0.3 is usual"
            )
        if self.seed < 0:
            raise InputError("a seed may not be negative", where="seed", got=self.seed, fix="give 0 or more")


@dataclass(frozen=True, kw_only=True)
class ReportConfig:
    """The approval rate of the second reading; the share of favourable outcomes when None."""

    approval_rate: float | None = None


@dataclass(frozen=True, kw_only=True)
class OutputConfig:
    """Files to write."""

    model: str
    evidence: str | None = None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is learned from, how, and which rows are held out."""

    data: DataConfig
    learner: Choice = field(default_factory=lambda: Choice(name="scorecard"))
    binner: Choice | None = None
    constraints: tuple[Choice, ...] = ()
    split: SplitConfig = field(default_factory=SplitConfig)


@dataclass(frozen=True, kw_only=True)
class Run(Recipe):
    """A run of `scrutable fit`. Relative paths start from the folder of the config file, or the current one."""

    report: ReportConfig = field(default_factory=ReportConfig)
    output: OutputConfig

    def moved(self, old: Path, new: Path) -> Run:
        """The same run with its relative paths from another folder."""

        def move(path: str) -> str:
            if os.path.isabs(path):
                return path
            return Path(os.path.relpath(old.resolve() / path, new.resolve())).as_posix()

        evidence = self.output.evidence
        return replace(
            self,
            data=replace(self.data, path=move(self.data.path)),
            output=OutputConfig(model=move(self.output.model), evidence=None if evidence is None else move(evidence)),
        )


@dataclass(frozen=True, kw_only=True)
class SearchRun(Recipe):
    """A run of `scrutable search`; its options as in `LDASearch`."""

    required_ratio: float
    margin: float | None = None
    approval_rate: float | None = None
    approval_rates: tuple[float, ...] = ()
    validation_size: float = 0.25


def load_run(path: Path) -> Run:
    """Read a config file; relative paths in it then start from the current folder.

    Raises
    ------
    InputError : no TOML, an unknown key, a value of another type; the message names the section.
    """
    run: Run = coerce(read_toml(path), Run, f"config {path.name!r}")
    return run.moved(path.parent, Path())


def dump_run(run: Run) -> str:
    """The text of a config file.

    >>> run = Run(data=DataConfig(path="loans.csv", target="paid"), output=OutputConfig(model="model.json"))
    >>> print(dump_run(run).partition("[split]")[0].strip())
    [data]
    path = "loans.csv"
    target = "paid"
    <BLANKLINE>
    [learner]
    name = "scorecard"
    """
    return "\n".join(_sections(run)).strip() + "\n"


def _sections(run: Run) -> Iterator[str]:
    for each in fields(run):
        value = getattr(run, each.name)
        for item in value if isinstance(value, tuple) else [value]:
            entries = {} if item is None else {one.name: getattr(item, one.name) for one in fields(item)}
            lines = [f"{key} = {toml_value(entry)}" for key, entry in entries.items() if entry not in (None, (), {})]
            if lines:
                yield "\n".join([f"[[{each.name}]]" if isinstance(value, tuple) else f"[{each.name}]", *lines, ""])


def toml_value(value: Any) -> str:
    """A value as TOML, on one line; JSON's texts are TOML's too, but for the DEL character."""
    if isinstance(value, str) and _is_utf8(value):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    raise InputError("a config file cannot hold the value", got=value, fix="do without it, or without a config")


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def toml_key(text: str) -> str:
    """A key as TOML, bare where it can be."""
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else toml_value(text)
