"""Conditions of the model as R: logical vectors, in which NA is as good as FALSE."""

from __future__ import annotations

import re
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
from scrutable_r.quoting import number, vector

_PLAIN = re.compile("[A-Za-z][A-Za-z0-9._]{0,59}")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The features by name, and the R variables that hold their columns."""

    features: Mapping[str, Feature]
    variables: Mapping[str, str]

    @classmethod
    def of(cls, features: Sequence[Feature]) -> Inputs:
        """Variables named after features where R could, after their positions elsewhere.

        >>> Inputs.of([Feature(name="age", kind="numeric"), Feature(name="x y", kind="numeric")]).variables
        {'age': 'x_age', 'x y': 'x_2'}
        """
        names = [feature.name for feature in features]
        variables = {
            name: f"x_{name if _PLAIN.fullmatch(name) else position}" for position, name in enumerate(names, 1)
        }
        return cls({feature.name: feature for feature in features}, variables)

    def conjunction(self, clauses: Conjunction) -> str:
        """All clauses; TRUE for none.

        A comparison with NA is NA, which neither `&` nor `|` can turn into TRUE; nothing is negated but `%in%` and
        `is.na`, which are never NA.
        """
        if len(clauses) == 1:
            return self.clause(clauses[0])
        texts = [(self.clause(clause), len(set(clause.any_of)) > 1) for clause in clauses]
        return " & ".join(f"({text})" if several else text for text, several in texts) or "TRUE"

    def clause(self, clause: Clause) -> str:
        """Any of the clause's conditions."""
        feature, x = self.features[clause.feature], self.variables[clause.feature]
        alternatives = [_tests(condition, feature, x) for condition in dict.fromkeys(clause.any_of)]
        if len(alternatives) == 1:
            return " & ".join(alternatives[0])
        return " | ".join(tests[0] if len(tests) == 1 else f"({' & '.join(tests)})" for tests in alternatives)


def _tests(condition: ClauseCondition, feature: Feature, x: str) -> list[str]:
    """Tests that all hold where the condition does."""
    if isinstance(condition, Missing):
        return [f"is.na({x})"]
    if isinstance(condition, Special):
        return [_one_of(x, condition.codes)]
    if isinstance(condition, Categories):
        if not condition.negated:
            return [_one_of(x, condition.values)]
        return [_none_of(x, (*condition.values, *feature.special_codes)), f"!is.na({x})"]
    return _interval(condition, feature, x)


def _interval(interval: Interval, feature: Feature, x: str) -> list[str]:
    tests = []
    if interval.lower != float("-inf"):
        tests.append(f"{x} {'>=' if interval.closed_lower else '>'} {number(interval.lower)}")
    if interval.upper != float("inf"):
        tests.append(f"{x} {'<=' if interval.closed_upper else '<'} {number(interval.upper)}")
    inside = codes_inside(interval, feature)
    tests = tests or [f"!is.na({x})"]
    return [*tests, _none_of(x, inside)] if inside else tests


def _none_of(x: str, values: Sequence[Value]) -> str:
    return f"!({x} %in% {vector(values)})"


def _one_of(x: str, values: Sequence[Value]) -> str:
    if len(values) == 1:
        return f"{x} == {vector(values)}"
    return f"{x} %in% {vector(values)}"
