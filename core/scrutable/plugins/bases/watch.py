"""What an exporter needs to know to watch a table of applicants: what is counted, beside which counts of a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrutable.errors import InputError
from scrutable.fairness import RatioKind
from scrutable.model.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A band, an attribute, a cell, a segment or a reason.

    Parameters
    ----------
    name : what is in it; empty where the distribution has no other.
    places : what outputs of the program give for rows in it.
    count : how many rows of the baseline are in it; None where that is not known, or not told.
    """

    name: str
    places: tuple[int, ...]
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Rows counted by level.

    Parameters
    ----------
    measure : `psi` or `csi`, of which there is an index; else what the shares are, such as `missing`.
    subject : of what, such as a characteristic's title.
    outputs : of the program. A row is in a level that any of them gives, and in none where the first gives nothing.
    rows : how many rows of the baseline are in any; None where no counts of it are given.
    warn, alert : from which index on it is a warning and an alert.
    """

    measure: str
    subject: str
    outputs: tuple[str, ...]
    levels: tuple[Level, ...]
    rows: int | None = None
    warn: float | None = None
    alert: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedGroups:
    """Ratios of approval rates among the groups of columns of the table.

    Parameters
    ----------
    references : by column, the group that the others are compared with.
    ratio : which ratio is held against a threshold.
    least : the threshold, and from which ratio on it is met: that is lower by a rounding.
    smallest : groups of fewer rows are shown, not judged.
    told : groups of fewer rows are counted with others.
    """

    references: Mapping[str, str]
    ratio: RatioKind
    least: tuple[float, float]
    smallest: float
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedOutcome:
    """A column of outcomes, NULL where they are not yet known, and its two values; any but the good one if None."""

    column: str
    good: str | float
    bad: str | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is watched of the rows that a model decides about.

    Parameters
    ----------
    model_sha256 : the fingerprint of the model.
    program : gives what is counted, see `scrutable.model.program.watched`.
    distributions : what is counted.
    groups, outcome : columns of the table; None without.
    notes : what else is to be known, in sentences.
    """

    model_sha256: str
    program: Program
    distributions: tuple[Distribution, ...]
    groups: WatchedGroups | None = None
    outcome: WatchedOutcome | None = None
    notes: tuple[str, ...] = ()

    def check(self, fingerprint: str) -> None:
        """Refuse another model's.

        Raises
        ------
        InputError : the fingerprint is another.
        """
        if fingerprint != self.model_sha256:
            raise InputError(
                "what is to be watched is another model's",
                where="option monitoring",
                got=self.model_sha256,
                allowed=fingerprint,
                fix="make it of the model that is exported",
            )
