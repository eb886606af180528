"""Ladders of numbers as expressions on a variable; a missing number is NaN, with which every comparison is false."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from scrutable.model.program import Asked, Ladder
from scrutable_source_code.common.amounts import FEW
from scrutable_source_code.common.constants import Constants
from scrutable_source_code.common.expression import Expression, asserted, chosen, joined


def condition(ladder: Ladder, among: Collection[int], x: str, constants: Constants) -> Expression:
    """Whether the bucket of a number is among some.

    >>> from scrutable_source_code.javascript.language import JavaScript
    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> condition(ladder, {1}, "x", Constants.of(JavaScript())).text
    '((x < 21.0) && (x !== -9.0)) || (x !== x)'
    """
    asked, spell = Asked.of(ladder, among), constants.language
    but = [Expression(f"{x} {spell.differs} {spell.number(float(value))}", False) for value in asked.without]
    too = [Expression(f"{x} {spell.equals} {spell.number(float(value))}", False) for value in asked.added]
    absent = Expression(f"{x} {spell.differs} {x}", False)
    if asked.whole and asked.missing:
        return joined(but, "&&") if but else Expression("true")
    if asked.missing and not but and not too and (one := _other_side(ladder, asked, x, constants)) is not None:
        return one
    if asked.whole:
        parts = [asserted(absent, truth=False)]
    else:
        parts = [_run(ladder, first, last, x, constants) for first, last in asked.runs]
    if parts and but:
        parts = [joined([joined(parts, "||"), *but], "&&")]
    parts += [*too, *([absent] if asked.missing else [])]
    return joined(parts, "||") if parts else Expression("false")


def place(ladder: Ladder, x: str, word: str, constants: Constants) -> Expression:
    """The bucket of a number.

    Parameters
    ----------
    word : what the tables are called after.

    Examples
    --------
    >>> from scrutable_source_code.javascript.language import JavaScript
    >>> ladder = Ladder(kind="numeric", size=4, rungs=(0, 1), missing=2, cuts=(21.0,), named=((-9.0, 3),))
    >>> place(ladder, "x", "age", Constants.of(JavaScript())).text
    'x !== x ? 2 : x === -9.0 ? 3 : x < 21.0 ? 0 : 1'
    """
    spell, last = constants.language, ladder.rungs[-1]
    cases = []
    if ladder.missing != last or ladder.named or len(ladder.cuts) > FEW:
        cases.append((f"{x} {spell.differs} {x}", str(ladder.missing)))
    named = sorted((float(value), own) for value, own in ladder.named)
    if len(named) <= FEW:
        cases += [(f"{x} {spell.equals} {spell.number(value)}", str(own)) for value, own in named]
        named = []
    if len(ladder.cuts) <= FEW:
        below = zip(ladder.cuts, ladder.rungs, strict=False)
        rung = [(f"{x} < {spell.number(cut)}", str(own)) for cut, own in below]
        if not named:
            return chosen([*cases, *rung], str(last))
        otherwise = chosen(rung, str(last)).text
    else:
        cuts = constants.numbers(f"CUTS_{word}", ladder.cuts)
        otherwise = f"cuts_reached({cuts}, {len(ladder.cuts)}, {x})"
        if ladder.rungs != tuple(range(len(ladder.rungs))):
            otherwise = f"{constants.places(f'RUNGS_{word}', ladder.rungs)}[{otherwise}]"
    if named:
        values = constants.numbers(f"VALUES_{word}", [value for value, _ in named])
        places = constants.places(f"PLACES_{word}", [own for _, own in named])
        otherwise = f"place_of_number({values}, {places}, {len(named)}, {x}, {otherwise})"
    return chosen(cases, otherwise)


def steps(ladder: Ladder, values: Sequence[float], x: str, constants: Constants) -> Expression:
    """The number that a table has at the bucket of a number: that of the first rung, and what each cut adds to it.

    No step depends on another, so that compilers work out several rows at once.

    >>> from scrutable_source_code.javascript.language import JavaScript
    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> steps(ladder, (3.0, 1.0), "x", Constants.of(JavaScript())).text
    '1.0 + (x >= 21.0 ? 2.0 : 0.0) + (x === -9.0 ? 2.0 : 0.0)'
    """
    spell = constants.language
    told = {when: step for when, step in _steps(ladder, values, x, constants) if step}
    cases = [f"({when} ? {spell.number(step)} : 0.0)" for when, step in told.items()]
    return Expression(" + ".join([spell.number(values[ladder.rungs[0]]), *cases]), not cases)


def has_steps(ladder: Ladder, values: Sequence[float]) -> bool:
    """Whether a table is made of few steps, each of which is a double, so that their sums have its very bits."""
    if ladder.kind != "numeric" or len(ladder.cuts) + len(ladder.named) > FEW:
        return False
    exact = list(map(Fraction, values))
    pairs = [*pairwise(ladder.rungs), (ladder.rungs[0], ladder.missing)]
    pairs += [(ladder.rung(name), own) for name, own in ladder.named]
    signed = any(value == 0 and math.copysign(1, value) < 0 for value in values)
    return not signed and all(exact[to] - exact[start] == Fraction(values[to] - values[start]) for start, to in pairs)


def _steps(ladder: Ladder, values: Sequence[float], x: str, constants: Constants) -> Iterator[tuple[str, float]]:
    """When something is added, and what; the conditions of rungs that are reached come in their order."""
    spell = constants.language
    for cut, (below, own) in zip(ladder.cuts, pairwise(ladder.rungs), strict=True):
        yield f"{x} >= {spell.number(cut)}", values[own] - values[below]
    for name, own in ladder.named:
        yield f"{x} {spell.equals} {spell.number(float(name))}", values[own] - values[ladder.rung(name)]
    yield f"{x} {spell.differs} {x}", values[ladder.missing] - values[ladder.rungs[0]]


def _other_side(ladder: Ladder, asked: Asked, x: str, constants: Constants) -> Expression | None:
    """A run up to one end, or missing, as what is not on its other side; None where there is more to it."""
    if len(asked.runs) != 1:
        return None
    (first, last), top, spell = asked.runs[0], len(ladder.rungs) - 1, constants.language
    if first == 0:
        return Expression(f"!({x} >= {spell.number(ladder.cuts[last])})", False)
    return Expression(f"!({x} < {spell.number(ladder.cuts[first - 1])})", False) if last == top else None


def _run(ladder: Ladder, first: int, last: int, x: str, constants: Constants) -> Expression:
    """From one rung to another, which are not all."""
    spell = constants.language
    ends = [f"{x} >= {spell.number(ladder.cuts[first - 1])}"] if first else []
    ends += [f"{x} < {spell.number(ladder.cuts[last])}"] if last < len(ladder.rungs) - 1 else []
    return Expression(" && ".join(ends), False)
