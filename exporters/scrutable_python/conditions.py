"""Ladders as conditions on the variable of a column or a number.

A numeric variable is a double, NaN where missing, so that every comparison with it is false. A text is None there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from scrutable.model import Value
from scrutable.model.program import Asked, Ladder
from scrutable_python.text import AND, COMPARISON, OR, Expression, joined, literal, number, value


def condition(ladder: Ladder, among: Collection[int], x: str) -> Expression:
    """Whether the bucket of a value is among some.

    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> condition(ladder, {1}, "x").text
    'x < 21.0 and x != -9.0 or x != x'
    """
    asked = Asked.of(ladder, among)
    if ladder.kind == "categorical":
        nothing = [] if asked.missing == asked.whole else [None]
        return _none_of(x, [*asked.without, *nothing]) if asked.whole else _one_of(x, [*asked.added, *nothing])
    if asked.whole and asked.missing:
        return _none_of(x, asked.without)
    present = [Expression(f"{x} == {x}", COMPARISON)]
    alternatives = present if asked.whole else [_between(ladder, *run, x) for run in asked.runs]
    if asked.without:
        alternatives = [joined([joined(alternatives, "or", OR), _none_of(x, asked.without)], "and", AND)]
    if asked.added:
        alternatives.append(_one_of(x, asked.added))
    if asked.missing:
        alternatives.append(Expression(f"{x} != {x}", COMPARISON))
    return joined(alternatives, "or", OR) if alternatives else Expression("False")


def on_lines(ladder: Ladder, buckets: Sequence[int], x: str) -> list[str]:
    """What is on each rung of a ladder, and in each bucket after these, in words.

    >>> on_lines(Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,)), [1, 0], "x")
    ['x < 21.0 or missing', 'x >= 21.0']
    """
    lines: list[list[str]] = [[] for _ in buckets]
    for rung in range(len(ladder.rungs)):
        lines[rung].append(_between(ladder, rung, rung, x).text if ladder.cuts else "any other value")
    for name, own in ladder.named:
        lines[buckets.index(own)].append(repr(name))
    lines[buckets.index(ladder.missing)].append("missing")
    return list(map(" or ".join, lines))


def _between(ladder: Ladder, first: int, last: int, x: str) -> Expression:
    """From one rung to another."""
    ends = [None if rung in (0, len(ladder.rungs)) else _end(ladder.cuts[rung - 1]) for rung in (first, last + 1)]
    low, high = ends
    if low is None:
        assert high is not None
        return Expression(f"{x} {'<=' if high[1] else '<'} {high[0]}", COMPARISON)
    if high is None:
        return Expression(f"{x} {'>' if low[1] else '>='} {low[0]}", COMPARISON)
    return Expression(f"{low[0]} {'<' if low[1] else '<='} {x} {'<=' if high[1] else '<'} {high[0]}", COMPARISON)


def _end(cut: float) -> tuple[str, bool]:
    """A cut, or the number before it where that has the shorter decimal, and whether it is that."""
    before = number(math.nextafter(cut, -math.inf))
    return (before, True) if len(before) < len(number(cut)) else (number(cut), False)


def _one_of(x: str, values: Sequence[Value | None]) -> Expression:
    return _compared(x, values, ("is", "==", "in"), "False")


def _none_of(x: str, values: Sequence[Value | None]) -> Expression:
    return _compared(x, values, ("is not", "!=", "not in"), "True")


def _compared(x: str, values: Sequence[Value | None], operators: tuple[str, str, str], nothing: str) -> Expression:
    if not values:
        return Expression(nothing)
    none, one, several = operators
    words = [literal(None) if each is None else value(each) for each in values]
    if len(words) == 1:
        return Expression(f"{x} {none if values[0] is None else one} {words[0]}", COMPARISON)
    return Expression(f"{x} {several} {{{', '.join(words)}}}", COMPARISON)
