"""Rows to learn from, wherever they live, and all that learners ask of them: counts, codes, and batches of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.coded_rows import CodedRows, Coding
from scrutable.data.features import Feature
from scrutable.data.frames import Column, Table
from scrutable.data.groups import Groups
from scrutable.data.outcome import Outcome
from scrutable.data.separation import Alone
from scrutable.data.value_counts import ValueCounts
from scrutable.errors import InputError

Floats = NDArray[np.float64]


class RowsNeededError(InputError):
    """A component that needs the rows themselves, and rows that are not in memory."""

    def __init__(self, where: str) -> None:
        super().__init__(
            "the rows themselves are needed, and not only counts of them",
            where=where,
            got="rows that are not in memory",
            fix="give a frame, such as a sample of the rows; or choose a component that does with counts",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AllRows:
    """Sums over all rows that have a weight, whatever their values.

    Parameters
    ----------
    weight : of all rows together.
    target : sum of weight times target.
    count : how many there are.
    lightest, heaviest : weight of the lightest and of the heaviest.
    """

    weight: float
    target: float
    count: int
    lightest: float
    heaviest: float

    @property
    def row(self) -> float:
        """Weight of an average row."""
        return self.weight / self.count

    @property
    def weighted(self) -> bool:
        """Whether any row weighs something else than 1."""
        return (self.lightest, self.heaviest) != (1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """Some of the rows.

    Parameters
    ----------
    table : their inputs.
    good : (m,) whether the outcome is favourable.
    weight : (m,) sample weights.
    """

    table: Table
    good: NDArray[np.bool_]
    weight: Floats


class TrainingRows(ABC):
    """Rows to learn from, wherever they live and whatever their target is.

    What is counted and added up is the same for every order of the rows, and however they are shared out.

    Attributes
    ----------
    features : what each input column is.
    columns : a column of each feature: its values row by row or, where the rows are not in memory, each value or bucket
        of values once.
    groups : protected groups, where they were given.
    """

    features: tuple[Feature, ...]
    columns: Mapping[str, Column]
    groups: Groups | None

    @property
    @abstractmethod
    def every(self) -> AllRows:
        """Sums over all rows."""

    @abstractmethod
    def counts(self, feature: Feature, *, exact: bool = False) -> ValueCounts:
        """How the rows spread over the values of a feature, or buckets of them; counted when first asked for.

        Parameters
        ----------
        exact : whether each value has to be by itself.
        """

    @abstractmethod
    def counts_between(self, feature: Feature, ends: Sequence[float]) -> ValueCounts:
        """How the rows spread over buckets that no number of a list divides; over the values, if the list is empty."""

    @abstractmethod
    def of_features(self, features: tuple[Feature, ...]) -> Self:
        """The rows with some of the features."""

    @abstractmethod
    def coded(self, codings: Sequence[Coding]) -> CodedRows:
        """The rows by the bin that each has of several features."""

    @abstractmethod
    def effective_sizes(self, attribute: ProtectedAttribute) -> Floats:
        """(groups,) how many rows of equal weight tell as much of each group."""

    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 of what inputs, outcomes, weights and groups hold, whatever they came in and in whatever order."""

    def described(self) -> str:
        """What a fingerprint is of beside the rows."""
        inputs = [(feature.name, feature.kind) for feature in self.features]
        attributes = self.groups.attributes if self.groups else ()
        return repr((inputs, [(each.name, each.labels, each.reference) for each in attributes]))


class LabelledRows(TrainingRows):
    """Rows to learn classes from.

    Attributes
    ----------
    outcome : the classes, and which one is favourable.
    classes : the classes as the outcomes held them, sorted.
    """

    outcome: Outcome
    classes: NDArray[Any]

    @property
    @abstractmethod
    def by_outcome(self) -> Floats:
        """(2, 2) number and weight of the rows of some weight with another, and with the favourable outcome."""

    @abstractmethod
    def batches(self, names: Sequence[str] | None = None) -> Iterator[Batch]:
        """All rows, each in one batch, as often as they are asked for.

        Parameters
        ----------
        names : inputs that are looked at; all of them where None.
        """

    @abstractmethod
    def witnesses(self) -> tuple[NDArray[Any], Groups]:
        """Outcomes, as fairness constraints read them, and groups of rows that stand for all.

        Where the rows are not in memory, these are at most so many of each outcome and combination of groups as tell
        whether a group is small. There have to be groups.
        """

    @property
    @abstractmethod
    def alone(self) -> dict[str, Alone]:
        """What each input tells of the outcome of two classes by itself."""

    @property
    def leaks(self) -> dict[str, str]:
        """Inputs that separate the outcome of two classes nearly perfectly, with how; see `separating`."""
        return {name: each.separates for name, each in self.alone.items() if each.separates}

    def described(self) -> str:
        return repr((super().described(), self.outcome.classes))
