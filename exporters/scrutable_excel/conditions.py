"""Conditions on an input cell as formulas; limits and values stand on the sheet "Scorecard".

Spreadsheets' own comparisons take numbers that agree in about 15 digits for equal, and texts that differ in case.
GESTEP, DELTA and EXACT compare whole doubles and code points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from scrutable_excel.card import FROM, LINE, VALUE, Card, CharacteristicRows
from scrutable_excel.cells import call


def line(block: CharacteristicRows, x: str) -> str:
    """The line of the block that the value of the cell `x` belongs to; #N/A where it is of another kind."""
    missing = len(block.lines)
    cuts = [place for place, item in enumerate(block.lines, 1) if item.lower is not None]
    values = [place for place, item in enumerate(block.lines, 1) if item.value is not None]
    position = "+".join(["1", *(f"GESTEP({x},{block.cell(place, FROM)})" for place in cuts)])
    if values and block.feature.kind == "categorical":
        span = (values[0], values[-1])
        equal = f"EXACT({block.span(VALUE, *span)},{x})*{block.span(LINE, *span)}"
        position = f"MAX({position},SUMPRODUCT({equal}))"
    elif values:
        position = call("MAX", [position, *(f"{place}*DELTA({x},{block.cell(place, VALUE)})" for place in values)])
    return f"IF(ISBLANK({x}),{missing},IF({_of_kind(block.feature)}({x}),{position},NA()))"


def conjunction(clauses: Conjunction, inputs: Mapping[str, tuple[Feature, str]], card: Card) -> str:
    """All clauses; `inputs` are the features with their cells."""
    return _all([clause(item, *inputs[item.feature], card) for item in clauses])


def clause(item: Clause, feature: Feature, x: str, card: Card) -> str:
    """Any of the clause's conditions."""
    return _any([_condition(condition, feature, x, card) for condition in dict.fromkeys(item.any_of)])


def _condition(condition: ClauseCondition, feature: Feature, x: str, card: Card) -> str:
    if isinstance(condition, Missing):
        return f"ISBLANK({x})"
    if isinstance(condition, Special):
        holds = _one_of(feature, x, condition.codes, card)
    elif isinstance(condition, Categories):
        values = (*condition.values, *feature.special_codes) if condition.negated else condition.values
        holds = _one_of(feature, x, values, card)
        if condition.negated:
            holds = f"NOT({holds})"
    else:
        holds = _interval(condition, feature, x, card)
    return f"IF({_of_kind(feature)}({x}),{holds},FALSE)"


def _interval(interval: Interval, feature: Feature, x: str, card: Card) -> str:
    """No number of the domain is infinite, so an infinite end always holds or never does."""
    if interval.lower == float("inf") or interval.upper == float("-inf"):
        return "FALSE"
    tests = []
    if interval.lower != float("-inf"):
        limit = card.limit(f"{feature.title}: lower limit", interval.lower)
        tests.append(f"GESTEP({x},{limit})=1" if interval.closed_lower else f"GESTEP({limit},{x})=0")
    if interval.upper != float("inf"):
        limit = card.limit(f"{feature.title}: upper limit", interval.upper)
        tests.append(f"GESTEP({limit},{x})=1" if interval.closed_upper else f"GESTEP({x},{limit})=0")
    inside = codes_inside(interval, feature)
    if inside:
        tests.append(f"NOT({_one_of(feature, x, inside, card)})")
    return _all(tests)


def _one_of(feature: Feature, x: str, values: Sequence[Value], card: Card) -> str:
    tests = []
    for value in dict.fromkeys(values):
        kind = "special code" if value in feature.special_codes else "value"
        cell = card.limit(f"{feature.title}: {kind}", value)
        tests.append(f"EXACT({x},{cell})" if isinstance(value, str) else f"DELTA({x},{cell})=1")
    return _any(tests)


def _of_kind(feature: Feature) -> str:
    return "ISNUMBER" if feature.kind == "numeric" else "ISTEXT"


def _all(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else call("AND", tests or ["TRUE"])


def _any(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else call("OR", tests)
