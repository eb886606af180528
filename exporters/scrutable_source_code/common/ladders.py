"""Ladders of numbers as expressions on a variable; a missing number is NaN, with which every comparison is false."""

from __future__ import annotations

from collections.abc import Collection

from scrutable.model.program import Asked, Ladder
from scrutable_source_code.common.constants import Constants
from scrutable_source_code.common.expression import Expression, asserted, chosen, joined
from scrutable_source_code.common.variables import FEW


def condition(ladder: Ladder, among: Collection[int], x: str, constants: Constants) -> Expression:
    """Whether the bucket of a number is among some.

    >>> from scrutable_source_code.javascript.language import JavaScript
    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> condition(ladder, {1}, "x", Constants.of(JavaScript())).text
    '(x < 21.0 && x !== -9.0) || x !== x'
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
