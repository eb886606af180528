"""Ladders as conditions on the vector of a column or a number, in which NA is as good as FALSE."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from scrutable.model import Value
from scrutable.model.program import Asked, Ladder
from scrutable_r.expression import AND, COMPARISON, IN, NOT, OR, Expression, joined
from scrutable_r.quoting import number, vector


def condition(ladder: Ladder, among: Collection[int], x: str) -> Expression:
    """Whether the bucket of each value is among some.

    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> condition(ladder, {1}, "x").text
    'x < 21 & !(x %in% -9) | is.na(x)'
    """
    asked = Asked.of(ladder, among)
    nothing = Expression(f"is.na({x})")
    without = [_none_of(x, asked.without)] if asked.without else []
    if asked.whole and asked.missing:
        return joined(without, "&", AND) if without else Expression("TRUE")
    if asked.whole:
        alternatives = [Expression(f"!{nothing.text}", NOT)]
    else:
        alternatives = [between(ladder, *run, x) for run in asked.runs]
    if without:
        alternatives = [joined([joined(alternatives, "|", OR), *without], "&", AND)]
    if asked.added:
        alternatives.append(_one_of(x, asked.added))
    if asked.missing:
        alternatives.append(nothing)
    held = joined(alternatives, "|", OR) if alternatives else Expression("FALSE")
    return held._replace(unsure=held.unsure and not asked.missing)


def between(ladder: Ladder, first: int, last: int, x: str) -> Expression:
    """From one rung to another; of all, what is not missing."""
    tests = []
    if first > 0:
        end, before = _end(ladder.cuts[first - 1])
        tests.append(Expression(f"{x} {'>' if before else '>='} {end}", COMPARISON, unsure=True))
    if last < len(ladder.cuts):
        end, before = _end(ladder.cuts[last])
        tests.append(Expression(f"{x} {'<=' if before else '<'} {end}", COMPARISON, unsure=True))
    return joined(tests, "&", AND)


def _end(cut: float) -> tuple[str, bool]:
    """A cut, or the number before it where that is shorter, and whether it is that."""
    before = number(math.nextafter(cut, -math.inf))
    return (before, True) if len(before) < len(number(cut)) else (number(cut), False)


def _one_of(x: str, values: Sequence[Value]) -> Expression:
    if len(values) == 1:
        return Expression(f"{x} == {vector(values)}", COMPARISON, unsure=True)
    return Expression(f"{x} %in% {vector(values)}", IN)


def _none_of(x: str, values: Sequence[Value]) -> Expression:
    return Expression(f"!({x} %in% {vector(values)})", NOT)
