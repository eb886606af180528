"""Nodes as expressions over whole columns; places count from 1."""

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
    Ladder,
    Largest,
    Linear,
    Logistic,
    Names,
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
    Uses,
    Words,
    columns_alone,
    hints,
    is_truth,
    ranks_read,
    refs,
    sort_of,
)
from scrutable.plugins import one_line
from scrutable_r.conditions import between, condition
from scrutable_r.expression import ADDITION, AND, COMPARISON, IN, NOT, PRODUCT, Expression, call, joined
from scrutable_r.quoting import number, quoted, valued, vector

#: NA of each sort of node.
NOTHING = {"number": "NA_real_", "text": "NA_character_", "place": "NA_integer_", "truth": "NA"}


@dataclass(slots=True)
class Expressions:
    """The nodes of a program in R.

    Parameters
    ----------
    known : what stands for the nodes that have been assigned.
    """

    program: Program
    uses: Uses
    known: dict[Ref, str] = field(default_factory=dict)
    _names: Names = field(default_factory=lambda: Names({"data", "n", "result", "rows", "chosen", "points", "reasons"}))
    _hints: dict[Ref, str] = field(default_factory=dict)
    _columns: dict[Ref, str] = field(default_factory=dict)
    varying: set[Ref] = field(default_factory=set)
    _reserved: dict[Ref, str] = field(default_factory=dict)
    _told: set[Ref] = field(default_factory=set)

    @classmethod
    def of(cls, program: Program) -> Expressions:
        """Those of a program, of which the columns are known."""
        write = cls(program, Uses.of(program), _hints=hints(program), _columns=columns_alone(program))
        write._reserved = {ref: write._names.new(write._hint(ref)) for ref in sorted(write.uses.outputs)}
        for ref, node in enumerate(program.nodes):
            if isinstance(node, Column) or (not write.varying.isdisjoint(refs(node)) and not write._settled(ref)):
                write.varying.add(ref)
            if isinstance(node, Column):
                write.assigned(ref)
        return write

    def _settled(self, ref: Ref) -> bool:
        """Whether a truth is the same whatever a column holds."""
        node = self.program[ref]
        of = node.of if isinstance(node, Test) else ref
        bucket = self.program[of]
        if not isinstance(bucket, Bucket) or (of == ref and not self.asked(ref)):
            return False
        among = node.among if isinstance(node, Test) else (1,)
        return condition(bucket.ladder, among, "").text in ("TRUE", "FALSE")

    def assigned(self, ref: Ref) -> str:
        """The variable of a node, which is known from now on."""
        self.known[ref] = self._reserved[ref] if ref in self._reserved else self._names.new(self._hint(ref))
        return self.known[ref]

    def _hint(self, ref: Ref) -> str:
        if ref in self.uses.outputs:
            return self._hints[ref]
        match self.program[ref]:
            case Code(_, rank):
                return f"code_{rank + 1}"
            case Short(_, rank):
                return f"below_{rank + 1}"
            case Text(of) if isinstance(code := self.program[of], Code):
                return f"ranked_{code.rank + 1}"
            case First():
                told = [each for each in self.uses.readers[ref] if isinstance(self.program[each], Text)]
                return f"which_{self._hints.get(told[0], '')}".rstrip("_") if told else "state"
            case AtLeast():
                return "reached"
            case Test(of) if isinstance(self.program[of], First):
                return f"no_{self._hint(of).removeprefix('which_')}"
            case _:
                sort = "holds" if self.asked(ref) else sort_of(self.program, ref)
                return self._hints.get(ref) or f"{sort}_{self._columns.get(ref, '')}".rstrip("_")

    def named(self, ref: Ref) -> bool:
        """Whether a node has a variable of its own."""
        match self.program[ref]:
            case Column() | First() | Largest() | Rank() | Words():
                return True
            case Sum(_, of):
                return bool(of)
            case Code(of, _) | Short(of, _) if self.uses.scopes[of] != self.uses.scopes[ref]:
                return True
            case Bucket() if not self.asked(ref):
                return not all(isinstance(self.program[each], Test) for each in self.uses.readers[ref])
            case _:
                readers = [self.program[each] for each in self.uses.readers[ref]]
                numbered = any(isinstance(each, Bucket) for each in readers)
                return numbered or ref in self.uses.outputs or len(readers) > 1

    def asked(self, ref: Ref) -> bool:
        """Whether a node is a truth, or one of two places of which the first has no title, which is written as one."""
        return is_truth(self.program, ref)

    def __call__(self, ref: Ref) -> Expression:
        """What a node gives; its variable if it has one."""
        return Expression(self.known[ref]) if ref in self.known else self.worked_out(ref)

    def full(self, ref: Ref) -> str:
        """What a node gives, for every row where it is the same for all, and without NA where it is a truth."""
        text = self(ref).sure().text
        return text if ref in self.known or ref in self.varying else f"rep_len({text}, n)"

    def worked_out(self, ref: Ref) -> Expression:
        """What a node gives, from those that it reads."""
        match node := self.program[ref]:
            case Bucket(of, ladder):
                x = self(of).text
                return condition(ladder, (1,), x) if self.asked(ref) else _place(ladder, x)
            case Pair(of, sizes):
                return self._pair(of, sizes)
            case Points(of, values):
                if self.asked(of) and values[0] == 0 < values[1]:
                    return self.term(ref)
                if self.asked(of):
                    return self._pick(of, number(values[1]), number(values[0]))
                return self._line(of, [(number(each), each) for each in values])
            case Test(of, among):
                return self._test(of, among)
            case All(of):
                held = [each for each in map(self, of) if each.text != "TRUE"]
                return joined(held, "&", AND) if held else Expression("TRUE")
            case First(of, titles):
                cases = call("list", [self(each).text for each in of], list(map(one_line, titles)))
                return call("first_of", ["n", cases.text])
            case Choice(by, of):
                return self._choice(ref, by, of)
            case Sum(start, of):
                return joined([Expression(number(start)), *map(self.term, of)], "+", ADDITION)
            case Linear(of, slope, intercept):
                return Expression(f"{number(intercept)} + {number(slope)} * {self(of).within(PRODUCT)}", ADDITION)
            case Clamp(of, low, high):
                return Expression(f"pmin.int(pmax.int({self(of).text}, {number(low)}), {number(high)})")
            case Logistic(of):
                return Expression(f"1 / (1 + exp(-{self(of).within(PRODUCT)}))", PRODUCT)
            case AtLeast(of, limit):
                return Expression(f"{self(of).within(ADDITION)} >= {number(limit)}", COMPARISON)
            case Share(of, among):
                total = joined(list(map(self, among)), "+", ADDITION)
                return Expression(f"{self(of).within(PRODUCT)} / {total.within(PRODUCT + 1)}", PRODUCT)
            case Largest(of):
                return Expression(f'max.col(cbind({", ".join(map(self.full, of))}), "first")')
            case Rank(of, titles):
                most = [", ".join(map(self.full, each)) for each in of]
                short = [f"pmax.int({text})" if len(each) > 1 else text for text, each in zip(most, of, strict=True)]
                listed = call("list", short, list(map(one_line, titles)))
                return call("ranked", ["n", listed.text, f"{ranks_read(self.program, ref)}L"])
            case Code(of, rank):
                return Expression(f"{self(of).text}$code[[{rank + 1}]]")
            case Short(of, rank):
                return Expression(f"{self(of).text}$short[[{rank + 1}]]")
            case Text(of, texts):
                return self._line(of, [("NA_character_" if each is None else quoted(each), 0.0) for each in texts])
            case Words(of, words, titles):
                listed = call("list", list(map(self.full, of)), list(map(one_line, titles)))
                return call("spelled", ["n", listed.text, vector(words) if words else "character()"])
            case Column():
                raise AssertionError(f"{node} is read before all else")
            case _:
                assert_never(node)

    def term(self, ref: Ref) -> Expression:
        """A number as it is added."""
        node = self.program[ref]
        if ref not in self.known and isinstance(node, Points) and self.asked(node.of) and node.values[0] == 0:
            return Expression(f"{number(node.values[1])} * {self(node.of).sure().within(PRODUCT + 1)}", PRODUCT)
        return self(ref)

    def _line(self, of: Ref, entries: Sequence[tuple[str, float]]) -> Expression:
        """The line of a table that each row is on, in words too where the table is the first of its buckets."""
        node, titles = self.program[of], list[str]()
        if isinstance(node, Bucket) and of not in self._told:
            self._told.add(of)
            words = node.titles if any(node.titles) else _untitled(node.ladder, self(node.of).text)
            titles = [valued(title, value) for title, (_, value) in zip(words, entries, strict=True)]
        return Expression(f"{call('c', [text for text, _ in entries], titles).text}[{self._place_of(of)}]")

    def _place_of(self, ref: Ref) -> str:
        """The place that a node gives; a truth has two."""
        return f"1L + {self(ref).sure().within(ADDITION + 1)}" if self.asked(ref) else self(ref).text

    def _choice(self, ref: Ref, by: Ref, of: Sequence[Ref | None]) -> Expression:
        sort = sort_of(self.program, ref)
        texts = [NOTHING[sort] if each is None else self(each).text for each in of]
        if self.asked(by):
            return self._pick(by, texts[1], texts[0])
        return call("pick_at", [self(by).text, *texts])

    def _pick(self, by: Ref, then: str, otherwise: str) -> Expression:
        node, when = self.program[by], self(by).text
        if when in ("TRUE", "FALSE"):
            return Expression(then if when == "TRUE" else otherwise)
        title = node.titles[1] if isinstance(node, Bucket) and node.titles and "\n" in then + otherwise else ""
        return call("pick", [when, then, otherwise], [one_line(title)])

    def _test(self, of: Ref, among: Sequence[int]) -> Expression:
        node = self.program[of]
        if isinstance(node, Bucket) and of not in self.known:
            return condition(node.ladder, among, self(node.of).text)
        if not self.asked(of):
            if len(among) == 1:
                return Expression(f"{self(of).within(ADDITION)} == {among[0] + 1}L", COMPARISON)
            return Expression(f"{self(of).within(IN)} %in% {_integers([each + 1 for each in among])}", IN)
        if isinstance(node, AtLeast) and of not in self.known and tuple(among) == (0,):
            return Expression(f"{self(node.of).within(ADDITION)} < {number(node.limit)}", COMPARISON)
        if len(among) == 1:
            return self(of) if among[0] else Expression(f"!{self(of).sure().within(COMPARISON)}", NOT)
        return Expression("TRUE" if among else "FALSE")

    def _pair(self, of: Sequence[Ref], sizes: Sequence[int]) -> Expression:
        parts, stride = [], 1
        for ref, size in zip(reversed(of), reversed(sizes), strict=True):
            place = self(ref).sure() if self.asked(ref) else Expression(f"{self(ref).within(ADDITION)} - 1L", ADDITION)
            parts.append(place if stride == 1 else Expression(f"{stride}L * {place.within(PRODUCT)}", PRODUCT))
            stride *= size
        return joined([Expression("1L"), *reversed(parts)], "+", ADDITION)


