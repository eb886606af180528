"""Points and reasons in one whole number, so that each ladder is climbed once and reasons need no comparing.

The number of a bucket is its points, counted from the table's least, above a bit for how far it falls short. Each way
to fall short has a bit of its own, the lowest what falls short most, so that a sum of numbers tells the sum of the
points, and by its bits which reasons there are, in their order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scrutable.model.program import All, Bucket, Pair, Points, Program, Rank, Ref, Sum
from scrutable_sql.dialects import Bits, Dialect
from scrutable_sql.query import CHUNK

#: Bits of a number that is never negative, whatever is added up, and of a wide one.
_MOST_BITS, _MOST_WIDE = 62, 126


@dataclass(frozen=True, slots=True)
class Short:
    """What a bit stands for: the place of a code, and how far it falls short."""

    code: int
    by: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """Points that a sum adds: their node, the place that they are a table of, by bucket points and whole numbers."""

    ref: Ref
    place: Ref
    points: tuple[float, ...]
    numbers: tuple[int, ...]

    @property
    def least(self) -> float:
        """What the number 0 adds."""
        return min(self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A sum and a ranking whose numbers are told by one whole number.

    Parameters
    ----------
    total, rank : the nodes.
    start : what the sum begins with.
    terms : what the sum adds, in its order.
    bits : what each bit stands for, from the lowest.
    scale : points are multiples of 1 / `scale`, a power of two.
    integer : the type of the numbers.
    """

    total: Ref
    rank: Ref
    start: float
    terms: tuple[Term, ...]
    bits: tuple[Short, ...]
    scale: int
    integer: str

    def literal(self, whole: int) -> str:
        """A number; those of more bits than others are of their own type, whatever the dialect takes digits for."""
        return str(whole) if whole.bit_length() <= _MOST_BITS else f"CAST('{whole}' AS {self.integer})"


def packings(program: Program, needed: Collection[Ref], d: Dialect) -> dict[Ref, Packed]:
    """Sums and rankings among the nodes that are needed which one whole number can tell, by each node that it tells.

    Examples
    --------
    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_sql.dialects import DIALECTS
    >>> program = lowered(models_named()["scorecard"])
    >>> len(packings(program, range(len(program.nodes)), DIALECTS["mariadb"]))
    0
    """
    packed: dict[Ref, Packed] = {}
    if d.bits is None:
        return packed
    for rank in sorted(needed):
        node = program[rank]
        for total in sorted(needed) if isinstance(node, Rank) else ():
            one = None if total in packed else _packed(program, total, rank, d, d.bits)
            if one is not None:
                packed |= dict.fromkeys((total, rank, *(term.ref for term in one.terms)), one)
                break
    return packed


def _packed(program: Program, total: Ref, rank: Ref, d: Dialect, bits: Bits) -> Packed | None:
    """The sum and the ranking, if all of both are tables of the same places, and small enough."""
    added, ranked = program[total], program[rank]
    assert isinstance(ranked, Rank)
    if not isinstance(added, Sum) or len(added.of) > CHUNK or any(total in refs for refs in ranked.of):
        return None
    terms = [_table(program, ref) for ref in added.of]
    codes = [_table(program, refs[0]) if len(refs) == 1 else None for refs in ranked.of]
    tables = dict(term for term in terms if term is not None)
    shorts = [code for code in codes if code is not None]
    if len(tables) < len(added.of) or len(shorts) < len(codes) or not {place for place, _ in shorts} <= set(tables):
        return None
    ways = sorted({(-by, code) for code, (_, values) in enumerate(shorts) for by in values if by > 0})
    scale = max((value.as_integer_ratio()[1] for values in tables.values() for value in values), default=1)
    span = sum(int((max(values) - min(values)) * scale) for values in tables.values())
    length = len(ways) + span.bit_length()
    integer = d.integer if length <= _MOST_BITS else bits.wide
    if not ways or not integer or length > _MOST_WIDE:
        return None
    numbers = {
        place: [int((value - min(values)) * scale) << len(ways) for value in values] for place, values in tables.items()
    }
    for code, (place, values) in enumerate(shorts):
        for bucket, by in enumerate(values):
            numbers[place][bucket] += 1 << ways.index((-by, code)) if by > 0 else 0
    return Packed(
        total=total,
        rank=rank,
        start=added.start,
        terms=tuple(
            Term(ref=ref, place=place, points=values, numbers=tuple(numbers[place]))
            for ref, (place, values) in zip(added.of, tables.items(), strict=True)
        ),
        bits=tuple(Short(code, -by) for by, code in ways),
        scale=scale,
        integer=integer,
    )


def _table(program: Program, ref: Ref) -> tuple[Ref, tuple[float, ...]] | None:
    """The place that a number depends on alone, and the number of each bucket; sums are exact."""
    match program[ref]:
        case Points(of, values) if isinstance(program[of], Bucket | Pair | All):
            return of, values
        case Sum(start, (one,)) if (table := _table(program, one)) is not None:
            place, values = table
            return place, tuple(start + value for value in values)
        case _:
            return None
