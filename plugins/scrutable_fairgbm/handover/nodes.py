"""Splits of the core, made of which values take one side; the same for both libraries."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from scrutable.model import Categories, Clause, ClauseCondition, Interval, Missing, Node, Special, Split, Value, holds
from scrutable_fairgbm.handover.inputs import BoosterColumn


@dataclass(frozen=True, slots=True)
class Boosted:
    """The trees of a booster as trees of the core, and what is added to them in every row."""

    trees: tuple[Node, ...]
    base_score: float


def numbers_clause(column: BoosterColumn, inside: Sequence[Interval], missing: bool) -> Clause | None:
    """Numbers in one of the intervals, special codes whose numbers are, and missing if `missing`; None for no value.

    A booster takes a special code for the number that it is; the core never takes it for one.
    """
    codes: list[Value] = []
    if column.exponent:
        inside = [_in_unit(part, -column.exponent) for part in inside]
    if column.feature.special_codes:
        plain = replace(column.feature, special_codes=())
        codes = [code for code in column.feature.special_codes if any(holds(part, plain, code) for part in inside)]
    return _clause(column, inside, codes, missing)


def _in_unit(part: Interval, exponent: int) -> Interval:
    """An interval of numbers times two to a power."""
    return replace(part, lower=math.ldexp(part.lower, exponent), upper=math.ldexp(part.upper, exponent))


def split(clause: Clause | None, then: Node, otherwise: Node) -> Node:
    """A split, or the one side that every row takes."""
    return otherwise if clause is None else Split(clause, then, otherwise)


def split_categories(
    column: BoosterColumn, inside: Collection[int], missing: bool, then: Node, otherwise: Node
) -> Node:
    """Rows whose numbers are `inside` go to `then`, and so does missing if `missing`.

    The clause names the categories of the side that categories without a number of their own do not take.
    """
    if column.other in inside:
        every = range(column.other + 1 + len(column.feature.special_codes))
        inside, missing = set(every).difference(inside), not missing
        then, otherwise = otherwise, then
    named = [value for number, value in enumerate(column.categories) if number in inside]
    codes = [code for number, code in enumerate(column.feature.special_codes, column.other + 1) if number in inside]
    return split(_clause(column, [Categories(tuple(named))] if named else [], codes, missing), then, otherwise)


def _clause(
    column: BoosterColumn, ordinary: Sequence[ClauseCondition], codes: Sequence[Value], missing: bool
) -> Clause | None:
    conditions = [*ordinary, *([Special(tuple(codes))] if codes else []), *([Missing()] if missing else [])]
    return Clause(column.feature.name, tuple(conditions)) if conditions else None
