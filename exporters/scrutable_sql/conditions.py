"""Conditions of the model as SQL over the columns of the step `inputs`, where NULL is missing and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from scrutable.model import (
    AttributeCondition,
    Categories,
    Clause,
    ClauseCondition,
    Conjunction,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Special,
    Value,
    codes_inside,
)
from scrutable_sql.dialects import Dialect
from scrutable_sql.ladders import LONGEST, searched
from scrutable_sql.query import Case, Rung, joined
from scrutable_sql.quoting import inner, literal, number

#: Values of an attribute up to which each has a line of its own.
_FEW = 4


def input_name(feature: str, dialect: Dialect) -> str:
    """The column of the step `inputs` that holds a feature."""
    return inner(f"x_{feature}", dialect)


def ladder(
    feature: Feature, conditions: Sequence[AttributeCondition], values: Sequence[str], notes: Sequence[str], d: Dialect
) -> Case:
    """The value of the condition that holds, of conditions that partition the feature's domain.

    Special codes come first, so that an interval need not exclude them, and missing is what is left, NaN among it. A
    search among many cuts is guarded against missing. Neighbours of equal value and note are one.
    """
    x = input_name(feature.name, d)
    special: list[Rung] = []
    listed: list[Rung] = []
    steps: list[Rung] = []
    rest = Rung("", "NULL")
    for condition, value, note in zip(conditions, values, notes, strict=True):
        if isinstance(condition, Missing):
            rest = Rung("", value, note)
        elif isinstance(condition, Special):
            special.append(Rung(_one_of(x, condition.codes, d), value, note))
        elif isinstance(condition, Categories):
            listed += _each(x, condition.values, value, note, d)
        elif isinstance(condition, Otherwise) or condition.upper == float("inf"):
            steps.append(Rung(_present(x, feature, d), value, note))
        else:
            steps.append(Rung(f"{x} < {number(condition.upper, d, compared=True)}", value, note))
    steps = [step for step, after in zip_longest(steps, steps[1:]) if after is None or not _alike(step, after)]
    if len(steps) - 1 > LONGEST:
        return Case((*special, Rung(_present(x, feature, d), searched(steps))), rest.then, rest.note)
    listed.sort(key=lambda rung: _alike(rung, rest))  # what need not be asked for comes last
    rungs = [*special, *listed, *steps]
    while len(rungs) > 1 and _alike(rungs[-1], rest):
        rungs.pop()
    return Case(tuple(rungs), rest.then, rest.note)


def conjunction(clauses: Conjunction, features: dict[str, Feature], d: Dialect) -> str:
    """All clauses; true for the empty conjunction."""
    return joined([_bracketed(clause, features, d) for clause in clauses], " AND ") or "1 = 1"


def clause(item: Clause, features: dict[str, Feature], d: Dialect) -> str:
    """Any of the clause's conditions."""
    feature = features[item.feature]
    return joined([_condition(condition, feature, d) for condition in dict.fromkeys(item.any_of)], " OR ")


def _bracketed(item: Clause, features: dict[str, Feature], d: Dialect) -> str:
    text = clause(item, features, d)
    return f"({text})" if len(set(item.any_of)) > 1 else text


def _condition(condition: ClauseCondition, feature: Feature, d: Dialect) -> str:
    x = input_name(feature.name, d)
    if isinstance(condition, Missing):
        return f"{x} IS NULL"
    if isinstance(condition, Special):
        return _one_of(x, condition.codes, d)
    if isinstance(condition, Categories):
        if not condition.negated:
            return _one_of(x, condition.values, d)
        return _none_of(x, (*condition.values, *feature.special_codes), d)
    return _interval(condition, feature, x, d)


def _interval(interval: Interval, feature: Feature, x: str, d: Dialect) -> str:
    if d.infinity is None and (interval.lower == float("inf") or interval.upper == float("-inf")):
        return "1 = 0"
    tests = []
    if interval.lower != float("-inf"):
        tests.append(f"{x} {'>=' if interval.closed_lower else '>'} {number(interval.lower, d, compared=True)}")
    if interval.upper != float("inf"):
        tests.append(f"{x} {'<=' if interval.closed_upper else '<'} {number(interval.upper, d, compared=True)}")
    inside = codes_inside(interval, feature)
    if inside:
        tests.append(_none_of(x, inside, d))
    return f"({' AND '.join(tests)})" if len(tests) > 1 else tests[0] if tests else f"{x} IS NOT NULL"


def _alike(one: Rung, other: Rung) -> bool:
    return (one.then, one.note) == (other.then, other.note)


def _each(x: str, values: tuple[Value, ...], then: str, note: str, d: Dialect) -> list[Rung]:
    """A rung for each of a few values, which engines find faster than a list of them."""
    if len(values) > _FEW:
        return [Rung(_one_of(x, values, d), then, note)]
    return [Rung(_one_of(x, (value,), d), then, note) for value in values]


def _present(x: str, feature: Feature, d: Dialect) -> str:
    """Whether there is a value; NaN is none, and no engine takes it for less than infinity."""
    if feature.kind == "categorical" or d.infinity is None:
        return f"{x} IS NOT NULL"
    return f"{x} <= {d.infinity}"


def _one_of(x: str, values: tuple[Value, ...], d: Dialect) -> str:
    lists = [
        f"{x} = {literals[0]}" if len(literals) == 1 else f"{x} IN ({', '.join(literals)})"
        for literals in _lists(values, d)
    ]
    return _alternatives(lists, " OR ") or "1 = 0"


def _none_of(x: str, values: tuple[Value, ...], d: Dialect) -> str:
    lists = [
        f"{x} <> {literals[0]}" if len(literals) == 1 else f"{x} NOT IN ({', '.join(literals)})"
        for literals in _lists(values, d)
    ]
    return _alternatives(lists, " AND ") or f"{x} IS NOT NULL"


def _alternatives(tests: list[str], operator: str) -> str:
    return f"({joined(tests, operator)})" if len(tests) > 1 else "".join(tests)


def _lists(values: tuple[Value, ...], d: Dialect) -> Iterator[list[str]]:
    """The values that a column can hold, in lists as long as the engine takes them."""
    held = [_value(value, d) for value in values if d.holds_empty or value != ""]
    for start in range(0, len(held), d.max_list):
        yield held[start : start + d.max_list]


def _value(value: Value, d: Dialect) -> str:
    return literal(value + d.guard, d) if isinstance(value, str) else number(value, d, compared=True)
