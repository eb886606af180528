"""Ladders: which bucket of a column each of its values is in."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrutable.data.features import Feature, Kind, Value
from scrutable.model.conditions import (
    AttributeCondition,
    Categories,
    Clause,
    ClauseCondition,
    Interval,
    Missing,
    Otherwise,
    Special,
)
from scrutable.model.domain import holds, next_double


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The bucket of every value of a column: that of missing, of a value with a name, else of the rung it stands on.

    Parameters
    ----------
    kind : what the column holds.
    size : how many buckets there are, numbered from 0.
    rungs : the bucket below the first cut, then the one from each cut on; of texts one, for any text without a name.
    cuts : rising; the smallest number of each rung but the first. None for texts.
    named : values with a bucket of their own, whatever rung they stand on.
    missing : the bucket of a missing value.

    Examples
    --------
    >>> Ladder(kind="numeric", size=3, rungs=(0, 1), cuts=(18.0,), named=((-9.0, 2),), missing=2).bucket(18.0)
    1
    """

    kind: Kind
    size: int
    rungs: tuple[int, ...]
    missing: int
    cuts: tuple[float, ...] = ()
    named: tuple[tuple[Value, int], ...] = ()

    def bucket(self, value: Value | None) -> int:
        """The bucket of one value; None is missing."""
        if value is None:
            return self.missing
        return next((own for name, own in self.named if name == value), self.rung(value))

    def rung(self, value: Value) -> int:
        """The bucket of the rung that a value stands on, whether or not it has a name."""
        return self.rungs[0] if isinstance(value, str) else self.rungs[bisect_right(self.cuts, value)]


def simplest(
    kind: Kind, size: int, rungs: Sequence[tuple[float, int]], named: Mapping[Value, int], missing: int
) -> Ladder:
    """The ladder without cuts that change nothing and without names for what has its rung's bucket.

    Parameters
    ----------
    rungs : the smallest value of each, rising from -inf, and its bucket.
    """
    kept = [rungs[0]]
    for rung in rungs[1:]:
        if rung[1] != kept[-1][1]:
            kept.append(rung)
    cuts, buckets = tuple(cut for cut, _ in kept[1:]), tuple(bucket for _, bucket in kept)
    plain = Ladder(kind=kind, size=size, rungs=buckets, cuts=cuts, missing=missing)
    own = tuple((value, bucket) for value, bucket in named.items() if plain.rung(value) != bucket)
    return Ladder(kind=kind, size=size, rungs=buckets, cuts=cuts, named=own, missing=missing)


def of_clause(clause: Clause, feature: Feature) -> Ladder:
    """The ladder with bucket 1 for the values that satisfy the clause, and 0 for the others.

    >>> from scrutable.model import Clause, Feature, Interval, Missing
    >>> of_clause(Clause("age", (Interval(upper=21), Missing())), Feature(name="age", kind="numeric"))
    Ladder(kind='numeric', size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=())
    """
    return _of_conditions(feature, clause.any_of, [1] * len(clause.any_of), otherwise=0, size=2)


def of_attributes(conditions: Sequence[AttributeCondition], feature: Feature) -> Ladder:
    """The ladder of conditions that partition a feature's domain: the bucket is the condition's position."""
    places = {type(condition): place for place, condition in enumerate(conditions)}
    other = places.get(Otherwise, 0)
    asked = [(each, place) for place, each in enumerate(conditions) if not isinstance(each, Otherwise)]
    return _of_conditions(
        feature, [each for each, _ in asked], [place for _, place in asked], otherwise=other, size=len(conditions)
    )


def _of_conditions(
    feature: Feature, conditions: Sequence[ClauseCondition], buckets: Sequence[int], *, otherwise: int, size: int
) -> Ladder:
    """The bucket of the first condition that holds."""

    pieces = [
        (each.first, each.last, bucket) if isinstance(each, Interval) else (-math.inf, math.inf, bucket)
        for each, bucket in zip(conditions, buckets, strict=True)
        if isinstance(each, Interval) or (isinstance(each, Categories) and each.negated)
    ]
    starts = _starts(pieces) if feature.kind == "numeric" else [-math.inf]
    of_rung = [otherwise] * len(starts)
    for first, last, bucket in reversed(pieces):  # the first one that holds is the last to be written
        own = slice(bisect_left(starts, first), bisect_right(starts, last))
        of_rung[own] = [bucket] * (own.stop - own.start)
    return simplest(
        feature.kind,
        size,
        list(zip(starts, of_rung, strict=True)),
        _named(feature, conditions, buckets, otherwise),
        next(
            (bucket for each, bucket in zip(conditions, buckets, strict=True) if isinstance(each, Missing)), otherwise
        ),
    )


def _named(
    feature: Feature, conditions: Sequence[ClauseCondition], buckets: Sequence[int], otherwise: int
) -> dict[Value, int]:
    """The bucket of each value that conditions list, and of each special code."""
    named = dict.fromkeys(feature.special_codes, otherwise)
    excluded: list[Value] = []
    for condition, bucket in zip(conditions, buckets, strict=True):
        if isinstance(condition, Special):
            named |= dict.fromkeys(condition.codes, bucket)
        elif isinstance(condition, Categories):
            if condition.negated:
                excluded += condition.values
            else:
                named |= dict.fromkeys(condition.values, bucket)
    for value in excluded:
        held = (bucket for each, bucket in zip(conditions, buckets, strict=True) if holds(each, feature, value))
        named[value] = next(held, otherwise)
    return named


def _starts(pieces: Iterable[tuple[float, float, int]]) -> list[float]:
    """The smallest number of each range that pieces cut the numbers into."""
    starts = {-math.inf}
    for first, last, _ in pieces:
        starts.add(first)
        if last < math.inf:
            starts.add(next_double(last))
    return sorted(starts)
