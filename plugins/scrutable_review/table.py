"""The binning table of one feature, as a reviewer reads it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinCounter, BinTable, Trend
from scrutable.data import min_cell
from scrutable.measures.numerics import Strength, strength
from scrutable.model import AttributeCondition, Categories, Interval, Missing, Special, Value
from scrutable.writing import NotebookTable, ShownInNotebooks, in_digits, plain_fields

ObservedTrend = Literal["ascending", "descending", "peak", "valley", "none"]
RowKind = Literal["interval", "categories", "special", "otherwise", "missing"]
Treated = Literal["own", "neutral", "worst", "with"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """The rows of one group in an attribute: their weight, the share of the group's rows, and their bad rate."""

    count: float
    share: float | None
    bad_rate: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """One attribute of a binning table.

    Parameters
    ----------
    condition : in words.
    kind : what the condition is.
    lower, upper : ends of an interval; None where it is open.
    values : categories or special codes.
    count, share, good, bad : weighted rows.
    bad_rate : share of bad rows; None where nobody was seen.
    woe : weight of evidence of the rows, positive where good ones abound.
    woe_used : what learners use instead under a policy.
    iv : what the attribute adds to the information value.
    policy : how the attribute is valued; `counted_with` says in words which attribute it is counted with.
    groups : by protected attribute and group.
    """

    condition: str
    kind: RowKind
    lower: float | None
    upper: float | None
    values: tuple[Value, ...]
    count: float
    share: float
    good: float
    bad: float
    bad_rate: float | None
    woe: float
    woe_used: float
    iv: float
    policy: Treated
    counted_with: str | None
    groups: Mapping[str, Mapping[str, GroupRow]]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("values", "counted_with")}
        groups = {name: {label: row.to_dict() for label, row in rows.items()} for name, rows in self.groups.items()}
        return plain | {"values": list(self.values), "with": self.counted_with, "groups": groups}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTable(ShownInNotebooks):
    """The binning table of one feature.

    Parameters
    ----------
    kind : what the feature's values are; numbers that are codes are categorical.
    iv : information value; `iv_used` that of the WoE which learners use under policies.
    strength : the usual word for `iv_used`.
    trend : the one asked for; `observed_trend` is that of the good rates over the intervals that were seen.
    fiv : fairness information values, by attribute and groups; infinite where one group lacks an attribute.
    few : groups of too few rows for one, such as "race: other".
    rows : the attributes.
    """

    feature: str
    kind: Literal["numeric", "categorical"]
    iv: float
    iv_used: float
    strength: Strength
    trend: Trend | None
    observed_trend: ObservedTrend
    fiv: Mapping[str, float]
    few: tuple[str, ...]
    rows: tuple[ReviewRow, ...]

    @classmethod
    def of(cls, table: BinTable, counter: BinCounter, nominal: bool) -> ReviewTable:
        """The table of counts, with how the groups spread over its attributes."""
        return cls(
            feature=table.feature.name,
            kind="categorical" if nominal else "numeric",
            iv=table.iv,
            iv_used=table.iv_used,
            strength=strength(table.iv_used),
            trend=table.direction,
            observed_trend=observed_trend(table),
            fiv=counter.fiv(table),
            few=tuple(f"{name}: {label}" for name, labels in counter.few.items() for label in labels),
            rows=_rows(table, _group_rows(table, counter)),
        )

    @property
    def notebook_title(self) -> str:
        """The feature, its information value, and how its good rates move."""
        return f"{self.feature}: information value {self.iv_used:.4f}, {self.strength}; trend {self.observed_trend}"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The attributes as `scrutable bins` prints them."""
        rows = [
            [
                row.condition,
                *map(in_digits, (row.count, row.good, row.bad)),
                f"{row.share:.1%}",
                "" if row.bad_rate is None else f"{row.bad_rate:.1%}",
                f"{row.woe_used:.4f}",
                f"{row.iv:.4f}",
            ]
            for row in self.rows
        ]
        headers = ("attribute", "rows", "good", "bad", "share", "bad rate", "WoE", "IV")
        yield NotebookTable(headers=headers, rows=rows, numbers=frozenset(range(1, len(headers))))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; a fairness information value without bound is None."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("fiv", "few", "rows")}
        fiv = {name: value if math.isfinite(value) else None for name, value in self.fiv.items()}
        return plain | {"fiv": fiv, "few": list(self.few), "attributes": [row.to_dict() for row in self.rows]}

    def records(self) -> Iterator[dict[str, Any]]:
        """A line for each attribute; groups have entries of their own."""
        for row in self.rows:
            line = {
                "feature": self.feature,
                "condition": row.condition,
                "count": row.count,
                "share": row.share,
                "good": row.good,
                "bad": row.bad,
                "bad_rate": row.bad_rate,
                "woe": row.woe,
                "woe_used": row.woe_used,
                "iv": row.iv,
            }
            for attribute, groups in row.groups.items():
                for label, group in groups.items():
                    line[f"share, {attribute}: {label}"] = group.share
                    line[f"bad_rate, {attribute}: {label}"] = group.bad_rate
            yield line


def observed_trend(table: BinTable) -> ObservedTrend:
    """How the good rate moves over the intervals that were seen; equal neighbours count as one.

    "peak" rises and then falls, "valley" falls and then rises, and "none" is anything else: flat, or with more turns.
    """
    seen = [table.statistics[i] for i in table.ordered if table.statistics[i].count]
    steps = np.sign(np.diff([s.good / s.count for s in seen]))
    turns = steps[steps != 0]
    turns = turns[np.r_[True, turns[1:] != turns[:-1]]] if turns.size else turns
    names: dict[tuple[float, ...], ObservedTrend] = {
        (1.0,): "ascending",
        (-1.0,): "descending",
        (1.0, -1.0): "peak",
        (-1.0, 1.0): "valley",
    }
    return names.get(tuple(turns.tolist()), "none")


def _rows(table: BinTable, groups: list[Mapping[str, Mapping[str, GroupRow]]]) -> tuple[ReviewRow, ...]:
    policies = {policy.position: policy for policy in table.policies}
    parts = zip(table.conditions, table.statistics, table.woe.tolist(), table.iv_by_bin.tolist(), groups, strict=True)
    rows, words = [], table.words
    for position, (condition, s, woe_used, iv, own) in enumerate(parts):
        policy = policies.get(position)
        low, high, values = _limits(condition)
        rows.append(
            ReviewRow(
                condition=words[position],
                kind=_kind(condition),
                lower=low,
                upper=high,
                values=values,
                count=s.count,
                share=s.share,
                good=s.good,
                bad=s.bad,
                bad_rate=s.bad_rate if s.count else None,
                woe=s.woe,
                woe_used=woe_used,
                iv=iv,
                policy="own" if policy is None else policy.treated,
                counted_with=None if policy is None or policy.bin is None else words[policy.bin],
                groups=own,
            )
        )
    return tuple(rows)


def _group_rows(table: BinTable, counter: BinCounter) -> list[Mapping[str, Mapping[str, GroupRow]]]:
    """For each attribute the groups in it, their bad rates where none of them has but a few rows of it.

    The rate of one group that is left out would follow from those of the others.
    """
    size, few = len(table.conditions), min_cell() * counter.data.every.row
    by_bin: list[dict[str, dict[str, GroupRow]]] = [{} for _ in range(size)]
    for each in counter.by_group(table):
        rows, bad = each.rows, each.bad
        shares, rates = _ratio(rows, rows.sum(axis=0)), _ratio(bad, rows)
        rates[((rows > 0) & (rows < few)).any(axis=1)] = np.nan
        for position in range(size):
            by_bin[position][each.attribute.name] = {
                label: GroupRow(
                    count=float(rows[position, k]),
                    share=_known(shares[position, k]),
                    bad_rate=_known(rates[position, k]),
                )
                for k, label in enumerate(each.attribute.labels)
            }
    return list(by_bin)


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Part of whole; NaN where there is none."""
    whole = np.broadcast_to(whole, part.shape)
    ratio: NDArray[np.float64] = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _kind(condition: AttributeCondition) -> RowKind:
    if isinstance(condition, Interval):
        return "interval"
    if isinstance(condition, Categories):
        return "categories"
    if isinstance(condition, Special):
        return "special"
    return "missing" if isinstance(condition, Missing) else "otherwise"


def _limits(condition: AttributeCondition) -> tuple[float | None, float | None, tuple[Value, ...]]:
    if isinstance(condition, Interval):
        low, high = condition.lower, condition.upper
        return low if math.isfinite(low) else None, high if math.isfinite(high) else None, ()
    if isinstance(condition, Categories):
        return None, None, condition.values
    return None, None, condition.codes if isinstance(condition, Special) else ()
