"""Parts of random models: the columns that they read, conditions on these, and points that tie.

They are drawn by a seeded `random.Random`, not by the strategies of hypothesis: checks run where only Scrutable is
installed, and need models on which careless engines go wrong in many rows, not in one of a thousand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

import pandas as pd

from scrutable.data.features import Value
from scrutable.model import Categories, Clause, Conjunction, Feature, Interval, Missing, Otherwise, Special, snap
from scrutable.model.conditions import AttributeCondition, ClauseCondition, Closed
from scrutable.model.domain import Observed, clause_holds

T = TypeVar("T")
#: Values by feature.
Row = dict[str, Observed]

_CLOSED: tuple[Closed, ...] = ("left", "right", "both", "neither")
#: A step of points and how far those of one feature lie from those of the next; neither is a short decimal.
_STEP, _APART = snap(10.1), snap(61 + 3 / 7)
#: What near ties are apart by.
_FINE = (0.0, 2.0**-30, 0.001, 0.004, 0.3)
#: Share of the rows that a clause of its own should hold for, and how many are tried for it.
_HELD, _TRIED = 0.15, 8


@dataclass(frozen=True, slots=True)
class Drawn:
    """A column, and the values that conditions on it name: cuts, or categories; no special code is among them.

    So many of the cuts are those of a characteristic, or so many categories have an attribute each.
    """

    feature: Feature
    values: tuple[Value, ...]
    cuts: int = 3

    @property
    def coded(self) -> bool:
        """Whether its values are categories, written as texts or numbers."""
        return self.feature.kind == "categorical" or self.feature.name == "region"


COLUMNS = (
    Drawn(Feature(name="income", kind="numeric", special_codes=(-9, 2500)), (-0.7, 0.0, 0.1, 1200.5, 4000.0)),
    Drawn(Feature(name="housing", kind="categorical"), ("own", "rent", "with family", "it's free")),
    Drawn(Feature(name="age", kind="numeric", label="Age in years"), (18.0, 25.1, 40.0, 62.5)),
    Drawn(Feature(name="job", kind="categorical", special_codes=("n/a",)), ("cook", "clerk", "nurse")),
    Drawn(Feature(name="region", kind="numeric", special_codes=(0,)), (1.0, 2.0, 3.0, 7.0)),
    Drawn(Feature(name="debts", kind="numeric", special_codes=(99,)), (0.0, 1 / 3, 7.0, 150.25)),
)
#: The same columns without codes, or with another one, as segments may have them.
WITHOUT_CODES = tuple(replace(each, feature=replace(each.feature, special_codes=())) for each in COLUMNS)
OTHER_CODES = tuple(
    replace(
        each, feature=replace(each.feature, special_codes=("unseen",) if each.feature.kind == "categorical" else (5,))
    )
    for each in COLUMNS
)
#: Columns of wide models, beside those; one has more cuts than a byte has signed numbers, one more than ten, and one
#: more categories than a byte has numbers.
LINES = (
    *(
        Drawn(Feature(name=f"line_{number:02}", kind="numeric"), tuple(float(cut) for cut in range(cuts + 1)), cuts)
        for number, cuts in enumerate((130, 12, *[3] * 17), 1)
    ),
    Drawn(Feature(name="line_20", kind="categorical"), tuple(f"branch {number}" for number in range(270)), 260),
)


def shuffled(chance: Random, values: Sequence[T]) -> list[T]:
    """The values in another order."""
    return chance.sample(values, len(values))


def points_of(chance: Random, place: int, *, near: bool = False) -> float:
    """Points of the feature at a place: a few steps from one another, so that sums and shortfalls tie.

    Where they are to come near, some are apart by less than others would round away.
    """
    fine = chance.choice(_FINE) if near else 0.0
    return snap(place * _APART + chance.randint(-2, 3) * _STEP + fine)


def baseline_of(chance: Random, place: int) -> float:
    """A baseline among the points of the feature at a place; for some features nothing is below it."""
    return snap(place * _APART + chance.randint(-1, 3) * _STEP)


def attribute_conditions(chance: Random, column: Drawn, *, together: bool = False) -> list[AttributeCondition]:
    """Conditions of a characteristic, exclusive and exhaustive; intervals rise, and else they are in any order.

    Special codes have an attribute each, or one `together`.
    """
    codes = [Special((code,)) for code in column.feature.special_codes]
    if together and codes:
        codes = [Special(column.feature.special_codes)]
    tiles = _tiles(chance, column)
    rising = iter([tile for tile in tiles if isinstance(tile, Interval)])
    mixed = shuffled(chance, [*tiles, Missing(), *codes])
    return [next(rising) if isinstance(each, Interval) else each for each in mixed]


def clause(chance: Random, column: Drawn) -> Clause:
    """One to three conditions on a column, as knock-outs, rules and splits ask them."""
    conditions: list[ClauseCondition] = [_condition(chance, column)]
    if chance.random() < 0.3:
        conditions.append(Missing())
    if column.feature.special_codes and chance.random() < 0.3:
        conditions.append(Special(tuple(chance.sample(column.feature.special_codes, 1))))
    return Clause(column.feature.name, tuple(shuffled(chance, list(dict.fromkeys(conditions)))))


def negated_clause(chance: Random, column: Drawn) -> Clause:
    """Any value but those named, most of all, and none that is missing."""
    named = tuple(chance.sample(column.values, len(column.values) - 1))
    return Clause(column.feature.name, (Categories(named, negated=True),))


def both_ends(chance: Random, column: Drawn) -> Conjunction:
    """Two clauses on one column: from a cut on, and up to the next; or two categories, and not the first of them."""
    parts: tuple[ClauseCondition, ...]
    if column.coded:
        both = tuple(chance.sample(column.values, 2))
        parts = (Categories(both), Categories(both[:1], negated=True))
    else:
        low, high = chance.choice(list(itertools.pairwise(sorted(map(float, column.values)))))
        parts = (Interval(lower=low), Interval(upper=high, closed="right"))
    return tuple(Clause(column.feature.name, (part,)) for part in parts)


def commonly(chance: Random, column: Drawn) -> Clause:
    """A clause that more values satisfy than not."""
    if column.coded:
        return Clause(column.feature.name, (Categories(tuple(chance.sample(column.values, 1)), negated=True),))
    return Clause(column.feature.name, (Interval(lower=float(sorted(map(float, column.values))[1])),))


def split_clause(chance: Random, column: Drawn) -> Clause:
    """A clause as splits of trees ask it: up to a cut, which belongs to it, and missing values on either side."""
    if column.coded or chance.random() < 0.4:
        return clause(chance, column)
    upto = Interval(upper=float(chance.choice(column.values)), closed="right")
    return Clause(column.feature.name, (upto, Missing()) if chance.random() < 0.5 else (upto,))


def telling_clause(
    chance: Random, column: Drawn, rows: Sequence[Row], of: Callable[[Random, Drawn], Clause] = clause
) -> Clause:
    """Of a few clauses the one that holds for the share of the rows that is nearest to `_HELD`."""

    def off(drawn: Clause) -> float:
        held = sum(clause_holds(drawn, column.feature, row[column.feature.name]) for row in rows)
        return abs(held / len(rows) - _HELD)

    return min((of(chance, column) for _ in range(_TRIED)), key=off)


def partition(chance: Random, column: Drawn) -> list[Conjunction]:
    """Two conjunctions of which exactly one holds for each value of a column."""
    parts: list[list[ClauseCondition]]
    if column.coded:
        named = Categories(tuple(chance.sample(column.values, 2)))
        parts = [[named], [Categories(named.values, negated=True)]]
    else:
        cut = float(chance.choice(column.values))
        parts = [[Interval(upper=cut, closed="right")], [Interval(lower=cut, closed="neither")]]
    loose_ends: list[ClauseCondition] = [Missing(), *(Special((code,)) for code in column.feature.special_codes)]
    for loose in loose_ends:
        chance.choice(parts).append(loose)
    return [(Clause(column.feature.name, tuple(part)),) for part in parts]


def rows_of(chance: Random, columns: Sequence[Drawn], count: int) -> list[Row]:
    """Rows of the values that conditions name, with neighbours, missing, special and unseen values among them."""
    pools = {column.feature.name: pool(column) for column in columns}
    return [{name: chance.choice(pool) for name, pool in pools.items()} for _ in range(count)]


def pool(column: Drawn) -> list[Observed]:
    """Values of a column to choose from; a good part of them missing or special."""
    values: list[Observed] = list(column.values)
    if column.feature.kind == "numeric":
        numbers = [value for value in column.values if isinstance(value, float)]
        values += [math.nextafter(value, to) for value in numbers for to in (-math.inf, math.inf)]
        values += [-1e6, 1e6, -0.0, 5.0, 1000.0]
    else:
        values += [*column.values, "unseen", "", str(column.values[0]).upper(), f"{column.values[0]} "]
    often = max(1, len(values) // 8)
    return [*values, *([None] * often), *(column.feature.special_codes * often)]


def frame_of(rows: Sequence[Row], columns: Sequence[Drawn]) -> pd.DataFrame:
    """Rows as a frame of those of the columns that they have."""
    named = [column.feature for column in columns if column.feature.name in rows[0]]
    dtypes = {feature.name: float if feature.kind == "numeric" else object for feature in named}
    return pd.DataFrame({name: pd.Series([row[name] for row in rows], dtype=dtype) for name, dtype in dtypes.items()})


def _tiles(chance: Random, column: Drawn) -> list[AttributeCondition]:
    """Intervals between cuts, or groups of categories and `Otherwise`."""
    if column.coded:
        values = shuffled(chance, column.values)
        alone = column.cuts - 2
        groups = (*([value] for value in values[:alone]), values[alone : alone + 2], values[alone + 2 :])
        return [*(Categories(tuple(group)) for group in groups if group), Otherwise()]
    cuts = sorted(float(value) for value in chance.sample(column.values, column.cuts))
    return [Interval(*ends) for ends in itertools.pairwise((-math.inf, *cuts, math.inf))]


def _condition(chance: Random, column: Drawn) -> ClauseCondition:
    if chance.random() < 0.12:
        return Missing()
    if column.coded or chance.random() < 0.15:
        return Categories(tuple(chance.sample(column.values, 2)), negated=chance.random() < 0.5)
    lower, upper = sorted(float(value) for value in chance.sample(column.values, 2))
    ends = chance.choice(((-math.inf, upper), (lower, math.inf), (lower, upper)))
    return Interval(*ends, closed=chance.choice(_CLOSED))
