"""Everything that a run of `scrutable fit` or `search` is told, and the TOML file that repeats a fit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from scrutable.data import MIN_GROUP_SIZE, STATED, DataConfig, SplitConfig
from scrutable.fairness import RatioKind
from scrutable.plugins import Choice, coerce
from scrutable.writing import read_toml, toml_value

#: The learner of a run that names none.
DEFAULT_LEARNER = "additive"
#: The learner of those who follow WoE practice: whose options they may give without its name.
BY_WOE = "scorecard"
#: Folder of the candidates' models, in the one that a search writes.
MODELS = "models"


@dataclass(frozen=True, kw_only=True)
class ReportConfig:
    """The approval rate of the second reading; the share of favourable outcomes when None."""

    approval_rate: float | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewConfig:
    """The file of a review, whose edits the binner replays."""

    edits: str | None = None

    @classmethod
    def of(cls, edits: Path | None) -> ReviewConfig:
        """What an option says of it."""
        return cls(edits=None if edits is None else str(edits))


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
    holdout: str | None = None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is learned from, how, and which rows are held out."""

    data: DataConfig
    learner: Choice = field(default_factory=lambda: Choice(name=DEFAULT_LEARNER))
    binner: Choice | None = None
    review: ReviewConfig = field(default_factory=ReviewConfig)
    constraints: tuple[Choice, ...] = ()
    split: SplitConfig = field(default_factory=SplitConfig)


@dataclass(frozen=True, kw_only=True)
class Run(Recipe):
    """A run of `scrutable fit`. Relative paths start from the folder of the config file, or the current one.

    `output` names what the command writes; `develop` writes nothing, and needs none.
    """

    reject_inference: RejectConfig | None = None
    missing: MissingConfig = field(default_factory=MissingConfig)
    report: ReportConfig = field(default_factory=ReportConfig)
    output: OutputConfig | None = field(default=None, metadata=STATED)

    def moved(self, old: Path, new: Path) -> Run:
        """The run with its relative paths from another folder."""

        def move(path: str) -> str:
            if os.path.isabs(path):
                return path
            return Path(os.path.relpath(old.resolve() / path, new.resolve())).as_posix()

        def moved(path: str | None) -> str | None:
            return None if path is None else move(path)

        output = self.output
        if output is not None:
            further = {name: moved(getattr(output, name)) for name in ("evidence", "holdout")}
            output = OutputConfig(model=move(output.model), **further)
        return replace(
            self,
            review=ReviewConfig(edits=moved(self.review.edits)),
            data=replace(self.data, path=moved(self.data.path)),
            output=output,
        )


@dataclass(frozen=True, kw_only=True)
class SearchRun(Recipe):
    """A run of `scrutable search`; its options as in `LDASearch`.

    `others` are learners beside the first. Each gets of the binner, the review and the constraints what it takes.
    """

    others: tuple[Choice, ...] = ()
    required_ratio: float
    ratio: RatioKind | None = None
    compared_groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    min_group_size: float = MIN_GROUP_SIZE
    margin: float | None = None
    approval_rate: float | None = None
    approval_rates: tuple[float, ...] = ()
    validation_size: float = 0.25

    @property
    def learners(self) -> tuple[Choice, ...]:
        """Every learner that takes part."""
        return (self.learner, *self.others)

    @property
    def names(self) -> str:
        """The learners' names, for a sentence."""
        return ", ".join(dict.fromkeys(each.name for each in self.learners))


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
    name = "additive"
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
