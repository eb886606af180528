"""Tables that can stand for the place they are of, so that a ladder is climbed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrutable.model.program import First, Points, Program, Rank, Ref, Test, Text


def stand_in(program: Program, tables: Sequence[Ref], readers: Mapping[Ref, Sequence[Ref]], place: Ref) -> Ref | None:
    """A table of a place, if it tells all that the others ask of the place.

    Parameters
    ----------
    tables : those of the place that are columns.
    readers : by node, those that read it.
    """
    reading = readers[place]
    codes = [ref for ref in sorted(reading) if _is_code(program, ref)]
    table = next(iter((*tables, *codes)), None)
    others = [ref for ref in reading if ref != table]
    if table is None or not others or not all(_tells(program, table, ref, readers) for ref in others):
        return None
    return table


def difference(values: Sequence[float], points: Sequence[float], *, clipped: bool = False) -> float:
    """The number that a table is, less other points of the same places; `clipped` if it is 0 where that is negative.

    >>> difference([5.0, 0.0], [15.0, 40.0], clipped=True)
    20.0
    """
    pairs = zip(values, points, strict=True)
    return next((value + other for value, other in pairs if value > 0 or not clipped), 0.0)


def is_difference(values: Sequence[float], points: Sequence[float], *, clipped: bool) -> bool:
    """Whether a table is a number less other points."""
    number = difference(values, points, clipped=clipped)
    differences = (number - other for other in points)
    return list(values) == [max(each, 0.0) if clipped else each for each in differences]


def _is_code(program: Program, ref: Ref) -> bool:
    """Whether it is a text for each truth that is the first to hold, and none where none holds."""
    node = program[ref]
    if not isinstance(node, Text) or not isinstance(program[node.of], First):
        return False
    return node.texts[-1] is None and None not in node.texts[:-1]


def _tells(program: Program, table: Ref, reader: Ref, readers: Mapping[Ref, Sequence[Ref]]) -> bool:
    told, asked = program[table], program[reader]
    if isinstance(told, Text):
        last = len(told.texts) - 1
        return isinstance(asked, Test) and set(asked.among) in ({last}, set(range(last)))
    if not isinstance(told, Points) or not isinstance(asked, Points):
        return False
    ranked = all(isinstance(program[each], Rank) for each in readers[reader])
    return is_difference(asked.values, told.values, clipped=ranked)
