"""Characteristics: the attributes of a feature, each with its points."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from scrutable.data.features import Feature, Value
from scrutable.data.values import finite, name, snap, text
from scrutable.errors import ModelError
from scrutable.model.conditions import (
    AttributeCondition,
    Categories,
    Interval,
    Missing,
    Otherwise,
    Special,
    describe_alike,
)
from scrutable.model.trends import PointTrend, Step, trend_in_words, trend_of
from scrutable.writing.decimals import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What an attribute looked like in training: weighted good and bad counts, share of applicants, WoE.

    WoE is ln((good_i / good) / (bad_i / bad)): positive where the favourable outcome is more frequent than overall.
    """

    #: Where statistics of either kind may stand, these need no `type` in files.
    type_implied: ClassVar[bool] = True

    good: float
    bad: float
    share: float
    woe: float

    def __post_init__(self) -> None:
        for key in ("good", "bad", "share", "woe"):
            object.__setattr__(self, key, finite(getattr(self, key), f"attribute statistics: {key}"))

    @property
    def count(self) -> float:
        """Weighted number of applicants."""
        return self.good + self.bad

    @property
    def bad_rate(self) -> float:
        """Share of unfavourable outcomes; 0 where nobody was seen."""
        return self.bad / self.count if self.count else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanStatistics:
    """What an attribute looked like in training for a quantity: weighted count and share of applicants, mean of it."""

    count: float
    share: float
    mean: float

    def __post_init__(self) -> None:
        for key in ("count", "share", "mean"):
            object.__setattr__(self, key, finite(getattr(self, key), f"attribute statistics: {key}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One condition of a characteristic and its points, snapped to multiples of 2^-30."""

    condition: AttributeCondition
    points: float
    label: str = ""
    reason_code: str | None = None
    statistics: Statistics | MeanStatistics | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", snap(self.points))
        text(self.label, "attribute label")
        if self.reason_code is not None:
            name(self.reason_code, "reason code of an attribute")


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristic:
    """A feature and its attributes: exclusive, and exhaustive over every value the feature can have."""

    feature: str
    attributes: tuple[Attribute, ...]

    @property
    def conditions(self) -> tuple[AttributeCondition, ...]:
        """What each attribute asks."""
        return tuple(attribute.condition for attribute in self.attributes)

    @property
    def titles(self) -> tuple[str, ...]:
        """The label of each attribute, or its condition in words; all intervals are of one kind."""
        words = describe_alike(self.conditions)
        return tuple(each.label or told for each, told in zip(self.attributes, words, strict=True))

    @property
    def cells(self) -> tuple[float, ...]:
        """The points of each attribute."""
        return tuple(attribute.points for attribute in self.attributes)

    @property
    def points_range(self) -> tuple[float, float]:
        """Fewest and most points an applicant can get here."""
        return min(self.cells), max(self.cells)

    @property
    def is_constant(self) -> bool:
        """Whether everybody gets the same points here, so that it moves no score."""
        fewest, most = self.points_range
        return fewest == most

    @property
    def trend(self) -> PointTrend | None:
        """Whether points rise or fall throughout as a number rises; None for categories, and where they are the same.

        Missing values and special codes do not count.
        """
        return trend_of(self._steps)

    @property
    def trend_in_words(self) -> str:
        """What points do as a number rises, such as "rise up to [5, 9) and fall above"; empty where `trend` is None."""
        return trend_in_words(self._steps)

    @property
    def _steps(self) -> list[Step]:
        return [(each.condition, each.points) for each in self.attributes if isinstance(each.condition, Interval)]

    def with_points(self, change: Callable[[float], float]) -> Self:
        """The characteristic with other points, by the old ones."""
        return replace(self, attributes=tuple(replace(each, points=change(each.points)) for each in self.attributes))

    def check(self, feature: Feature) -> None:
        """Refuse gaps, overlaps, and attributes that cannot apply to the feature."""
        check_partition(feature, self.conditions)


def check_partition(feature: Feature, conditions: tuple[AttributeCondition, ...], where: str = "") -> None:
    """Refuse conditions that are not exclusive and exhaustive over the feature's values.

    Parameters
    ----------
    where : what they cut, in errors; the characteristic of the feature if empty.
    """
    where = where or f"characteristic {feature.name!r}"
    for condition in conditions:
        condition.check(feature)
    intervals = [c for c in conditions if isinstance(c, Interval)]
    categories = [c for c in conditions if isinstance(c, Categories)]
    if intervals and (categories or any(isinstance(c, Otherwise) for c in conditions)):
        raise ModelError(
            "intervals cannot be mixed with categories or Otherwise", where=where, fix="use special codes for codes"
        )
    if categories or feature.kind == "categorical" or any(isinstance(c, Otherwise) for c in conditions):
        _check_categories(categories, where)
        _exactly_one(conditions, Otherwise, where)
    else:
        _check_intervals(intervals, where)
    _exactly_one(conditions, Missing, where)
    _check_special(feature, [c for c in conditions if isinstance(c, Special)], where)


def _check_intervals(intervals: list[Interval], where: str) -> None:
    end = -math.inf
    for position, interval in enumerate(intervals):
        if interval.closed != "left":
            raise ModelError("scorecard intervals are [lower, upper)", where=where, got=interval.exactly())
        if interval.lower < end or (position and math.isinf(interval.lower)):
            raise ModelError(
                "attributes overlap", where=where, got=interval.exactly(), allowed=f"lower end {number(end)}"
            )
        if interval.lower > end:
            raise ModelError(
                "attributes leave a gap", where=where, got=f"nothing covers [{number(end)}, {number(interval.lower)})"
            )
        end = interval.upper
    if end != math.inf:
        gap = f"nothing covers >= {number(end)}" if intervals else "no interval"
        raise ModelError("attributes leave a gap", where=where, got=gap, fix="end the last interval at inf")


def _check_categories(categories: list[Categories], where: str) -> None:
    seen: set[Value] = set()
    for condition in categories:
        if condition.negated:
            raise ModelError("negated categories have no place here", where=where, fix="use Otherwise")
        for value in condition.values:
            if value in seen:
                raise ModelError("attributes overlap", where=where, got=value)
            seen.add(value)


def _check_special(feature: Feature, specials: list[Special], where: str) -> None:
    named = Counter(code for condition in specials for code in condition.codes)
    for code in feature.special_codes:
        if named[code] != 1:
            problem = "overlap" if named[code] else "leave a gap"
            raise ModelError(f"attributes {problem}", where=where, got=f"special code {code!r}")


def _exactly_one(conditions: tuple[AttributeCondition, ...], kind: type[AttributeCondition], where: str) -> None:
    count = sum(isinstance(condition, kind) for condition in conditions)
    if count != 1:
        problem = "leave a gap" if count == 0 else "overlap"
        raise ModelError(
            f"attributes {problem}", where=where, got=f"{count} attributes for {kind.__name__}", allowed="exactly one"
        )