def _place(ladder: Ladder, x: str) -> Expression:
    """The place of each value."""
    named = [f"values = {vector([name for name, _ in ladder.named])}"] if ladder.named else []
    named += [f"places = {_integers([own + 1 for _, own in ladder.named])}"] if ladder.named else []
    missing = f"missing = {ladder.missing + 1}L"
    if ladder.kind == "categorical":
        return call("place_of_texts", [x, *named, f"other = {ladder.rungs[0] + 1}L", missing])
    rungs = [own + 1 for own in ladder.rungs]
    own = [] if rungs == list(range(1, len(rungs) + 1)) else [f"rungs = {_integers(rungs)}"]
    return call("place_of_numbers", [x, f"from = {vector([float('-inf'), *ladder.cuts])}", *own, *named, missing])


def _untitled(ladder: Ladder, x: str) -> list[str]:
    """What is in each bucket, in words."""
    lines: list[list[str]] = [[] for _ in range(ladder.size)]
    for rung, own in enumerate(ladder.rungs):
        lines[own].append(between(ladder, rung, rung, x).text if ladder.cuts else "any other value")
    for name, own in ladder.named:
        lines[own].append(repr(name))
    lines[ladder.missing].append("missing")
    return list(map(" or ".join, lines))


def _integers(places: Sequence[int]) -> str:
    texts = [f"{place}L" for place in places]
    return texts[0] if len(texts) == 1 else call("c", texts).text
