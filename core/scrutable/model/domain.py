"""The values that tell conditions apart, and whether a value satisfies a condition: the semantics, one value at a time.

`holds` is the definition. The vectorised evaluator, the exporters and the tests must agree with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from scrutable.data.features import Feature, Value
from scrutable.model.conditions import Categories, Clause, ClauseCondition, Interval, Missing, Special

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
    if isinstance(condition, Special) or feature.is_special(value):
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
    values: dict[Observed, None] = {None: None}
    values.update(dict.fromkeys(feature.special_codes))
    for condition in conditions:
        if isinstance(condition, Interval):
            values.update(dict.fromkeys(value for end in (condition.lower, condition.upper) for value in _around(end)))
        elif isinstance(condition, Categories):
            values.update(dict.fromkeys(condition.values))
    if feature.kind == "numeric":
        values.update(dict.fromkeys((-math.inf, 0.0, math.inf)))
        numbers = [value for value in values if isinstance(value, float)]
        values.update(dict.fromkeys(beside for value in numbers for beside in _around(value)))
    else:
        values[unseen(values)] = None
    return list(values)


def unseen(known: Iterable[Observed]) -> str:
    """A text that is none of those known.

    >>> unseen(["unseen", None])
    'unseen?'
    """
    taken, candidate = set(known), "unseen"
    while candidate in taken:
        candidate += "?"
    return candidate


def next_double(value: float) -> float:
    """The smallest double above a value; never -0.0.

    >>> next_double(-5e-324), next_double(1.0)
    (0.0, 1.0000000000000002)
    """
    return math.nextafter(value, math.inf) + 0.0


def _inside(interval: Interval, value: float) -> bool:
    above = value >= interval.lower if interval.closed_lower else value > interval.lower
    return above and (value <= interval.upper if interval.closed_upper else value < interval.upper)


def _around(value: float) -> tuple[float, float, float]:
    return math.nextafter(value, -math.inf), value, math.nextafter(value, math.inf)
