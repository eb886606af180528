"""What a binner produces: for each feature the attributes, what they looked like in training, and every edit."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.frames import Column
from scrutable.model import (
    Categories,
    Feature,
    FrozenMapping,
    Interval,
    MeanStatistics,
    Missing,
    Otherwise,
    Special,
    Statistics,
)
from scrutable.model.characteristics import check_partition
from scrutable.model.conditions import AttributeCondition
from scrutable.model.evaluator.assign import assign
from scrutable.model.features import Value
from scrutable.model.values import Json, freeze
from scrutable.numerics.counts import bin_counts, information_value, strength, weight_of_evidence

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Trend = Literal["ascending", "descending"]
Action = Literal["cuts", "merge", "trend"]
T = TypeVar("T", bound="AttributeTable")
E = TypeVar("E", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTable(ABC):
    """The attributes of one feature, whatever is known of them.

    Parameters
    ----------
    conditions : exclusive and exhaustive; intervals or categories first, then special codes, Otherwise, Missing.
    statistics : of each attribute, over the training rows.
    trend : "ascending" if points must not fall as the value rises, "descending" for the contrary, None if free.
    """

    feature: Feature
    conditions: tuple[AttributeCondition, ...]
    statistics: tuple[Statistics | MeanStatistics, ...]
    trend: Trend | None = None

    def __post_init__(self) -> None:
        check_partition(self.feature, self.conditions)

    @property
    def ordered(self) -> list[int]:
        """Positions of the intervals, which a trend is about."""
        return [position for position, c in enumerate(self.conditions) if isinstance(c, Interval)]

    @property
    def counts_seen(self) -> NDArray[np.float64]:
        """Weighted rows of each attribute."""
        return np.array([statistics.count for statistics in self.statistics])

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The table as an evidence file holds it."""

    def index(self, column: Column) -> NDArray[np.intp]:
        """(n,) position of the attribute of each row."""
        return assign(self.conditions, self.feature, column)


@dataclass(frozen=True, slots=True, kw_only=True)
class BinTable(AttributeTable):
    """The attributes of one feature, with the good and bad rows of each."""

    statistics: tuple[Statistics, ...]

    @property
    def iv(self) -> float:
        """Information value about the outcome."""
        good, bad = self.counts
        return information_value(good, bad)

    @property
    def counts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weighted good and bad rows of each attribute."""
        return np.array([s.good for s in self.statistics]), np.array([s.bad for s in self.statistics])

    def to_json(self) -> dict[str, Any]:
        return {
            "iv": self.iv,
            "strength": strength(self.iv),
            "trend": self.trend,
            "attributes": [
                {
                    "condition": condition.describe(),
                    "good": s.good,
                    "bad": s.bad,
                    "share": s.share,
                    "bad_rate": s.bad_rate,
                    "woe": s.woe,
                }
                for condition, s in zip(self.conditions, self.statistics, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A decision of the user's that was honoured, and what it did to the information value."""

    feature: str
    action: Action
    detail: str
    iv_before: float
    iv_after: float

    @classmethod
    def of(cls, before: BinTable, after: BinTable, action: Action, detail: str) -> Edit:
        """The edit that turned one table of a feature into another."""
        return cls(feature=after.feature.name, action=action, detail=detail, iv_before=before.iv, iv_after=after.iv)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(Generic[T, E]):
    """Tables of all features, in the order of the inputs, and the audit trail."""

    tables: tuple[T, ...]
    audit: tuple[E, ...] = ()

    def __getitem__(self, feature: str) -> T:
        for table in self.tables:
            if table.feature.name == feature:
                return table
        raise KeyError(feature)

    def to_json(self) -> FrozenMapping[Json]:
        """Tables and audit trail as an evidence file holds them."""
        tables = {table.feature.name: table.to_json() for table in self.tables}
        return FrozenMapping({"tables": freeze(tables), "audit": freeze([asdict(edit) for edit in self.audit])})


class Binning(Tables[BinTable, Edit]):
    """Tables about an outcome of classes."""

    __slots__ = ()


def intervals(cuts: Sequence[float], feature: Feature) -> tuple[AttributeCondition, ...]:
    """The conditions of a numeric feature cut at these values, each cut opening the interval above it.

    >>> [c.describe() for c in intervals([18, 65], Feature(name="age", kind="numeric", special_codes=(-1,)))]
    ['< 18', '[18, 65)', '>= 65', 'special code -1', 'missing']
    """
    ends = list(itertools.pairwise([-np.inf, *(float(cut) for cut in cuts), np.inf]))
    if any(not low < high for low, high in ends):
        raise InputError(
            "cuts must rise and be finite",
            where=f"column {feature.name!r}",
            got=list(cuts),
            fix="sort them, and keep each once",
        )
    return (*(Interval(low, high) for low, high in ends), *_specials(feature), Missing())


def categories(groups: Sequence[Sequence[Value]], feature: Feature) -> tuple[AttributeCondition, ...]:
    """The conditions of a categorical feature with these groups of values."""
    return (*(Categories(tuple(group)) for group in groups), *_specials(feature), Otherwise(), Missing())


def tabulate(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    column: Column,
    good: NDArray[np.bool_],
    weight: NDArray[np.float64],
    trend: Trend | None = None,
) -> BinTable:
    """Count good and bad rows of each attribute; see `count_attributes`."""
    return count_attributes(feature, conditions, assign(conditions, feature, column), good, weight, trend)


def count_attributes(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    index: NDArray[np.intp],
    good: NDArray[np.bool_],
    weight: NDArray[np.float64],
    trend: Trend | None = None,
) -> BinTable:
    """Count good and bad rows of each attribute, where the attribute of each row is known.

    WoE of attributes that were never seen is 0, which is neutral. Where only good or only bad rows were seen, half of
    the lightest row is added to both counts: so neither the scale of the weights matters, nor whether a row is
    given twice or weighs 2.

    Parameters
    ----------
    index : (n,) position among `conditions` of the attribute of each row.
    """
    counts = bin_counts(index, len(conditions), good, weight)
    woe = weight_of_evidence(counts, smoothing=0.5 * weight[weight > 0].min())
    total = counts.sum()
    statistics = tuple(
        Statistics(good=g, bad=b, share=(g + b) / total, woe=w)
        for (b, g), w in zip(counts.tolist(), woe.tolist(), strict=True)
    )
    return BinTable(feature=feature, conditions=conditions, statistics=statistics, trend=trend)


def _specials(feature: Feature) -> tuple[Special, ...]:
    return tuple(Special((code,)) for code in feature.special_codes)
