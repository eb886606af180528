"""Interactions: two features and a two-way table of points."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from scrutable.data.features import Feature
from scrutable.data.values import name, snap, text
from scrutable.errors import ModelError
from scrutable.model.characteristics import check_partition
from scrutable.model.conditions import AttributeCondition, describe_alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One side of a two-way table: a feature, and conditions that are exclusive and exhaustive over its values.

    Parameters
    ----------
    labels : of each condition, in the place of the condition in words; none, or one for each.
    """

    feature: str
    conditions: tuple[AttributeCondition, ...]
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = f"axis {self.feature!r}"
        for label in self.labels:
            text(label, f"{where}: label")
        if len(self.labels) not in (0, len(self.conditions)):
            allowed = f"none, or {len(self.conditions)}"
            raise ModelError("a label for each condition", where=where, got=len(self.labels), allowed=allowed)

    @property
    def titles(self) -> tuple[str, ...]:
        """The label of each condition, or the condition in words; all intervals are of one kind."""
        words = describe_alike(self.conditions)
        labels = self.labels or ("",) * len(words)
        return tuple(label or told for label, told in zip(labels, words, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Points by the attributes of two features together, such as those that say more than both do alone.

    It stands beside the characteristics: its points are added to theirs. A reason policy speaks of it by its name, as
    of a feature: `baselines` has its baseline and `codes` its code, which may be a code of its own, whose text names
    both features, or that of one of them; so the policy declares how a shortfall of the table is called.

    Parameters
    ----------
    rows, columns : the two features, and how their values are cut.
    points : for each condition of `rows` the points for each condition of `columns`, snapped to multiples of 2^-30.
    name : which names it in reason policies and results; by default "<rows> x <columns>".

    Examples
    --------
    >>> from scrutable.model import Interval, Missing
    >>> halves = lambda cut: (Interval(upper=cut), Interval(lower=cut), Missing())
    >>> table = Interaction(rows=Axis(feature="age", conditions=halves(30)),
    ...     columns=Axis(feature="debts", conditions=halves(2)), points=((0, -20, 0), (5, 0, 0), (0, 0, 0)))
    >>> table.name, table.points_range
    ('age x debts', (-20.0, 5.0))
    """

    rows: Axis
    columns: Axis
    points: tuple[tuple[float, ...], ...]
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", name(self.name or " x ".join(self.features), "name of an interaction"))
        object.__setattr__(self, "points", tuple(tuple(map(snap, row)) for row in self.points))
        if self.rows.feature == self.columns.feature:
            raise ModelError("an interaction is of two features", where=self._where, got=self.rows.feature)
        expected = (len(self.rows.conditions), len(self.columns.conditions))
        if len(self.points) != expected[0] or any(len(row) != expected[1] for row in self.points):
            raise ModelError(
                "points must be a row for each condition of `rows`, and in it a number for each of `columns`",
                where=self._where,
                got=[len(row) for row in self.points],
                allowed=f"{expected[0]} rows of {expected[1]}",
            )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def features(self) -> tuple[str, str]:
        """The features of rows and columns."""
        return self.rows.feature, self.columns.feature

    @property
    def cells(self) -> tuple[float, ...]:
        """The points row by row."""
        return tuple(points for row in self.points for points in row)

    @property
    def titles(self) -> tuple[str, ...]:
        """What each cell says of an applicant, row by row: both conditions in words."""
        return tuple(map("; ".join, itertools.product(self.rows.titles, self.columns.titles)))

    @property
    def is_constant(self) -> bool:
        """Whether everybody gets the same points here, so that it moves no score."""
        return len(set(self.cells)) == 1

    @property
    def points_range(self) -> tuple[float, float]:
        """Fewest and most points an applicant can get here."""
        return min(self.cells), max(self.cells)

    @property
    def _where(self) -> str:
        return f"interaction {self.name!r}"

    def with_points(self, change: Callable[[float], float]) -> Self:
        """The table with other points, by the old ones."""
        return replace(self, points=tuple(tuple(map(change, row)) for row in self.points))

    def title(self, features: Mapping[str, Feature]) -> str:
        """The titles of both features."""
        return " x ".join(features[name].title for name in self.features)

    def check(self, features: dict[str, Feature]) -> None:
        """Refuse unknown features, gaps, overlaps, and conditions that cannot apply to the feature."""
        for axis in self.axes:
            if axis.feature not in features:
                raise ModelError("unknown feature", where=self._where, got=axis.feature)
            check_partition(features[axis.feature], axis.conditions, f"{self._where}, axis {axis.feature!r}")
