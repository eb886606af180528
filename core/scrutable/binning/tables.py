"""What a binner produces: for each feature the attributes, what they looked like in training, and every edit."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.audit import Edit, Record
from scrutable.binning.coding import AttributeCoding
from scrutable.binning.disclosed import NO_POOLS, Pools
from scrutable.binning.missing_treatments import AttributePolicy, counted_beside, hosted, pooled, valued
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.features import Value
from scrutable.data.frames import Column
from scrutable.data.values import Json, freeze
from scrutable.errors import InputError
from scrutable.measures.numerics.counts import bin_counts, outcome_information_by_bin, strength, weight_of_evidence
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
from scrutable.model.conditions import AttributeCondition, describe_alike
from scrutable.model.evaluator.assign import assign
from scrutable.writing.decimals import in_digits
from scrutable.writing.notebooks import NotebookTable, ShownInNotebooks

#: How points may move as the value rises: binners and all learners that have trends keep these.
Trend = Literal["ascending", "descending"]
#: What a learner may keep that fits the points of all attributes itself. Convex: what is gained from one attribute of
#: other points to the next never falls; concave: it never rises.
BentTrend = Literal[
    Trend,
    "convex",
    "concave",
    "ascending convex",
    "ascending concave",
    "descending convex",
    "descending concave",
]
T = TypeVar("T", bound="AttributeTable")
E = TypeVar("E", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTable(ShownInNotebooks, ABC):
    """The attributes of one feature, whatever is known of them.

    Parameters
    ----------
    conditions : exclusive and exhaustive; intervals or categories first, then special codes, Otherwise, Missing.
    statistics : of each attribute, over the training rows.
    trend : "ascending" if points must not fall as the value rises, "descending" for the contrary, one of `BentTrend`
        where a learner keeps that, None if free.
    policies : for missing values and special codes whose value is not their own; statistics count them all the same.
    pools : attributes of few rows, which are counted with others.
    """

    feature: Feature
    conditions: tuple[AttributeCondition, ...]
    statistics: tuple[Statistics | MeanStatistics, ...]
    trend: BentTrend | None = None
    policies: tuple[AttributePolicy, ...] = ()
    pools: Pools = NO_POOLS

    def __post_init__(self) -> None:
        check_partition(self.feature, self.conditions)

    @property
    def ordered(self) -> list[int]:
        """Positions of the intervals, which a trend is about."""
        return [position for position, c in enumerate(self.conditions) if isinstance(c, Interval)]

    @property
    def direction(self) -> Trend | None:
        """Where points may move by the trend, without whether they bend."""
        known: tuple[Trend, ...] = get_args(Trend)
        return next((each for each in known if each in (self.trend or "").split()), None)

    @property
    def words(self) -> list[str]:
        """Each attribute in words; all intervals are of one kind."""
        return describe_alike(self.conditions)

    @property
    def counts_seen(self) -> NDArray[np.float64]:
        """Weighted rows of each attribute."""
        return np.array([statistics.count for statistics in self.statistics])

    @property
    def counts_pooled(self) -> NDArray[np.float64]:
        """Weighted rows of each attribute, with what a policy counts together counted in one place."""
        return pooled(self.counts_seen, self.policies)

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The table as an evidence file holds it."""

    @property
    def notebook_title(self) -> str:
        """The feature and how much its attributes tell."""
        return f"{self.feature.title}: {self.worth}"

    @property
    @abstractmethod
    def worth(self) -> str:
        """How much the attributes tell of the outcome, in words."""

    def valued(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(attributes,) values, 0 being neutral, with those that the policies say in their places."""
        seen = self.counts_seen > 0
        ordinary = [i for i, c in enumerate(self.conditions) if isinstance(c, Interval | Categories) and seen[i]]
        return valued(values, self.policies, ordinary)

    @property
    def coding(self) -> AttributeCoding:
        """A bin for each attribute."""
        return AttributeCoding.of(self.feature, self.conditions)

    def index(self, column: Column) -> NDArray[np.intp]:
        """(n,) position of the attribute of each row."""
        return assign(self.conditions, self.feature, column)


@dataclass(frozen=True, slots=True, kw_only=True)
class BinTable(AttributeTable):
    """The attributes of one feature, with the good and bad rows of each.

    Parameters
    ----------
    lightest : weight of the lightest row; half of it is the pseudo-count of pure attributes (only good or only bad
        rows): it is added to both of their counts, so that their WoE and what they add to the IV are finite.
    """

    statistics: tuple[Statistics, ...]
    lightest: float = 1.0

    @property
    def worth(self) -> str:
        """The information value, and the usual word for it."""
        return f"information value {self.iv:.4f}, {strength(self.iv)}"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The attributes with their rows, outcomes and weight of evidence."""
        rows = [
            [words, in_digits(s.count), f"{s.share:.1%}", in_digits(s.good), in_digits(s.bad), *rates]
            for words, s, woe in zip(self.words, self.statistics, self.woe.tolist(), strict=True)
            for rates in ([f"{s.bad_rate:.1%}" if s.count else "", f"{woe:.4f}"],)
        ]
        headers = ("attribute", "rows", "share", "good", "bad", "bad rate", "WoE")
        yield NotebookTable(headers=headers, rows=rows, numbers=frozenset(range(1, len(headers))))

    @property
    def iv(self) -> float:
        """Information value about the outcome, finite with pure attributes."""
        return float(self.iv_by_bin.sum())

    @property
    def iv_by_bin(self) -> NDArray[np.float64]:
        """(attributes,) what each attribute adds to the information value: (good share − bad share) × WoE."""
        return information_by_attribute(self.statistics)

    @property
    def woe(self) -> NDArray[np.float64]:
        """(attributes,) WoE that learners use: that of the statistics, or what a policy says instead."""
        if not self.policies:
            return np.array([s.woe for s in self.statistics])
        good, bad = self.counts
        counts = pooled(np.stack([bad, good], axis=1), self.policies)
        return self.valued(self.pools.alike(weight_of_evidence(counts, smoothing=0.5 * self.lightest)))

    @property
    def iv_used(self) -> float:
        """Information value of the WoE that learners use: under policies the sum of (good − bad share) × WoE.

        A policy lowers it by what it takes away, and below 0 where the WoE that it sets contradicts the rows.
        """
        if not self.policies:
            return self.iv
        good, bad = self.counts
        parts, woe = self.iv_by_bin, self.woe
        own = np.array([s.woe for s in self.statistics])
        changed = woe != own
        parts[changed] = ((good / good.sum() - bad / bad.sum()) * woe)[changed]
        return float(parts.sum())

    @property
    def counts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weighted good and bad rows of each attribute."""
        return np.array([s.good for s in self.statistics]), np.array([s.bad for s in self.statistics])

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"iv": self.iv, "strength": strength(self.iv), "trend": self.trend}
        attributes: list[dict[str, Any]] = [
            {
                "condition": words,
                "good": s.good,
                "bad": s.bad,
                "share": s.share,
                "bad_rate": s.bad_rate,
                "woe": s.woe,
            }
            for words, s in zip(self.words, self.statistics, strict=True)
        ]
        if self.policies:
            plain["iv_used"] = self.iv_used
            for attribute, woe in zip(attributes, self.woe.tolist(), strict=True):
                attribute["woe_used"] = woe
            for policy in self.policies:
                attributes[policy.position]["policy"] = policy.treated
        return plain | {"attributes": attributes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(ShownInNotebooks, Generic[T, E]):
    """Tables of all features, in the order of the inputs, and the audit trail."""

    tables: tuple[T, ...]
    audit: tuple[E, ...] = ()

    def __getitem__(self, feature: str) -> T:
        for table in self.tables:
            if table.feature.name == feature:
                return table
        raise KeyError(feature)

    @property
    def notebook_title(self) -> str:
        """How many features and edits there are."""
        return f"{type(self).__name__}({len(self.tables)} features, {len(self.audit)} edits)"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """A row for each feature; `binning["age"]` has its attributes."""
        rows = [[each.feature.title, str(len(each.conditions)), each.worth] for each in self.tables]
        yield NotebookTable(headers=("feature", "attributes", "tells"), rows=rows, numbers=frozenset({1}))

    def to_json(self) -> FrozenMapping[Json]:
        """Tables and audit trail as an evidence file holds them."""
        tables = {table.feature.name: table.to_json() for table in self.tables}
        return FrozenMapping({"tables": freeze(tables), "audit": freeze([edit.to_dict() for edit in self.audit])})


class Binning(Tables[BinTable, Edit]):
    """Tables about an outcome of classes."""

    __slots__ = ()


def intervals(cuts: Sequence[float], feature: Feature) -> tuple[AttributeCondition, ...]:
    """The conditions of a numeric feature cut at these values, each cut opening the interval above it.

    >>> describe_alike(intervals([18, 65], Feature(name="age", kind="numeric", special_codes=(-1,))))
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
    """Count good and bad rows of each attribute; see `table_of`."""
    index = assign(conditions, feature, column)
    counts, seen = bin_counts(index, len(conditions), good, weight), weight > 0
    rows = np.bincount(index[seen], minlength=len(conditions))
    return table_of(feature, conditions, counts, rows, float(weight[seen].min()), trend)


def table_of(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    counts: NDArray[np.float64],
    rows: NDArray[np.intp],
    lightest: float,
    trend: Trend | None = None,
    policies: tuple[AttributePolicy, ...] = (),
    *,
    least: int | None = None,
) -> BinTable:
    """The table of attributes whose rows are counted.

    WoE of attributes that were never seen is 0, which is neutral. Where only good or only bad rows were seen, half of
    the lightest row is added to both counts, so that the scale of the weights does not matter. A row given twice counts
    as one of weight 2, but for this half: that of attributes with rows of one outcome is twice as large where every row
    weighs 2 as where every row is given twice.

    Attributes of fewer rows than `scrutable.data.min_cell()` teach nothing and are not told of: their rows
    count with others, see `scrutable.binning.disclosed.Pools`.

    Parameters
    ----------
    counts : (attributes, 2) weight of the bad and of the good rows.
    rows : (attributes,) number of rows that have a weight.
    lightest : weight of the lightest row that has any.
    least : rows that an attribute has at least; `scrutable.data.min_cell()` where None, and 1 for pre-bins, which
        nobody is told of.
    """
    pools = Pools.of(conditions, rows, min_cell() if least is None else least, counted_beside(policies))
    counts = pools.together(counts)
    woe = pools.alike(weight_of_evidence(counts, smoothing=0.5 * lightest))
    total = counts.sum()
    statistics = tuple(
        Statistics(good=g, bad=b, share=(g + b) / total, woe=w)
        for (b, g), w in zip(counts.tolist(), woe.tolist(), strict=True)
    )
    return BinTable(
        feature=feature,
        conditions=conditions,
        statistics=statistics,
        trend=trend,
        policies=hosted(policies, pools.at),
        pools=pools,
        lightest=lightest,
    )


def information_by_attribute(statistics: Sequence[Statistics]) -> NDArray[np.float64]:
    """(attributes,) what each attribute of a characteristic adds to its information value about the outcome.

    >>> bad = Statistics(good=0, bad=30, share=0.5, woe=-4.110874)
    >>> good = Statistics(good=30, bad=0, share=0.5, woe=4.110874)
    >>> information_by_attribute([bad, good]).tolist()
    [4.110874, 4.110874]
    """
    return outcome_information_by_bin([(s.bad, s.good) for s in statistics], [s.woe for s in statistics])


def _specials(feature: Feature) -> tuple[Special, ...]:
    return tuple(Special((code,)) for code in feature.special_codes)
