"""The values that tell conditions apart, and whether a value satisfies a condition: the semantics, one value at a time.

`holds` is the definition. The vectorised evaluator, the exporters and the tests must agree with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from scrutable.errors import ModelError
from scrutable.model.conditions import Categories, Clause, ClauseCondition, Conjunction, Interval, Missing, Special
from scrutable.model.features import Feature, Value

#: A value as `holds` takes it: None is missing, texts in categorical features, doubles (not NaN) in numeric ones.
Observed = Value | None


def holds(condition: ClauseCondition, feature: Feature, value: Observed) -> bool:
    """Whether a value satisfies a condition.

    >>> age = Feature(name="age", kind="numeric", special_codes=(-9,))
    >>> [holds(Interval(upper=21), age, value) for value in (20.0, 21.0, -9.0, None)]
    [True, False, False, False]
    """
    if isinstance(condition, Missing) or value is None:
        return isinstance(condition, Missing) and value is None
    if isinstance(condition, Special) or value in feature.special_codes:
        return isinstance(condition, Special) and value in condition.codes
    if isinstance(condition, Categories):
        return (value in condition.values) != condition.negated
    return isinstance(value, float) and _inside(condition, value)


def clause_holds(clause: Clause, feature: Feature, value: Observed) -> bool:
    """Whether a value satisfies any condition of a clause."""
    return any(holds(condition, feature, value) for condition in clause.any_of)


def codes_inside(interval: Interval, feature: Feature) -> tuple[Value, ...]:
    """The special codes that lie between the interval's ends, which `holds` takes out of it.

    >>> codes_inside(Interval(upper=21), Feature(name="age", kind="numeric", special_codes=(-9, 99)))
    (-9.0,)
    """
    return tuple(code for code in feature.special_codes if isinstance(code, float) and _inside(interval, code))


def witnesses(feature: Feature, conditions: Iterable[object]) -> list[Observed]:
    """Values of which at least one lies in every part that the conditions cut the feature's domain into.

    Every end of an interval with the doubles beside it, ±inf, every category and special code, a value that none of
    them names, and missing.
    """
    found: dict[Observed, None] = {None: None}
    found.update(dict.fromkeys(feature.special_codes))
    for condition in conditions:
        if isinstance(condition, Interval):
            found.update(dict.fromkeys(beside for end in (condition.lower, condition.upper) for beside in _around(end)))
        elif isinstance(condition, Categories):
            found.update(dict.fromkeys(condition.values))
    if feature.kind == "numeric":
        found.update(dict.fromkeys((-math.inf, 0.0, math.inf)))
        numbers = [value for value in found if isinstance(value, float)]
        found.update(dict.fromkeys(beside for value in numbers for beside in _around(value)))
    else:
        found[_unseen(found)] = None
    return list(found)


def next_double(value: float) -> float:
    """The smallest double above a value; never -0.0.

    >>> next_double(-5e-324), next_double(1.0)
    (0.0, 1.0000000000000002)
    """
    return math.nextafter(value, math.inf) + 0.0


def check_one_applies(conjunctions: Sequence[Conjunction], features: dict[str, Feature], where: str) -> None:
    """Refuse conjunctions unless exactly one of them holds for every possible row."""
    if not conjunctions:
        raise ModelError("nothing applies to any row", where=where, fix="add a rule without clauses")
    rows = [{clause.feature: clause for clause in conjunction} for conjunction in conjunctions]
    _check_cell(rows, features, where, {})


def _check_cell(
    rows: list[dict[str, Clause]], features: dict[str, Feature], where: str, cell: dict[str, Observed]
) -> None:
    """Split on the feature that most conjunctions name, and check every part of it."""
    names = [key for row in rows for key in row]
    if not names or not rows:
        if len(rows) != 1:
            problem = "leaves a gap" if not rows else "overlaps"
            raise ModelError(f"the list {problem}", where=where, got=cell or "every row", allowed="exactly one applies")
        return
    key = max(dict.fromkeys(names), key=names.count)
    conditions = [condition for row in rows if key in row for condition in row[key].any_of]
    seen: set[tuple[bool, ...]] = set()
    for value in witnesses(features[key], conditions):
        kept = tuple(key not in row or clause_holds(row[key], features[key], value) for row in rows)
        if kept not in seen:
            seen.add(kept)
            rest = [{k: c for k, c in row.items() if k != key} for row, keep in zip(rows, kept, strict=True) if keep]
            _check_cell(rest, features, where, {**cell, key: value})


def _inside(interval: Interval, value: float) -> bool:
    above = value >= interval.lower if interval.closed_lower else value > interval.lower
    return above and (value <= interval.upper if interval.closed_upper else value < interval.upper)


def _around(value: float) -> tuple[float, float, float]:
    return math.nextafter(value, -math.inf), value, math.nextafter(value, math.inf)


def _unseen(known: Iterable[Observed]) -> str:
    taken, candidate = set(known), "unseen"
    while candidate in taken:
        candidate += "?"
    return candidate
