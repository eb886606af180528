"""Ladders as SQL over a column in which NULL is missing, and nothing else is.

Missing is what is left in a CASE, so that NaN may stand for it there too; a condition takes NULL alone for missing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, zip_longest

from scrutable.model import Value
from scrutable.model.program import Ladder
from scrutable_sql.dialects import Dialect
from scrutable_sql.query import Branch, Case, Rung, alike, joined
from scrutable_sql.quoting import literal, number

#: Ladders of more cuts are searched; up to here, one comparison after the other is as fast and easier to read.
LONGEST = 12
#: Parts of equal length that each level of a search tells apart. Two would compare less, and copy and nest more.
BRANCHES = 4
#: Cuts in a part up to which it is a ladder again; a further level would cost more than it saves.
_LONGEST_PART = 20
#: Values of a bucket up to which each has a line of its own, which engines find faster than a list of them.
_FEW = 4


def chosen(x: str, ladder: Ladder, branches: Sequence[Branch], d: Dialect) -> Case:
    """The branch of the bucket that a column is in.

    Values with a name come first, so that rungs need not exclude them. A search among many cuts is guarded against
    missing. Neighbours that are alike are one.
    """
    cuts = _reached(ladder, d)
    steps = [branches[place].under(_below(x, cut, d)) for cut, place in zip(cuts, ladder.rungs, strict=False)]
    steps.append(branches[ladder.rungs[len(cuts)]].under(_present(x, ladder, d)))
    steps = distinct(steps)
    rest = branches[ladder.missing]
    if len(steps) - 1 > LONGEST:
        steps = [Rung(_present(x, ladder, d), searched(steps))]
    rungs = [*_named(x, ladder, branches, d), *steps]
    while len(rungs) > 1 and alike(rungs[-1], rest):
        rungs.pop()
    return Case(tuple(rungs), rest.then, rest.note)


def within(x: str, ladder: Ladder, among: Collection[int], d: Dialect) -> str:
    """Whether a column is in one of some buckets."""
    listed = [value for value, place in ladder.named if place in among and ladder.rung(value) not in among]
    excluded = [value for value, place in ladder.named if place not in among and ladder.rung(value) in among]
    tests = [*_one_of(x, listed, d), *_runs(x, ladder, among, excluded, d)]
    if ladder.missing in among:
        if tests == [f"{x} IS NOT NULL"]:
            return "1 = 1"
        tests.append(f"{x} IS NULL")
    return any_of(tests)


def searched(rungs: Sequence[Rung], longest: int = LONGEST) -> Case:
    """The value of the first rung that holds; the last one's condition is not asked for.

    Parameters
    ----------
    rungs : one or more, each of which holds wherever the one before does, as `x < 1`, `x < 2`, `x < 3`.
    longest : cuts up to which it is a ladder.

    Examples
    --------
    >>> few = searched([Rung("x < 1", "10"), Rung("x < 2", "20"), Rung("x IS NOT NULL", "30")])
    >>> [rung.when for rung in few.rungs], few.otherwise
    (['x < 1', 'x < 2'], '30')
    >>> many = searched([Rung(f"x < {i}", str(10 * i)) for i in range(100)])
    >>> [rung.when for rung in many.rungs]
    ['x < 24', 'x < 49', 'x < 74']
    """
    if len(rungs) - 1 <= longest:
        last = rungs[-1]
        return Case(tuple(rungs[:-1]), last.then, last.note)
    ends = [len(rungs) * i // BRANCHES for i in range(BRANCHES + 1)]
    parts = [rungs[start:end] for start, end in pairwise(ends)]
    branches = tuple(Rung(part[-1].when, searched(part, _LONGEST_PART)) for part in parts[:-1])
    return Case(branches, searched(parts[-1], _LONGEST_PART))


def distinct(rungs: Sequence[Rung]) -> list[Rung]:
    """The last of neighbours that are alike."""
    return [rung for rung, after in zip_longest(rungs, rungs[1:]) if after is None or not alike(rung, after)]


def any_of(tests: Sequence[str]) -> str:
    """Whether one of several conditions holds; never, of none."""
    return joined([bracketed(test) if len(tests) > 1 else test for test in tests], " OR ") or "1 = 0"


def all_of(tests: Sequence[str]) -> str:
    """Whether all of several conditions hold; always, of none."""
    return joined([bracketed(test) if len(tests) > 1 else test for test in tests], " AND ") or "1 = 1"


def bracketed(test: str) -> str:
    """A condition in brackets, unless it is a single comparison."""
    return f"({test})" if is_compound(test) else test


def is_compound(test: str) -> bool:
    """Whether a condition is more than one comparison."""
    return " AND " in test or " OR " in test


def _reached(ladder: Ladder, d: Dialect) -> tuple[float, ...]:
    """The cuts that a value can reach."""
    return ladder.cuts if d.infinity is not None else tuple(cut for cut in ladder.cuts if cut < math.inf)


def _named(x: str, ladder: Ladder, branches: Sequence[Branch], d: Dialect) -> Iterator[Rung]:
    """Values with a bucket whose branch is not that of their rung."""
    values: dict[int, list[Value]] = {}
    for value, place in ladder.named:
        if not alike(branches[place], branches[ladder.rung(value)]):
            values.setdefault(place, []).append(value)
    for place, own in values.items():
        alone = [[value] for value in own] if len(own) <= _FEW else [own]
        yield from (branches[place].under(any_of(_one_of(x, each, d))) for each in alone)


def _runs(x: str, ladder: Ladder, among: Collection[int], excluded: Sequence[Value], d: Dialect) -> Iterator[str]:
    """The conditions of neighbouring rungs that are among some, without the values that are excluded."""
    cuts = _reached(ladder, d)
    inside = [place in among for place in ladder.rungs[: len(cuts) + 1]]
    start = None
    for rung, (held, after) in enumerate(zip(inside, [*inside[1:], False], strict=True)):
        start = rung if held and start is None else start
        if held and not after and start is not None:
            without = [value for value in excluded if start <= _rung(ladder, value) <= rung]
            lower = [] if start == 0 else [_from(x, cuts[start - 1], d)]
            upper = [] if rung == len(cuts) else [_below(x, cuts[rung], d)]
            yield all_of([*lower, *upper, *_one_of(x, without, d, "<>", "NOT IN")] or [f"{x} IS NOT NULL"])
            start = None


def _rung(ladder: Ladder, value: Value) -> int:
    return 0 if isinstance(value, str) else bisect_right(ladder.cuts, value)


def _below(x: str, cut: float, d: Dialect) -> str:
    """Whether a number is less than a cut."""
    end, before = _end(cut)
    return f"{x} {'<=' if before else '<'} {number(end, d, compared=True)}"


def _from(x: str, cut: float, d: Dialect) -> str:
    """Whether a number is a cut or more."""
    end, before = _end(cut)
    return f"{x} {'>' if before else '>='} {number(end, d, compared=True)}"


def _end(cut: float) -> tuple[float, bool]:
    """The cut, or the double before it where that has fewer digits, and whether it is the one before."""
    before = math.nextafter(cut, -math.inf)
    shorter = math.isfinite(before) and len(repr(before)) < len(repr(cut))
    return (before, True) if shorter else (cut, False)


def _present(x: str, ladder: Ladder, d: Dialect) -> str:
    """Whether there is a value; NaN is none, and no engine takes it for less than infinity."""
    if ladder.kind == "categorical" or d.infinity is None:
        return f"{x} IS NOT NULL"
    return f"{x} <= {d.infinity}"


def _one_of(x: str, values: Sequence[Value], d: Dialect, one: str = "=", several: str = "IN") -> list[str]:
    """Whether a column is one of the values that it can hold, in lists as long as the engine takes them."""
    held = [_value(value, d) for value in values if d.holds_empty or value != ""]
    lists = [held[start : start + d.max_list] for start in range(0, len(held), d.max_list)]
    return [f"{x} {one} {each[0]}" if len(each) == 1 else f"{x} {several} ({', '.join(each)})" for each in lists]


def _value(value: Value, d: Dialect) -> str:
    return literal(value + d.guard, d) if isinstance(value, str) else number(value, d, compared=True)
