"""Conditions of the model as expressions over local variables.

A numeric variable is a double, NaN where missing, so that every comparison with it is false. A text is None there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrutable.model import (
    Categories,
    Clause,
    ClauseCondition,
    Conjunction,
    Feature,
    Interval,
    Missing,
    Special,
    Value,
    codes_inside,
)
from scrutable_python.text import number, value


@dataclass(frozen=True, slots=True)
class Variable:
    """A feature and the local variable that holds its value."""

    feature: Feature
    name: str

    @property
    def missing(self) -> str:
        """Whether the value is missing."""
        return f"{self.name} != {self.name}" if self.feature.kind == "numeric" else f"{self.name} is None"

    @property
    def present(self) -> str:
        """Whether there is a value."""
        return f"{self.name} == {self.name}" if self.feature.kind == "numeric" else f"{self.name} is not None"


Variables = Mapping[str, Variable]


def conjunction(clauses: Conjunction, variables: Variables) -> str:
    """All clauses; true for the empty conjunction."""
    return " and ".join(_bracketed(clause, variables[clause.feature]) for clause in clauses) or "True"


def clause(item: Clause, variable: Variable) -> str:
    """Any of the clause's conditions."""
    parts = [_condition(condition, variable) for condition in dict.fromkeys(item.any_of)]
    if len(parts) == 1:
        return parts[0]
    return " or ".join(f"({part})" if " and " in part else part for part in parts)


def _bracketed(item: Clause, variable: Variable) -> str:
    text = clause(item, variable)
    return f"({text})" if len(set(item.any_of)) > 1 else text


def _condition(condition: ClauseCondition, variable: Variable) -> str:
    if isinstance(condition, Missing):
        return variable.missing
    if isinstance(condition, Special):
        return _one_of(variable.name, condition.codes)
    if isinstance(condition, Categories):
        if not condition.negated:
            return _one_of(variable.name, condition.values)
        return f"{variable.present} and {_none_of(variable.name, (*condition.values, *variable.feature.special_codes))}"
    return _interval(condition, variable)


def _interval(interval: Interval, variable: Variable) -> str:
    feature, x = variable.feature, variable.name
    lower = f"{number(interval.lower)} {'<=' if interval.closed_lower else '<'} "
    upper = f" {'<=' if interval.closed_upper else '<'} {number(interval.upper)}"
    if interval.lower == float("-inf"):
        lower = ""
    if interval.upper == float("inf") and lower:
        upper = ""
    inside = codes_inside(interval, feature)
    return f"{lower}{x}{upper}" + (f" and {_none_of(x, inside)}" if inside else "")


def _one_of(x: str, values: Sequence[Value]) -> str:
    return f"{x} == {value(values[0])}" if len(values) == 1 else f"{x} in {_set(values)}"


def _none_of(x: str, values: Sequence[Value]) -> str:
    return f"{x} != {value(values[0])}" if len(values) == 1 else f"{x} not in {_set(values)}"


def _set(values: Sequence[Value]) -> str:
    return "{" + ", ".join(map(value, values)) + "}"
