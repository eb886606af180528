"""The columns of a sum and a ranking that one whole number tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from scrutable.model.program import Ref
from scrutable_sql import query
from scrutable_sql.dialects import Bits, Dialect
from scrutable_sql.naming import Naming
from scrutable_sql.packing import Packed, Term
from scrutable_sql.query import Branch, Case
from scrutable_sql.quoting import number
from scrutable_sql.ranked import ByBit
from scrutable_sql.steps import Steps


@dataclass(slots=True)
class PackedColumns:
    """Columns of whole numbers, which are made when they are first asked for.

    Parameters
    ----------
    needed : the nodes that the wanted outputs need.
    titles : what is said of each place that a node can give.
    chosen : the branch at the place that a node gives.
    """

    naming: Naming
    steps: Steps
    d: Dialect
    needed: Collection[Ref]
    titles: Callable[[Ref], Sequence[str]]
    chosen: Callable[[Ref, Sequence[Branch]], str | Case]
    _sums: dict[Ref, str] = field(default_factory=dict)
    _terms: dict[Ref, str] = field(default_factory=dict)

    def number(self, packed: Packed, ref: Ref) -> str:
        """The sum, or one of its terms."""
        if ref == packed.total:
            return self._points(packed, packed.start + sum(term.least for term in packed.terms), self._sum(packed))
        term = next(term for term in packed.terms if term.ref == ref)
        return self._points(packed, term.least, self._term(packed, term))

    def ranked(self, packed: Packed, count: int) -> list[ByBit]:
        """What has a rank: all bits, again and again without the lowest, each in a later step."""
        ranked: list[ByBit] = []
        for i in range(1, count + 1):
            about = "what falls short: a bit each, the lowest falls short most" if i == 1 else "without the lowest bit"
            rest = partial(self._without_lowest, ranked[-1].rest) if ranked else partial(self._bits, packed)
            name = self.steps.add(self.naming.new(f"rest_{i}", packed.rank), rest, "ranks", note=about)
            ranked.append(ByBit(name, self._lowest(packed, i, name), packed, self.d))
        return ranked

    def _lowest(self, packed: Packed, rank: int, rest: str) -> str:
        """The column of the lowest bit, where the dialect has no list to look its place up in."""
        if self._apart.item:
            return ""
        name = self.naming.new(f"lowest_{rank}", packed.rank)
        return self.steps.add(name, partial(self._lowest_of, rest), "places")

    def _lowest_of(self, rest: str) -> str:
        return self._apart.common.format(self.steps.reading(rest), f"-{rest}")

    def _bits(self, packed: Packed) -> str:
        return self._apart.common.format(self._sum(packed), packed.literal((1 << len(packed.bits)) - 1))

    def _without_lowest(self, rest: str) -> str:
        return self._apart.common.format(self.steps.reading(rest), f"({rest} - 1)")

    def _points(self, packed: Packed, least: float, column: str) -> str:
        """What a whole number says of points."""
        units = f"CAST({self._apart.right.format(column, len(packed.bits))} AS {self.d.double})"
        counted = units if packed.scale == 1 else f"{units} / {number(packed.scale, self.d)}"
        return f"{number(least, self.d)} + {counted}"

    def _sum(self, packed: Packed) -> str:
        """The column of the sum of all numbers, for the expression that is being made."""
        if packed.total not in self._sums:
            name = self.naming.new("packed_points", packed.total)
            note = f"points times {packed.scale << len(packed.bits)}, from the least, and a bit for what falls short"
            self._sums[packed.total] = self.steps.add(name, partial(self._added, packed), "packed", note=note)
        return self.steps.reading(self._sums[packed.total])

    def _added(self, packed: Packed) -> query.Sum:
        terms = [
            self._term(packed, term) if term.ref in self.needed else self._ladder(packed, term) for term in packed.terms
        ]
        return query.Sum(f"CAST(0 AS {packed.integer})", tuple(terms))

    def _term(self, packed: Packed, term: Term) -> str:
        """The column of a term's number, where its points are a column too."""
        if term.ref not in self._terms:
            name = self.naming.new("packed_points", term.ref)
            make = partial(self._ladder, packed, term)
            self._terms[term.ref] = self.steps.add(name, make, "packed", packed.integer)
        return self.steps.reading(self._terms[term.ref])

    def _ladder(self, packed: Packed, term: Term) -> str | Case:
        """The number of each bucket; the note says what it is made of."""
        branches = []
        for title, points, whole in zip(self.titles(term.place), term.points, term.numbers, strict=True):
            shorts = [f"{bit.by!r} short" for i, bit in enumerate(packed.bits) if whole >> i & 1]
            told = ", ".join([f"{points!r} points", *shorts])
            branches.append(Branch(packed.literal(whole), f"{title}: {told}" if title else told))
        return self.chosen(term.place, branches)

    @property
    def _apart(self) -> Bits:
        assert self.d.bits is not None
        return self.d.bits
