"""Nodes as expressions over the variables of those that have one."""

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
    ranks_read,
    titles,
)
from scrutable_python.conditions import condition, on_lines
from scrutable_python.constants import Constants, Entry
from scrutable_python.text import (
    ADDITION,
    AND,
    COMPARISON,
    CONDITIONAL,
    NOT,
    PRODUCT,
    Expression,
    joined,
    listed,
    literal,
    number,
    value,
)
from scrutable_python.variables import Variables


@dataclass(slots=True)
class Expressions:
    """The nodes of a program in Python.

    Parameters
    ----------
    constants : the tables that expressions read, written down as they are needed.
    known : the nodes whose variables have been assigned.
    """

    program: Program
    variables: Variables
    constants: Constants = field(default_factory=Constants)
    known: set[Ref] = field(default_factory=set)

    def __call__(self, ref: Ref) -> Expression:
        """What a node gives; its variable if it has one."""
        return Expression(self.variables.name(ref)) if ref in self.known else self.worked_out(ref)

    def worked_out(self, ref: Ref) -> Expression:
        """What a node gives, from those that it reads."""
        match node := self.program[ref]:
            case Bucket(of, ladder):
                x = self(of).text
                if self.variables.asked(ref):
                    return condition(ladder, (1,), x)
                return self._place(ladder, x, self._word(of), range(ladder.size))
            case Pair(of, sizes):
                return self._pair(of, sizes)
            case Points(of, values):
                if self.variables.asked(of):
                    return _either(self(of), number(values[1]), number(values[0]))
                return self.table([ref])
            case Test(of, among):
                return self._test(ref, of, among)
            case All(of):
                held = [each for each in map(self, of) if each.text != "True"]
                return joined(held, "and", AND) if held else Expression("True")
            case Sum(start):
                return Expression(number(start))
            case Linear(of, slope, intercept):
                return Expression(f"{number(intercept)} + {number(slope)} * {self(of).within(PRODUCT)}", ADDITION)
            case Clamp(of, low, high):
                return Expression(f"min({number(high)}, max({number(low)}, {self(of).text}))")
            case Logistic(of):
                return Expression(f"1.0 / (1.0 + math.exp(-{self(of).within(PRODUCT + 1)}))", PRODUCT)
            case AtLeast(of, limit):
                return Expression(f"{self(of).within(ADDITION)} >= {number(limit)}", COMPARISON)
            case Share(of, among):
                total = joined([self(each) for each in among], "+", ADDITION)
                return Expression(f"{self(of).within(PRODUCT)} / {total.within(PRODUCT + 1)}", PRODUCT)
            case Largest(of):
                return Expression(f"max(range({len(of)}), key={self._listed(of)}.__getitem__)")
            case Rank(of):
                most = [f"max{self._listed(each)}" if len(each) > 1 else self(each[0]).text for each in of]
                return Expression(f"_ranked({listed(most)}, {ranks_read(self.program, ref)})")
            case Code(of, rank):
                return Expression(f"{self(of).text}[{rank}][0]")
            case Short(of, rank):
                return Expression(f"{self(of).text}[{rank}][1]")
            case Text(of, texts):
                of_reasons = isinstance(self.program[of], Code)
                self.constants.headed("Reason codes, in the order that settles ties" if of_reasons else self._about(of))
                wanted = "CODES" if of_reasons else self._called("TEXTS", of)
                return self._looked_up(wanted, self._titled(of, list(map(literal, texts))), self(of))
            case Column() | First() | Choice() | Words():
                raise AssertionError(f"{node} is written as statements")
            case _:
                assert_never(node)

    def table(self, members: Sequence[Ref]) -> Expression:
        """The line of a table, with a number for each of several nodes of points that have the same place."""
        points = [node for node in map(self.program.__getitem__, members) if isinstance(node, Points)]
        of = points[0].of
        lines = [
            listed(list(map(number, line))) if len(line) > 1 else number(line[0])
            for line in zip(*(node.values for node in points), strict=True)
        ]
        node = self.program[of]
        if isinstance(node, Bucket) and of not in self.known:
            return self._by_rung(of, node, lines)
        return self._looked_up(self._called("LINES", of), self._titled(of, lines), self(of))

    def _by_rung(self, of: Ref, bucket: Bucket, lines: Sequence[str]) -> Expression:
        """A table with a line for each rung of a ladder, in their order, so that the cuts alone find it."""
        ladder, x = bucket.ladder, self(bucket.of).text
        self.constants.headed(self._about(of))
        apart = [own for own in (*(own for _, own in ladder.named), ladder.missing) if own not in ladder.rungs]
        buckets = [*ladder.rungs, *dict.fromkeys(apart)]
        titles = [bucket.titles[own] for own in buckets] if bucket.titles else on_lines(ladder, buckets, x)
        numbered = [buckets.index(own) if own in buckets else 0 for own in range(ladder.size)]
        place = self._place(ladder, x, self._word(of), numbered, range(len(ladder.rungs)))
        entries = [Entry(lines[own], title) for own, title in zip(buckets, titles, strict=True)]
        return self._looked_up(self._called("LINES", of), entries, place)

    def _place(
        self, ladder: Ladder, x: str, word: str, numbered: Sequence[int], rungs: Sequence[int] | None = None
    ) -> Expression:
        """The number of the bucket of a value.

        Parameters
        ----------
        numbered : by bucket.
        rungs : the numbers of the rungs, if not those of their buckets.
        """
        of_rung = [numbered[own] for own in ladder.rungs] if rungs is None else list(rungs)
        named = [(value(name), str(numbered[own])) for name, own in ladder.named]
        if ladder.kind == "categorical":
            if ladder.missing != ladder.rungs[0]:
                named.append(("None", str(numbered[ladder.missing])))
            if not named:
                return Expression(str(of_rung[0]))
            return Expression(f"{self.constants.dictionary(f'VALUES_{word}', named)}.get({x}, {of_rung[0]})")
        place = Expression(str(of_rung[0]))
        if ladder.cuts:
            cuts = self.constants.row(f"CUTS_{word}", list(map(number, ladder.cuts)))
            place = Expression(f"bisect_right({cuts}, {x})")
            if of_rung != list(range(len(of_rung))):
                place = Expression(f"{listed(list(map(str, of_rung)))}[{place.text}]")
        if named:
            values = self.constants.dictionary(f"VALUES_{word}", named)
            place = Expression(f"{values}[{x}] if {x} in {values} else {place.text}", CONDITIONAL)
        if len({*of_rung, numbered[ladder.missing]}) > 1 or named:
            place = Expression(f"{numbered[ladder.missing]} if {x} != {x} else {place.text}", CONDITIONAL)
        return place

    def _looked_up(self, wanted: str, entries: Sequence[Entry], place: Expression) -> Expression:
        if len(entries) == 1:
            self.constants.headed("")
            return Expression(entries[0].text)
        return Expression(f"{self.constants.table(wanted, entries)}[{place.text}]")

    def _titled(self, of: Ref, texts: Sequence[str]) -> list[Entry]:
        """Literals by place, each with what that place is in words."""
        return [Entry(text, title) for text, title in zip(texts, titles(self.program, of), strict=True)]

    def _pair(self, of: Sequence[Ref], sizes: Sequence[int]) -> Expression:
        parts, stride = [], 1
        for ref, size in zip(reversed(of), reversed(sizes), strict=True):
            place = self(ref)
            parts.append(place if stride == 1 else Expression(f"{stride} * {place.within(PRODUCT)}", PRODUCT))
            stride *= size
        return joined(parts[::-1], "+", ADDITION)

    def _test(self, ref: Ref, of: Ref, among: Sequence[int]) -> Expression:
        node, told = self.program[of], self.variables.told(ref)
        if told is not None:
            text = self.program[told]
            assert isinstance(text, Text)
            operator = "is" if text.texts[among[0]] is None else "is not"
            return Expression(f"{self(told).text} {operator} None", COMPARISON)
        if isinstance(node, AtLeast) and of not in self.known and tuple(among) == (0,):
            return Expression(f"{self(node.of).within(ADDITION)} < {number(node.limit)}", COMPARISON)
        if isinstance(node, Bucket):
            return condition(node.ladder, among, self(node.of).text)
        if len(among) != 1:
            return Expression(f"{self(of).within(ADDITION)} in {listed(list(map(str, among)))}", COMPARISON)
        if not self.variables.asked(of):
            return Expression(f"{self(of).within(ADDITION)} == {among[0]}", COMPARISON)
        return self(of) if among[0] else Expression(f"not {self(of).within(NOT)}", NOT)

    def _listed(self, of: Sequence[Ref]) -> str:
        return listed([self(each).text for each in of])

    def _word(self, ref: Ref) -> str:
        """The column that a node depends on, if it is one."""
        return self.variables.columns.get(ref, "")

    def _called(self, kind: str, ref: Ref) -> str:
        return f"{kind}_{self._word(ref)}".rstrip("_")

    def _about(self, ref: Ref) -> str:
        column = self._word(ref)
        return next((feature.title for feature in self.program.features if feature.name == column), "")


def _either(truth: Expression, then: str, otherwise: str) -> Expression:
    return Expression(f"{then} if {truth.within(CONDITIONAL + 1)} else {otherwise}", CONDITIONAL)
