"""Conditions of the model as SQL over the columns of the step `inputs`, where NULL is missing and nothing else is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrutable.model import Categories, Clause, Conjunction, Feature, Interval, Missing, Otherwise, Special
from scrutable.model.conditions import AttributeCondition, ClauseCondition
from scrutable.model.domain import holds
from scrutable.model.features import Value
from scrutable_sql.dialects import Dialect
from scrutable_sql.query import Case, Rung, joined
from scrutable_sql.quoting import literal, name, number


def input_name(feature: str, dialect: Dialect) -> str:
    """The column of the step `inputs` that holds a feature."""
    return name(f"x_{feature}", dialect)


def ladder(
    feature: Feature, conditions: Sequence[AttributeCondition], values: Sequence[str], notes: Sequence[str], d: Dialect
) -> Case:
    """The value of the condition that holds, of conditions that partition the feature's domain.

    Special codes come first, so that an interval need not exclude them, and missing is what is left.
    """
    x = input_name(feature.name, d)
    rungs: list[tuple[int, Rung]] = []
    rest, rest_note = "NULL", ""
    for condition, value, note in zip(conditions, values, notes, strict=True):
        if isinstance(condition, Missing):
            rest, rest_note = value, note
        elif isinstance(condition, Special):
            rungs.append((0, Rung(_one_of(x, condition.codes, d), value, note)))
        elif isinstance(condition, Categories):
            rungs.append((1, Rung(_one_of(x, condition.values, d), value, note)))
        elif isinstance(condition, Otherwise) or condition.upper == float("inf"):
            rungs.append((2, Rung(f"{x} IS NOT NULL", value, note)))
        else:
            rungs.append((1, Rung(f"{x} < {number(condition.upper, d, compared=True)}", value, note)))
    in_order = tuple(rung for _, rung in sorted(rungs, key=lambda item: item[0]))
    return Case(in_order, rest, rest_note)


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
    tests = []
    if interval.lower != float("-inf"):
        tests.append(f"{x} {'>=' if interval.closed_lower else '>'} {number(interval.lower, d, compared=True)}")
    if interval.upper != float("inf"):
        tests.append(f"{x} {'<=' if interval.closed_upper else '<'} {number(interval.upper, d, compared=True)}")
    plain = Feature(name=feature.name, kind=feature.kind)
    inside = tuple(code for code in feature.special_codes if holds(interval, plain, code))
    if inside:
        tests.append(_none_of(x, inside, d))
    return f"({' AND '.join(tests)})" if len(tests) > 1 else tests[0] if tests else f"{x} IS NOT NULL"


def _one_of(x: str, values: tuple[Value, ...], d: Dialect) -> str:
    return f"{x} = {_value(values[0], d)}" if len(values) == 1 else f"{x} IN ({_list(values, d)})"


def _none_of(x: str, values: tuple[Value, ...], d: Dialect) -> str:
    return f"{x} <> {_value(values[0], d)}" if len(values) == 1 else f"{x} NOT IN ({_list(values, d)})"


def _list(values: Iterable[Value], d: Dialect) -> str:
    return ", ".join(_value(value, d) for value in values)


def _value(value: Value, d: Dialect) -> str:
    return literal(value, d) if isinstance(value, str) else number(value, d, compared=True)
