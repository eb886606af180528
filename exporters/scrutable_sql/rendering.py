"""The columns of a program: of nodes, of parts of long sums, and of the keys by which reasons are ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from scrutable.model.program import (
    Choice,
    Clamp,
    Column,
    Linear,
    Output,
    Points,
    Program,
    Rank,
    Ref,
    Sum,
    Text,
    Words,
    ranks_read,
    sort_of,
)
from scrutable_sql.columns import Layout, layout
from scrutable_sql.common import Result, input_name
from scrutable_sql.dialects import Dialect
from scrutable_sql.expressions import Expressions, Ranked
from scrutable_sql.naming import Naming
from scrutable_sql.packed_columns import PackedColumns
from scrutable_sql.query import CHUNK, Case, Expression, chunks, greatest
from scrutable_sql.quoting import comment
from scrutable_sql.ranked import ByKey
from scrutable_sql.ranking import Keys
from scrutable_sql.steps import Steps

#: A term of a sum or a text, which is made inside the column that reads it.
Term = Callable[[], str | Case]


@dataclass(slots=True)
class Rendering:
    """A program as columns, which are made when they are first asked for."""

    program: Program
    layout: Layout
    naming: Naming
    d: Dialect
    steps: Steps = field(default_factory=Steps)
    expressions: Expressions = field(init=False)
    packing: PackedColumns = field(init=False)
    _names: dict[Ref, str] = field(default_factory=dict)
    _ranked: dict[Ref, Sequence[Ranked]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.expressions = Expressions(
            self.program, self.layout, self.naming, self.d, column=self._column, ranked=self._at_rank
        )
        self.packing = PackedColumns(
            self.naming,
            self.steps,
            self.d,
            self.layout.needed,
            titles=self.naming.titles,
            chosen=self.expressions.chosen,
        )
        for ref in sorted(self.layout.needed):
            if ref in self.layout.columns:
                self._name(ref)
            elif isinstance(self.program[ref], Rank):
                self._ranking(ref)

    @classmethod
    def of(cls, program: Program, wanted: Sequence[Output], d: Dialect) -> Rendering:
        """Columns for some outputs."""
        return cls(program, layout(program, [output.of for output in wanted], d), Naming(program, d), d)

    def result(self, output: Output) -> Result:
        """A result; it is cast where nothing in it says what it is."""
        expression = self.expressions.value(output.of)
        is_text = sort_of(self.program, output.of) == "text"
        known = output.of in self._names or (is_text and expression != "NULL")
        return Result(output.name, expression, output.about, "" if known else self._cast(output.of))

    def _column(self, ref: Ref) -> str:
        node = self.program[ref]
        if isinstance(node, Column):
            return self.steps.reading(input_name(node.name, self.d))
        return self.steps.reading(self._name(ref))

    def _name(self, ref: Ref) -> str:
        """The name of a node's column, which is made by then."""
        if ref not in self._names:
            self._names[ref] = self._make(ref)
        return self._names[ref]

    def _make(self, ref: Ref) -> str:
        node, write = self.program[ref], self.expressions
        name, note = self.naming.of_node(ref)
        make: Callable[[], Expression] = partial(write.expression, ref)
        packed = self.layout.packed.get(ref)
        if packed is not None:
            make = partial(self.packing.number, packed, ref)
        elif isinstance(node, Sum) and len(node.of) > CHUNK:
            terms = self._parts([partial(write.value, each) for each in node.of], partial(write.added, 0.0), ref)
            make = partial(_together, partial(write.added, node.start), terms)
        elif isinstance(node, Words) and len(node.of) > CHUNK:
            words = [partial(write.word, each, word) for each, word in zip(node.of, node.words, strict=True)]
            make = partial(_together, write.spelled, self._parts(words, write.concatenated, ref))
        return self.steps.add(name, make, self._kind(ref), "" if packed is not None else self._cast(ref), note)

    def _parts(self, terms: Sequence[Term], together: Callable[[list[str | Case]], Expression], ref: Ref) -> list[Term]:
        """Terms, put together in parts that are columns, until they are few."""
        while len(terms) > CHUNK:
            parts = [(self.naming.new("part", ref), partial(_together, together, part)) for part in chunks(terms)]
            names = [self.steps.add(name, make, "parts", self._cast(ref)) for name, make in parts]
            terms = [partial(self.steps.reading, name) for name in names]
        return list(terms)

    def _ranking(self, ref: Ref) -> Sequence[Ranked]:
        if ref not in self._ranked:
            self._ranked[ref] = self._rank(ref)
        return self._ranked[ref]

    def _at_rank(self, ref: Ref, rank: int) -> Ranked | None:
        if rank >= len(self._ranking(ref)):
            return None
        ranked = self._ranked[ref][rank]
        for name in ranked.reads:
            self.steps.reading(name)
        return ranked

    def _rank(self, ref: Ref) -> Sequence[Ranked]:
        if ref in self.layout.packed:
            return self.packing.ranked(self.layout.packed[ref], ranks_read(self.program, ref, self.layout.needed))
        return self._compared(ref)

    def _compared(self, ref: Ref) -> list[ByKey]:
        """The greatest key, again and again the greatest of those below it, and their codes, each in a later step."""
        node, add, new = self.program[ref], self.steps.add, self.naming.new
        assert isinstance(node, Rank)
        keys = Keys.ranking(self.program, node.of)
        columns = [self._key_of_code(ref, code, keys) for code in range(len(node.of))]
        ranked: list[ByKey] = []
        for i in range(1, min(ranks_read(self.program, ref, self.layout.needed), len(node.of)) + 1):
            about = "what falls short most, of what is left" if ranked else f"what falls short most: {keys.words}"
            next_best = partial(self._greatest, columns, ranked[-1].best if ranked else None)
            best = add(new(f"best_{i}", ref), next_best, "ranks", note=about)
            place = add(new(f"place_{i}", ref), partial(self._remainder, best, keys.factor), "places")
            ranked.append(ByKey(best, place, keys, self.d))
        return ranked

    def _greatest(self, columns: Sequence[str], below: str | None = None) -> Expression:
        terms = [self.steps.reading(column) for column in columns]
        if below is not None:
            terms = [f"CASE WHEN {term} < {self.steps.reading(below)} THEN {term} ELSE 0 END" for term in terms]
        return greatest(terms, self.d.greatest)

    def _remainder(self, best: str, factor: int) -> str:
        """In a column since a remainder is slow to work out at every WHEN."""
        return self.d.remainder.format(self.steps.reading(best), factor)

    def _key_of_code(self, ref: Ref, code: int, keys: Keys) -> str:
        """The column of a code's key: that of its number, or the greatest of several."""
        node, add, new = self.program[ref], self.steps.add, self.naming.new
        assert isinstance(node, Rank)
        place, note = len(node.of) - code, comment(node.titles[code]) if node.titles else ""
        cast = self.d.integer if self.d.unsigned_literals else ""
        columns = [
            add(new(f"key_{place}", ref), partial(self._key, number, place, keys), "shortfalls", cast, note)
            for number in node.of[code]
        ]
        if len(columns) == 1:
            return columns[0]
        return add(new(f"code_{place}", ref), partial(self._greatest, columns), "codes", note=note)

    def _key(self, ref: Ref, place: int, keys: Keys) -> str | Case:
        node = self.program[ref]
        if isinstance(node, Points) and ref not in self.layout.columns:
            below = self.expressions.below(node)
            if below is not None:
                return keys.key_below(*below, place, self.d)
            return self.expressions.chosen(node.of, keys.branches(node.values, place))
        return keys.key_of(self.expressions.short(ref), place, self.d)

    def _cast(self, ref: Ref) -> str:
        """The type of a node, where its text may leave it open."""
        sort = sort_of(self.program, ref)
        if sort == "text":
            return self.d.text
        return self.d.double if sort == "number" and not self._is_double(ref) else ""

    def _is_double(self, ref: Ref) -> bool:
        """Whether the text of a number is a double whatever its branches are."""
        node = self.program[ref]
        if isinstance(node, Choice):
            return all(each in self._names or self._is_double(each) for each in node.of if each is not None)
        return bool(node.of) if isinstance(node, Sum) else not isinstance(node, Points | Clamp)

    def _kind(self, ref: Ref) -> str:
        match self.program[ref]:
            case Points():
                return "points"
            case Linear():
                return "calibrated"
            case Text() | Words():
                return "texts"
        return "sums" if sort_of(self.program, ref) in ("number", "text") else "asked"


def _together(put: Callable[[list[str | Case]], Expression], terms: Sequence[Term]) -> Expression:
    return put([term() for term in terms])
