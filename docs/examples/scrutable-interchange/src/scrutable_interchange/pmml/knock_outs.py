"""The knock-out that applies, as an expression: PMML's Scorecard has no place for it but its output."""

from __future__ import annotations

import math
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from scrutable.model import Categories, Clause, Feature, Interval, Missing, Policy, Special, codes_inside

from scrutable_interchange.pmml.expressions import apply, boolean, field, is_text, joined, number, text


def knock_out(policy: Policy, features: Mapping[str, Feature]) -> Element:
    """The code of the first rule that applies, missing where none does; the policy has rules."""
    found: Element | None = None
    for rule in reversed(policy.knock_outs):
        when = joined("and", [_clause(clause, features[clause.feature]) for clause in rule.when])
        found = apply("if", when, text(rule.code), *([] if found is None else [found]))
    assert found is not None
    return found


def _clause(clause: Clause, feature: Feature) -> Element:
    """Whether any condition holds; what is asked of a value is asked only where there is one."""
    missing = any(isinstance(condition, Missing) for condition in clause.any_of)
    tests = [_test(condition, feature) for condition in clause.any_of if not isinstance(condition, Missing)]
    present = joined("or", tests) if tests else boolean(False)
    return apply("if", apply("isMissing", field(feature.name)), boolean(missing), present)


def _test(condition: Interval | Categories | Special, feature: Feature) -> Element:
    if isinstance(condition, Special):
        return _one_of(condition.codes, feature)
    if isinstance(condition, Categories):
        if not condition.negated:
            return _one_of(condition.values, feature)
        return apply("not", _one_of((*condition.values, *feature.special_codes), feature))
    tests = []
    if condition.lower != -math.inf:
        function = "greaterOrEqual" if condition.closed_lower else "greaterThan"
        tests.append(apply(function, field(feature.name), number(condition.lower)))
    if condition.upper != math.inf:
        function = "lessOrEqual" if condition.closed_upper else "lessThan"
        tests.append(apply(function, field(feature.name), number(condition.upper)))
    special = codes_inside(condition, feature)
    if special:
        tests.append(apply("not", _one_of(special, feature)))
    return joined("and", tests) if tests else boolean(True)


def _one_of(values: tuple[float | str, ...], feature: Feature) -> Element:
    return joined("or", [_equal(value, feature.name) for value in values])


def _equal(value: float | str, name: str) -> Element:
    if isinstance(value, str):
        return apply("equal", is_text(name, value), number(1.0))
    return apply("equal", field(name), number(value))
