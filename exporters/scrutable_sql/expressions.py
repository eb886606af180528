"""Nodes of a program as SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    size_of,
)
from scrutable_sql import ladders, query
from scrutable_sql.columns import Layout
from scrutable_sql.dialects import Dialect
from scrutable_sql.ladders import LONGEST, all_of, any_of, distinct, searched
from scrutable_sql.naming import Naming
from scrutable_sql.query import Branch, Case, Expression, Rung, joined, one_line
from scrutable_sql.quoting import literal, number
from scrutable_sql.ranked import ByBit, ByKey
from scrutable_sql.standing import difference

#: What has a rank.
Ranked = ByKey | ByBit


@dataclass(slots=True)
class Expressions:
    """The SQL of nodes.

    Parameters
    ----------
    column : the name of a node's column, after it was made.
    ranked : what a ranking gives at a rank; None where no code is left.
    asked : collects the columns of the table that conditions ask for.
    """

    program: Program
    layout: Layout
    naming: Naming
    d: Dialect
    column: Callable[[Ref], str]
    ranked: Callable[[Ref, int], Ranked | None]
    asked: set[Ref] = field(default_factory=set)

    def value(self, ref: Ref) -> str | Case:
        """A node, where it is read: its column, or its expression."""
        if ref in self.layout.columns or isinstance(self.program[ref], Column):
            return self.column(ref)
        expression = self.expression(ref)
        assert isinstance(expression, str | Case), "sums and words are columns"
        return expression

    def expression(self, ref: Ref) -> Expression:
        """What a node is made of."""
        node, d = self.program[ref], self.d
        match node:
            case Column() | Rank():
                raise TypeError(f"{node} is no expression")
            case Bucket() | Test() | All() | AtLeast() if size_of(self.program, ref) == 2:
                return Case((Rung(self.condition(ref, whole=True), "1"),), "0")
            case Bucket() | Test() | All() | AtLeast() | Pair() | First() | Largest() | Code():
                return self._choose(ref, node, [Branch(str(place)) for place in range(size_of(self.program, ref))])
            case Points(of, values):
                return self._points(ref, of, values)
            case Choice(by, of):
                return self.chosen(by, [Branch("NULL" if each is None else self.value(each)) for each in of])
            case Sum(start, of):
                return self.added(start, [self.value(each) for each in of]) if of else number(start, d)
            case Linear(of, slope, intercept):
                x = self.short(of)
                return f"{number(intercept, d)} {f'- {x}' if slope == -1 else f'+ {number(slope, d)} * {x}'}"
            case Clamp(of, low, high):
                x, least, most = self.short(of), number(low, d), number(high, d)
                return f"CASE WHEN {x} < {least} THEN {least} WHEN {x} > {most} THEN {most} ELSE {x} END"
            case Logistic(of):
                return f"1.0 / (1.0 + EXP(-{self.short(of)}))"
            case Share(of, among):
                return f"{self.short(of)} / ({joined([self.short(each) for each in among], ' + ')})"
            case Short(of, rank):
                ranked = self.ranked(of, rank)
                return Case((Rung("1 = 0", f"CAST(0 AS {d.double})"),)) if ranked is None else ranked.short()
            case Text(of, texts):
                titles = self._titles(of)
                written = ["NULL" if text is None else literal(text, d) for text in texts]
                return self.chosen(of, [Branch(text, note) for text, note in zip(written, titles, strict=True)])
            case Words(of, words):
                return self.spelled([self.word(each, word) for each, word in zip(of, words, strict=True)])
            case _:
                assert_never(node)

    def chosen(self, place: Ref, branches: Sequence[Branch]) -> str | Case:
        """The branch at the place that a node gives."""
        return self._branch(place, branches).then

    def added(self, start: float, terms: list[str | Case]) -> query.Sum:
        """A number and terms, added up."""
        return query.Sum(f"CAST({number(start, self.d)} AS {self.d.double})", tuple(terms))

    def word(self, ref: Ref, word: str) -> str:
        """A word with a blank before it, where a truth holds."""
        return f"CASE WHEN {self.condition(ref)} THEN {literal(f' {word}', self.d)} ELSE {literal('', self.d)} END"

    def spelled(self, words: list[str | Case]) -> Expression:
        """Words without the first blank."""
        if not words:
            return literal("", self.d)
        text = self.concatenated(words)
        return query.Call(f"LTRIM({text.opening}", text.arguments, text.between, f"{text.closing})")

    def concatenated(self, words: list[str | Case]) -> query.Call:
        """Texts, put together."""
        return query.concatenated(list(map(one_line, words)), self.d.concatenated)

    def below(self, points: Points) -> tuple[float, str] | None:
        """The number and the column that points are the difference of, or 0 where that is negative."""
        table = self.layout.standing.get(points.of)
        of = None if table is None else self.program[table]
        if table is None or not isinstance(of, Points):
            return None
        return difference(points.values, of.values, clipped=True), self.column(table)

    def condition(self, ref: Ref, *, whole: bool = False) -> str:
        """Whether a truth holds; `whole` is the condition itself, not the column that tells it."""
        return self.within(ref, frozenset((1,)), whole=whole)

    def within(self, ref: Ref, among: frozenset[int], *, whole: bool = False) -> str:
        """Whether the place that a node gives is among some."""
        node, others = self.program[ref], frozenset(range(size_of(self.program, ref))) - among
        if not among or not others:
            return "1 = 1" if among else "1 = 0"
        if ref in self.layout.columns and not whole:
            listed = ", ".join(map(str, sorted(among)))
            return f"{self.column(ref)} IN ({listed})" if len(among) > 1 else f"{self.column(ref)} = {listed}"
        table = self.layout.standing.get(ref)
        if table is not None and isinstance(self.program[table], Text):
            return f"{self.column(table)} IS {'NULL' if len(others) > 1 or 0 in others else 'NOT NULL'}"
        match node:
            case Bucket(of, ladder):
                self.asked.add(of)
                return ladders.within(self.short(of), ladder, among, self.d)
            case Test(of, places):
                chosen = frozenset(places)
                return self.within(of, chosen if 1 in among else frozenset(range(size_of(self.program, of))) - chosen)
            case All(of):
                tests = [self.within(each, among) for each in of]
                return all_of(tests) if 1 in among else any_of(tests)
            case AtLeast(of, limit):
                return f"{self.short(of)} {'>=' if 1 in among else '<'} {number(limit, self.d, compared=True)}"
            case _:
                tested = [Branch("1" if place in among else "0") for place in range(size_of(self.program, ref))]
                return f"{one_line(self.chosen(ref, tested))} = 1"

    def _branch(self, place: Ref, branches: Sequence[Branch]) -> Branch:
        if all(branch == branches[0] for branch in branches):
            return branches[0]
        if place in self.layout.columns:
            return self._by_column(self.column(place), branches)
        return Branch(self._choose(place, self.program[place], branches))

    def _choose(self, ref: Ref, node: Node, branches: Sequence[Branch]) -> str | Case:
        """The branch at the place of a node that is no column."""
        match node:
            case Bucket(of, ladder) if ladder.size > 2 or all(isinstance(each.then, str) for each in branches):
                return ladders.chosen(self.short(of), ladder, branches, self.d)
            case Pair(of, sizes):
                first, rest = of[0], Pair(of[1:], sizes[1:])
                size = len(branches) // sizes[0]
                parts = [branches[start : start + size] for start in range(0, len(branches), size)]
                if not rest.of:
                    return self._branch(first, branches).then
                inner = [Branch(self._choose(ref, rest, part)) if len(set(part)) > 1 else part[0] for part in parts]
                return self._branch(first, inner).then
            case First(of):
                rungs = [branch.under(self.condition(each)) for each, branch in zip(of, branches, strict=False)]
                return query.case(rungs, branches[len(of)]).then
            case Largest(of):
                rungs = [
                    branches[place].under(
                        all_of([f"{self.short(each)} >= {self.short(after)}" for after in of[place + 1 :]])
                    )
                    for place, each in enumerate(of[:-1])
                ]
                return query.case(rungs, branches[len(of) - 1]).then
            case Code(of, rank):
                ranked = self.ranked(of, rank)
                return branches[-1].then if ranked is None else ranked.chosen(branches)
            case Choice(by, of):
                return self.chosen(
                    by, [self._branch(each, branches) if each is not None else Branch("NULL") for each in of]
                )
            case _:
                note = branches[1].note or self._titles(ref)[1]
                return query.case([Rung(self.condition(ref), branches[1].then, note)], branches[0]).then

    def _by_column(self, name: str, branches: Sequence[Branch]) -> Branch:
        """The branch of a column that holds a place."""
        if len(branches) == 2:
            return query.case([branches[1].under(f"{name} = 1")], branches[0])
        if len(branches) > LONGEST + 1:
            rungs = [branch.under(f"{name} < {place}") for place, branch in enumerate(branches, 1)]
            return Branch(searched(distinct(rungs)))
        rest = max(reversed(branches), key=list(branches).count)
        return query.case(
            [each.under(f"{name} = {place}") for place, each in enumerate(branches) if each != rest], rest
        )

    def _points(self, ref: Ref, of: Ref, values: tuple[float, ...]) -> str | Case:
        table = self.layout.standing.get(of, ref)
        points = self.program[table]
        if table != ref and isinstance(points, Points):
            return f"({number(difference(values, points.values), self.d)} - {self.column(table)})"
        written = [number(value, self.d) for value in values]
        return self.chosen(of, [Branch(text, note) for text, note in zip(written, self._titles(of), strict=True)])

    def _titles(self, place: Ref) -> tuple[str, ...]:
        """What is said of places, unless a column of a truth says it already."""
        titles = self.naming.titles(place)
        return ("", "") if place in self.layout.columns and len(titles) == 2 else titles

    def short(self, ref: Ref) -> str:
        """A node that is a column or a short text."""
        value = self.value(ref)
        assert isinstance(value, str), "what formulas read is a column or a short text"
        return value
