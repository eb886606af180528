"""Conditions of knock-outs as SAS; a missing value is asked for first, since SAS sorts it below every number."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scrutable.model import Categories, Clause, Conjunction, Feature, Interval, Missing, Special, codes_inside

from scrutable_interchange.sas.quoting import name, number, text


def conjunction(clauses: Conjunction, features: Mapping[str, Feature]) -> str:
    """All clauses; there is one at least.

    >>> age = Feature(name="age", kind="numeric", special_codes=(-9,))
    >>> conjunction((Clause("age", (Interval(upper=21), Missing())),), {"age": age})
    '((not missing(age) and age < 21 and not (age = -9)) or missing(age))'
    """
    return " and ".join(_clause(clause, features[clause.feature]) for clause in clauses)


def one_of(values: tuple[float | str, ...], feature: Feature) -> str:
    """Whether a variable has one of these values."""
    where = f"feature {feature.name!r}"
    literals = [text(value, where) if isinstance(value, str) else number(value) for value in values]
    return " or ".join(f"{name(feature.name)} = {literal}" for literal in literals)


def _clause(clause: Clause, feature: Feature) -> str:
    return f"({' or '.join(_test(condition, feature) for condition in clause.any_of)})"


def _test(condition: Categories | Interval | Missing | Special, feature: Feature) -> str:
    if isinstance(condition, Missing):
        return f"missing({name(feature.name)})"
    if isinstance(condition, Special):
        return f"({one_of(condition.codes, feature)})"
    if isinstance(condition, Categories):
        if condition.negated:
            missing = f"missing({name(feature.name)})"
            return f"(not {missing} and not ({one_of((*condition.values, *feature.special_codes), feature)}))"
        return f"({one_of(condition.values, feature)})"
    return f"({' and '.join(_inside(condition, feature))})"


def _inside(interval: Interval, feature: Feature) -> list[str]:
    variable = name(feature.name)
    tests = [f"not missing({variable})"]
    if interval.lower != -math.inf:
        tests.append(f"{variable} {'>=' if interval.closed_lower else '>'} {number(interval.lower)}")
    if interval.upper != math.inf:
        tests.append(f"{variable} {'<=' if interval.closed_upper else '<'} {number(interval.upper)}")
    special = codes_inside(interval, feature)
    return [*tests, f"not ({one_of(special, feature)})"] if special else tests
