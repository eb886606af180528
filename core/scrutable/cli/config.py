"""Everything that a run of `scrutable fit` or `search` is told, and the TOML file that repeats a fit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from scrutable.cli.choices import Choice
from scrutable.cli.coerce import coerce
from scrutable.decoder import read_toml
from scrutable.errors import InputError
from scrutable.fairness.judged import RatioKind
from scrutable.toml import toml_value

#: Folder of the candidates' models, in the one that a search writes.
MODELS = "models"


@dataclass(frozen=True, kw_only=True)
class ReadingConfig:
    """What is told of CSV files where their looks do not tell; each as in `scrutable.frames.read_file`."""

    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    dates: Literal["d/m/Y", "m/d/Y"] | None = None
    text: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DataConfig(ReadingConfig):
    """Where the applicants are, and what each column is; every column that is not named is an input.

    `protected_probabilities` names, by protected attribute and group, the column of the probability that a row belongs
    to the group. `reference` names the group that the others are compared with, by protected attribute; else it is the
    largest. `indeterminate` is a class of the target that is neither good nor bad. `accepted` names the column that
    says who was accepted, and so has an outcome; `date` the one that splits by time are made by.
    """

    path: str
    target: str
    favourable: str | int | float | bool | None = None
    protected: tuple[str, ...] = ()
    protected_probabilities: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    id: str | None = None
    weight: str | None = None
    reference: Mapping[str, str] = field(default_factory=dict)
    indeterminate: str | int | float | bool | None = None
    accepted: str | None = None
    date: str | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the protected attributes, those whose groups are known first."""
        return (*self.protected, *self.protected_probabilities)


@dataclass(frozen=True, kw_only=True)
class SplitConfig:
    """The share of rows that is held out, stratified by the target's classes if it has any; 0 fits on all rows.

    With `out_of_time`, a date or the share of the latest rows, those from then on are held out instead.
    """

    test_size: float = 0.3
    seed: int = 0
    out_of_time: str | None = None

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
class ReviewConfig:
    """The file of a review, whose edits the binner replays."""

    edits: str | None = None


@dataclass(frozen=True, kw_only=True)
class RejectConfig:
    """How outcomes of declined applicants are inferred: `factor` multiplies odds of default, or bands' bad rates."""

    method: Literal["fuzzy", "parcelling"]
    factor: float = 1.0


@dataclass(frozen=True, kw_only=True)
class MissingConfig:
    """Missing values that knock-outs decline: "all" inputs at once, or one that was there on every training row."""

    refuse: Literal["all", "unseen"] | None = None


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
    review: ReviewConfig = field(default_factory=ReviewConfig)
    constraints: tuple[Choice, ...] = ()
    split: SplitConfig = field(default_factory=SplitConfig)


@dataclass(frozen=True, kw_only=True)
class Run(Recipe):
    """A run of `scrutable fit`. Relative paths start from the folder of the config file, or the current one."""

    reject_inference: RejectConfig | None = None
    missing: MissingConfig = field(default_factory=MissingConfig)
    report: ReportConfig = field(default_factory=ReportConfig)
    output: OutputConfig

    def moved(self, old: Path, new: Path) -> Run:
        """The same run with its relative paths from another folder."""

        def move(path: str) -> str:
            if os.path.isabs(path):
                return path
            return Path(os.path.relpath(old.resolve() / path, new.resolve())).as_posix()

        evidence, edits = self.output.evidence, self.review.edits
        return replace(
            self,
            review=ReviewConfig(edits=None if edits is None else move(edits)),
            data=replace(self.data, path=move(self.data.path)),
            output=OutputConfig(model=move(self.output.model), evidence=None if evidence is None else move(evidence)),
        )


@dataclass(frozen=True, kw_only=True)
class SearchRun(Recipe):
    """A run of `scrutable search`; its options as in `LDASearch`."""

    required_ratio: float
    ratio: RatioKind = "four-fifths"
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
    """The text of a config file; components of third parties are named with their distributions.

    >>> run = Run(data=DataConfig(path="loans.csv", target="paid"), output=OutputConfig(model="model.json"))
    >>> print(dump_run(run).partition("[split]")[0].strip())
    [data]
    path = "loans.csv"
    target = "paid"
    <BLANKLINE>
    [learner]
    name = "scorecard"
    """
    named = replace(
        run,
        learner=run.learner.recorded("learner"),
        binner=None if run.binner is None else run.binner.recorded("binner"),
        constraints=tuple(each.recorded("constraint") for each in run.constraints),
    )
    return "\n".join(_sections(named)).strip() + "\n"


def _sections(run: Run) -> Iterator[str]:
    for each in fields(run):
        value = getattr(run, each.name)
        for item in value if isinstance(value, tuple) else [value]:
            entries = {} if item is None else {one.name: getattr(item, one.name) for one in fields(item)}
            lines = [f"{key} = {toml_value(entry)}" for key, entry in entries.items() if entry not in (None, (), {})]
            if lines:
                yield "\n".join([f"[[{each.name}]]" if isinstance(value, tuple) else f"[{each.name}]", *lines, ""])
