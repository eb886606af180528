"""What a binner produces: for each feature the attributes, what they looked like in training, and every edit."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.frames import Column
from scrutable.model import Categories, Feature, FrozenMapping, Interval, Missing, Otherwise, Special, Statistics
from scrutable.model.conditions import AttributeCondition
from scrutable.model.evaluator.assign import assign
from scrutable.model.features import Value
from scrutable.model.scorecard import check_partition
from scrutable.model.values import Json, freeze
from scrutable.numerics.counts import bin_counts, information_value, strength, weight_of_evidence

Trend = Literal["ascending", "descending"]
Action = Literal["cuts", "merge", "trend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BinTable:
    """The attributes of one feature.

    Parameters
    ----------
    conditions : exclusive and exhaustive; intervals or categories first, then special codes, Otherwise, Missing.
    statistics : of each attribute, over the training rows.
    trend : "ascending" if points must not fall as the value rises, "descending" for the contrary, None if free.
    """

    feature: Feature
    conditions: tuple[AttributeCondition, ...]
    statistics: tuple[Statistics, ...]
    trend: Trend | None = None

    def __post_init__(self) -> None:
        check_partition(self.feature, self.conditions)

    @property
    def iv(self) -> float:
        """Information value about the outcome."""
        good, bad = self.counts
        return information_value(good, bad)

    @property
    def counts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weighted good and bad rows of each attribute."""
        return np.array([s.good for s in self.statistics]), np.array([s.bad for s in self.statistics])

    @property
    def ordered(self) -> list[int]:
        """Positions of the intervals, which a trend is about."""
        return [position for position, c in enumerate(self.conditions) if isinstance(c, Interval)]

    def index(self, column: Column) -> NDArray[np.intp]:
        """(n,) position of the attribute of each row."""
        return assign(self.conditions, self.feature, column)


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
class Binning:
    """Tables of all features, in the order of the inputs, and the audit trail."""

    tables: tuple[BinTable, ...]
    audit: tuple[Edit, ...] = ()

    def __getitem__(self, feature: str) -> BinTable:
        for table in self.tables:
            if table.feature.name == feature:
                return table
        raise KeyError(feature)

    def to_json(self) -> FrozenMapping[Json]:
        """Tables and audit trail as an evidence file holds them."""
        tables = {
            table.feature.name: {
                "iv": table.iv,
                "strength": strength(table.iv),
                "trend": table.trend,
                "attributes": [
                    {
                        "condition": condition.describe(),
                        "good": s.good,
                        "bad": s.bad,
                        "share": s.share,
                        "bad_rate": s.bad_rate,
                        "woe": s.woe,
                    }
                    for condition, s in zip(table.conditions, table.statistics, strict=True)
                ],
            }
            for table in self.tables
        }
        audit = [{key: getattr(edit, key) for key in Edit.__dataclass_fields__} for edit in self.audit]
        return FrozenMapping({"tables": freeze(tables), "audit": freeze(audit)})


def intervals(cuts: Sequence[float], feature: Feature) -> tuple[AttributeCondition, ...]:
    """The conditions of a numeric feature cut at these values, each cut opening the interval above it.

    >>> [c.describe() for c in intervals([18, 65], Feature(name="age", kind="numeric", special_codes=(-1,)))]
    ['< 18', '[18, 65)', '>= 65', 'special code -1', 'missing']
    """
    ends = list(itertools.pairwise([-np.inf, *(float(cut) for cut in cuts), np.inf]))
    if any(not low < high for low, high in ends):
        raise InputError(
            "cuts must rise and be finite", where=f"column {feature.name!r}", got=list(cuts), fix="sort them"
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
