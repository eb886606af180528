"""What is told of a data file: how it is written, what each column is, and which rows are held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scrutable.errors import InputError

#: Metadata of a field that a config file has to state, though it may be None in Python.
STATED = {"stated": True}


@dataclass(frozen=True, kw_only=True)
class FileConfig:
    """How data files are written where their looks do not tell; each as in `scrutable.data.frames.read_file`."""

    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    dates: Literal["d/m/Y", "m/d/Y"] | None = None
    missing: tuple[str, ...] = ()
    separator: str | None = None
    header: int | None = None
    totals: Literal["drop", "keep"] | None = None
    sheet: str | None = None
    database: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReadingConfig(FileConfig):
    """What is told of data files and of their columns; `text` and `numbers` as in `scrutable.data.frames.read_file`.

    `ranges` is the least and the greatest value that columns of numbers may have, by name; how many rows of a file have
    others is told to who measures or scores them. `special` is values that are no measurement, which may lie outside.
    `cuts` is where protected attributes of numbers are cut into groups, by name; at their quartiles if not given.
    """

    text: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    special: Mapping[str, Sequence[str | float]] = field(default_factory=dict)
    cuts: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DataConfig(ReadingConfig):
    """Where the applicants are, and what each column is; every column that is not named is an input.

    `protected_probabilities` names, by protected attribute and group, the column of the probability that a row belongs
    to the group. `reference` names the group that the others are compared with, by protected attribute; else it is the
    largest. `indeterminate` is a class of the target that is neither good nor bad. `accepted` names the column that
    says who was accepted, and so has an outcome; `date` the one that splits by time are made by. `labels` is what
    people call columns, by name. `path` is None where the applicants are given as a frame. `engine` is the source that
    reads them where they live, by name, with options behind a colon.
    """

    path: str | None = field(default=None, metadata=STATED)
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
    labels: Mapping[str, str] = field(default_factory=dict)
    engine: str | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the protected attributes, those whose groups are known first."""
        return (*self.protected, *self.protected_probabilities)

    @property
    def aside(self) -> set[str]:
        """Columns that are no inputs, but those of probabilities."""
        single = (self.target, self.id, self.weight, self.date, self.accepted)
        return {name for name in (*single, *self.attributes, *self.drop) if name is not None}


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
