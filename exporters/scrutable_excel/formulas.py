"""What each node gives for a row, as a formula.

Spreadsheets' own comparisons take numbers that agree in about 15 digits for equal, and texts that differ in case.
GESTEP, DELTA and EXACT compare whole doubles and code points. Truths are 1 and 0; places count from 0, lines from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    is_truth,
)
from scrutable_excel.cells import call, split_call
from scrutable_excel.tables import FROM, LINE, VALUE, Tables

#: What the numbers of rules that apply follow, so that none that applies is told from no rules.
RULES = "rules"


@dataclass(slots=True)
class Formulas:
    """The nodes of a program as formulas.

    Parameters
    ----------
    known : what stands for each node that was written down: a cell of the row, or a formula; of a bucket, its line.
    shortfalls, orders : of each ranking the cells with the codes' shortfalls, and with their places from 1.
    """

    program: Program
    tables: Tables
    known: dict[Ref, str] = field(default_factory=dict)
    shortfalls: dict[Ref, str] = field(default_factory=dict)
    orders: dict[Ref, str] = field(default_factory=dict)

    def __call__(self, ref: Ref) -> str:
        """What a node gives, from those before it; of a bucket its line, of a ranking nothing but its columns."""
        known, constant = self.known, self.tables.constant
        match node := self.program[ref]:
            case Column() | Rank():
                raise AssertionError(f"{node} has cells of its own")
            case Bucket(of):
                return self._line(ref, known[of])
            case Pair(of, sizes):
                place = "0"
                for each, size in zip(of, sizes, strict=True):
                    place = f"({place})*{size}+{self.place(each)}"
                return f"({place})"
            case Points(of):
                return self._looked_up(ref, of)
            case Test(of, among):
                if is_truth(self.program, of) and len(among) == 1:
                    return self.place(of) if among[0] else f"(1-{self.place(of)})"
                tests = [f"{self.place(of)}={place}" for place in among]
                return f"IF({call('OR', tests)},1,0)" if tests else "0"
            case All(of):
                return split_call("MIN", ["1", *map(self.place, of)])
            case First(of):
                held = [f"IF({self.place(each)}=1,{place},{len(of)})" for place, each in enumerate(of)]
                return split_call("MIN", [str(len(of)), *held])
            case Choice(by, of):
                return call(
                    "CHOOSE", [f"1+{self.place(by)}", *('""' if each is None else self.given(each) for each in of)]
                )
            case Sum(_, of):
                return split_call("SUM", [constant(ref, "start"), *(known[each] for each in of)])
            case Linear(of):
                # spreadsheets take a sum whose last step almost cancels for 0
                return f"SUM(1E-300,{constant(ref, 'intercept')},{constant(ref, 'slope')}*{known[of]},-1E-300)"
            case Clamp(of):
                return f"MAX({constant(ref, 'low')},MIN({constant(ref, 'high')},{known[of]}))"
            case Logistic(of):
                return f"(1/(1+EXP(-{known[of]})))"
            case AtLeast(of):
                return f"GESTEP({known[of]},{constant(ref, 'limit')})"
            case Share(of, among):
                total = split_call("SUM", [known[each] for each in among])
                return f'IF({total}=0,"",{known[of]}/{total})'
            case Largest(of):
                largest = [split_call("MIN", [f"GESTEP({known[one]},{known[each]})" for each in of]) for one in of]
                held = [f"IF({text}=1,{place},{len(of)})" for place, text in enumerate(largest)]
                return split_call("MIN", held)
            case Code(of, rank):
                code = f"MATCH({rank + 1},{self.orders.get(of)},0)-1"
                return self._at_a_rank(of, rank, code, str(self._codes(of)))
            case Short(of, rank):
                return self._at_a_rank(of, rank, self._short(of, rank), '""')
            case Text(of):
                return f"T({self._looked_up(ref, of)})"
            case Words(of, words):
                told = [f'IF({self.place(each)}=1," {word}","")' for each, word in zip(of, words, strict=True)]
                return "&".join([f'"{RULES}"', *told])
            case _:
                assert_never(node)

    def place(self, ref: Ref) -> str:
        """The place that a node gives."""
        if not isinstance(self.program[ref], Bucket):
            return self.known[ref]
        block = self.tables.blocks[ref]
        return f"INDEX({block.span(block.places)},{self.known[ref]})"

    def given(self, ref: Ref) -> str:
        """What a node gives as a result."""
        return self.place(ref) if isinstance(self.program[ref], Bucket) else self.known[ref]

    def order(self, shortfalls: Sequence[str], code: int) -> str:
        """The place of a code in its ranking, from 1: the largest shortfall first, the first of equal ones."""
        own = shortfalls[code]
        before = [f"GESTEP({each},{own})" for each in shortfalls[:code]]
        after = [f"(1-GESTEP({own},{each}))" for each in shortfalls[code + 1 :]]
        return "+".join(["1", *before, *after])

    def _looked_up(self, ref: Ref, of: Ref) -> str:
        """What stands in a table on the line of a place."""
        block = self.tables.blocks[of]
        line = self.known[of] if isinstance(self.program[of], Bucket) else f"1+{self.known[of]}"
        return f"INDEX({block.span(block.column(ref))},{line})"

    def _line(self, ref: Ref, x: str) -> str:
        """The line of a value; #N/A where it is of another kind than its column."""
        bucket, block = self.program[ref], self.tables.blocks[ref]
        assert isinstance(bucket, Bucket)
        texts = bucket.ladder.kind == "categorical"
        cuts = [line for line, each in enumerate(block.lines, 1) if each.lower is not None]
        values = [line for line, each in enumerate(block.lines, 1) if each.value is not None]
        position = "+".join(["1", *(f"GESTEP({x},{block.cell(line, FROM)})" for line in cuts)])
        if values and texts:
            span = (values[0], values[-1])
            position = f"MAX({position},SUMPRODUCT(EXACT({block.span(VALUE, *span)},{x})*{block.span(LINE, *span)}))"
        elif values:
            position = call("MAX", [position, *(f"{line}*DELTA({x},{block.cell(line, VALUE)})" for line in values)])
        if not isinstance(self.program[bucket.of], Column):
            return f'IF({x}="",{len(block.lines)},{position})'
        return f"IF(ISBLANK({x}),{len(block.lines)},IF({'ISTEXT' if texts else 'ISNUMBER'}({x}),{position},NA()))"

    def _codes(self, ranking: Ref) -> int:
        node = self.program[ranking]
        assert isinstance(node, Rank)
        return len(node.of)

    def _short(self, ranking: Ref, rank: int) -> str:
        """The shortfall at a rank, which may be 0."""
        return f"INDEX({self.shortfalls.get(ranking)},MATCH({rank + 1},{self.orders.get(ranking)},0))"

    def _at_a_rank(self, ranking: Ref, rank: int, text: str, nothing: str) -> str:
        """Something of the code at a rank, if that falls short."""
        return f"IF({self._short(ranking, rank)}>0,{text},{nothing})" if rank < self._codes(ranking) else nothing
