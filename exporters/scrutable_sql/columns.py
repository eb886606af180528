"""Which nodes of a program are columns of a step; the others are written where they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from scrutable.model.program import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Clamp,
    Code,
    Column,
    First,
    Largest,
    Linear,
    Logistic,
    Node,
    Pair,
    Points,
    Program,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
    needed,
    refs,
    size_of,
)
from scrutable_sql.dialects import Dialect
from scrutable_sql.ladders import is_compound, within
from scrutable_sql.packing import Packed, packings
from scrutable_sql.standing import is_difference, stand_in

#: With more truths, or more than half of the columns that the engine has, none has a column of its own.
MOST_TRUTHS = 1000
#: How often a condition is written again rather than read from a column, and its length up to which it is.
_FEW, _SHORT = 4, 70


@dataclass(frozen=True, slots=True)
class Layout:
    """How the nodes of a program are spread over columns.

    Parameters
    ----------
    needed : the nodes that the wanted outputs need.
    columns : those of them that are columns.
    standing : by place that is no column, a table of it that is one and can stand for it.
    packed : sums, their terms and rankings that one whole number tells.
    """

    needed: frozenset[Ref]
    columns: frozenset[Ref]
    standing: dict[Ref, Ref]
    packed: dict[Ref, Packed]


def layout(program: Program, wanted: Collection[Ref], d: Dialect) -> Layout:
    """The layout of the nodes that some outputs need."""
    packed = packings(program, needed(program, wanted), d)
    deciding = _Deciding(program, tuple(wanted), d, _readers(program, wanted, packed), packed)
    columns = deciding.columns(with_truths=True)
    truths = sum(isinstance(program[ref], Bucket | All) and size_of(program, ref) == 2 for ref in columns)
    if truths > min(MOST_TRUTHS, d.max_columns // 2):
        columns = deciding.columns(with_truths=False)
    return Layout(frozenset(deciding.readers), columns, deciding.standing, packed)


def _read(program: Program, ref: Ref, packed: Mapping[Ref, Packed]) -> tuple[Ref, ...]:
    """What the text of a node reads: of a packed sum the places of its terms; these and the ranking read the same."""
    if ref in packed:
        return tuple(term.place for term in packed[ref].terms) if ref == packed[ref].total else ()
    return refs(program[ref])


def _readers(program: Program, wanted: Collection[Ref], packed: Mapping[Ref, Packed]) -> dict[Ref, list[Ref]]:
    """The nodes that are needed, each with those that read it."""
    readers: dict[Ref, list[Ref]] = {ref: [] for ref in wanted}
    for ref in range(len(program.nodes) - 1, -1, -1):
        if ref in readers:
            for read in dict.fromkeys(_read(program, ref, packed)):
                readers.setdefault(read, []).append(ref)
    return readers


@dataclass(slots=True)
class _Deciding:
    program: Program
    wanted: tuple[Ref, ...]
    d: Dialect
    readers: dict[Ref, list[Ref]]
    packed: dict[Ref, Packed]
    standing: dict[Ref, Ref] = field(default_factory=dict)
    named: frozenset[Ref] = frozenset()

    def __post_init__(self) -> None:
        self.named = frozenset(output.of for output in self.program.outputs)
        for place, reading in self.readers.items():
            tables = [ref for ref in sorted(reading) if self._is_table(ref)]
            table = None if place in self.wanted else stand_in(self.program, tables, self.readers, place)
            if table is not None:
                self.standing[place] = table

    def columns(self, *, with_truths: bool) -> frozenset[Ref]:
        """Nodes that are read more than once in the text, and those that others can only read as a column."""
        count, whole = Counter(self.wanted), set[Ref]()
        told = self._told() if with_truths else set()
        columns = set[Ref]()
        for ref in sorted(self.readers, reverse=True):
            node = self.program[ref]
            if ref in told or self._is_column(ref, node, count[ref], ref in whole):
                columns.update((ref,) if with_truths or not _asks(node) else ())
            times = 1 if ref in columns or isinstance(node, Rank) else count[ref]
            for read, often, as_whole in self._reads(ref, node):
                count[read] += times * often
                whole |= {read} if as_whole else set()
        return frozenset(columns)

    def _told(self) -> set[Ref]:
        """Truths that have words, such as rules."""
        return {
            ref for each in self.readers for node in [self.program[each]] if isinstance(node, Words) for ref in node.of
        }

    def _is_column(self, ref: Ref, node: Node, count: int, whole: bool) -> bool:
        match node:
            case Sum(_, of) | Words(of):
                return bool(of)
            case Points():
                return whole or ref in self.packed or (self._is_table(ref) and not self._follows(ref))
            case Bucket():
                return count > 1 and ref not in self.standing and not (count <= _FEW and self._is_short(ref))
            case First(of):
                simple = len(of) <= 2 and all(isinstance(self.program[each], Test | AtLeast) for each in of)
                return count > 1 and ref not in self.standing and not simple
            case Text():
                return count > 1 or ref in self.standing.values()
            case Choice():
                return count > 1 or whole
            case Short():
                return whole
            case All() | Largest() | Linear() | Clamp() | Logistic() | Share():
                return count > 1
            case Column() | Pair() | Test() | AtLeast() | Rank() | Code():
                return False
            case _:
                assert_never(node)

    def _reads(self, ref: Ref, node: Node) -> Iterator[tuple[Ref, int, bool]]:
        """What a node reads: how often its text names it, and whether it must be a column or a short text."""
        if isinstance(node, Points | Test | Text) and node.of in self.standing and ref != self.standing[node.of]:
            yield self.standing[node.of], 1, False
            return
        for read in dict.fromkeys(_read(self.program, ref, self.packed)):
            match node:
                case Clamp():
                    yield read, 3, True
                case Linear() | Logistic() | Share() | AtLeast():
                    yield read, 1, True
                case Bucket() | Largest():
                    yield read, 2, True
                case Rank():
                    yield read, 1, not self._is_inline(read)
                case Pair(of):
                    yield read, 2 ** of.index(read), False
                case _:
                    yield read, 1, False

    def _is_inline(self, ref: Ref) -> bool:
        return isinstance(self.program[ref], Points) and not self._is_table(ref)

    def _is_table(self, ref: Ref) -> bool:
        """Whether it is a table of a ladder that something else than a ranking reads, or a named output."""
        node = self.program[ref]
        if not isinstance(node, Points):
            return False
        read = any(not isinstance(self.program[each], Rank) for each in self.readers[ref])
        if ref in self.named:
            return read or ref in self.wanted
        return read and isinstance(self.program[node.of], Bucket) and size_of(self.program, node.of) > 2

    def _follows(self, ref: Ref) -> bool:
        """Whether it is another table of the same place, plus or minus a number."""
        node = self.program[ref]
        assert isinstance(node, Points)
        table = self.standing.get(node.of, ref)
        of = self.program[table]
        return table != ref and isinstance(of, Points) and is_difference(node.values, of.values, clipped=False)

    def _is_short(self, ref: Ref) -> bool:
        """Whether the condition of a ladder is a short comparison of numbers."""
        node = self.program[ref]
        if not isinstance(node, Bucket) or node.ladder.size != 2 or node.ladder.kind != "numeric":
            return False
        text = within("x", node.ladder, {1}, self.d)
        return not is_compound(text) and len(text) <= _SHORT


def _asks(node: Node) -> bool:
    """Whether it is a truth of the columns of the table."""
    return isinstance(node, All) or (isinstance(node, Bucket) and node.ladder.size == 2)
