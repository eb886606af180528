"""Conditions, clauses and conjunctions over drawn features, and partitions of the rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from hypothesis import strategies as st

from scrutable.data.features import Value
from scrutable.model.conditions import (
    AttributeCondition,
    Categories,
    Clause,
    ClauseCondition,
    Closed,
    Conjunction,
    Interval,
    Missing,
    Otherwise,
    Special,
)
from scrutable.testing.strategies.values import Domain


@st.composite
def attribute_conditions(draw: st.DrawFn, domain: Domain) -> list[AttributeCondition]:
    """Conditions of a characteristic: exclusive and exhaustive."""
    specials = draw(_groups(domain.feature.special_codes))
    return [*draw(_tiles(domain)), Missing(), *map(Special, specials)]


@st.composite
def clauses(draw: st.DrawFn, domain: Domain) -> Clause:
    """One to three conditions of any kind on a feature."""
    options: list[st.SearchStrategy[ClauseCondition]] = [_categories(domain), st.just(Missing())]
    if domain.feature.kind == "numeric":
        options = [_intervals(domain), _intervals(domain), *options]
    codes = domain.feature.special_codes
    if codes:
        options.append(st.lists(st.sampled_from(codes), min_size=1, unique=True).map(lambda some: Special(tuple(some))))
    return Clause(domain.feature.name, tuple(draw(st.lists(st.one_of(options), min_size=1, max_size=3))))


@st.composite
def conjunctions(draw: st.DrawFn, pool: Sequence[Domain], min_size: int = 0) -> Conjunction:
    """Up to three clauses on different features."""
    chosen = draw(st.lists(st.sampled_from(pool), min_size=min_size, max_size=3, unique_by=lambda d: d.feature.name))
    return tuple(draw(clauses(domain)) for domain in chosen)


@st.composite
def partitions(draw: st.DrawFn, pool: Sequence[Domain], depth: int = 2) -> list[Conjunction]:
    """Conjunctions of which exactly one holds for every row."""
    if not depth or not pool or draw(st.booleans()):
        return [()]
    conjunctions: list[Conjunction] = []
    for clause in draw(_clause_partitions(pool[0])):
        conjunctions += [(clause, *rest) for rest in draw(partitions(pool[1:], depth - 1))]
    return conjunctions


@st.composite
def _clause_partitions(draw: st.DrawFn, domain: Domain) -> list[Clause]:
    tiles = draw(_tiles(domain))
    parts: list[list[ClauseCondition]] = [[tile] for tile in tiles if not isinstance(tile, Otherwise)]
    if len(parts) < len(tiles):
        parts.append([Categories(domain.values, negated=True)])
    loose: list[ClauseCondition] = [Missing(), *(Special((code,)) for code in domain.feature.special_codes)]
    for condition in loose:
        parts[draw(st.integers(0, len(parts) - 1))].append(condition)
    return [Clause(domain.feature.name, tuple(part)) for part in parts]


@st.composite
def _tiles(draw: st.DrawFn, domain: Domain) -> list[AttributeCondition]:
    """Intervals between cuts, or groups of categories and `Otherwise`."""
    if domain.feature.kind == "numeric" and draw(st.booleans()):
        ends = [-math.inf, *sorted(float(value) for value in domain.values), math.inf]
        return [Interval(lower, upper) for lower, upper in itertools.pairwise(ends)]
    return [*map(Categories, draw(_groups(domain.values))), Otherwise()]


@st.composite
def _groups(draw: st.DrawFn, values: Sequence[Value]) -> list[tuple[Value, ...]]:
    """The values, cut into groups."""
    groups: list[tuple[Value, ...]] = []
    for value in values:
        together = draw(st.booleans())
        if groups and together:
            groups[-1] += (value,)
        else:
            groups.append((value,))
    return groups


def _categories(domain: Domain) -> st.SearchStrategy[Categories]:
    values = st.lists(st.sampled_from(domain.values), min_size=1, max_size=4, unique=True).map(tuple)
    return st.builds(Categories, values, st.booleans())


@st.composite
def _intervals(draw: st.DrawFn, domain: Domain) -> Interval:
    ends = st.sampled_from([*map(float, domain.values + domain.feature.special_codes), -math.inf, math.inf])
    lower, upper = sorted((draw(ends), draw(ends)))
    may_be_empty = math.nextafter(lower, math.inf) >= upper
    return Interval(lower, upper, "both" if may_be_empty else draw(st.sampled_from(_CLOSED)))


_CLOSED: tuple[Closed, ...] = ("left", "right", "both", "neither")
