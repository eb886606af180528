"""Nodes as expressions over the variables of those that have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
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
    columns_alone,
    size_of,
    titles,
)
from scrutable_source_code.common.amounts import FEW
from scrutable_source_code.common.constants import Constants
from scrutable_source_code.common.expression import Expression, asserted, chosen, joined
from scrutable_source_code.common.ladders import condition, place, steps
from scrutable_source_code.common.language import Language, Names
from scrutable_source_code.common.variables import Variables


@dataclass(slots=True)
class Expressions:
    """The nodes of a program in a language."""

    program: Program
    variables: Variables
    constants: Constants
    _columns: dict[Ref, str]

    @classmethod
    def of(cls, program: Program, language: Language) -> Expressions:
        """Those of a program, whose variables and tables are named here."""
        constants = Constants.of(language)
        variables = Variables.chosen(program, constants.given, language)
        return cls(program, variables, constants, columns_alone(program))

    @property
    def language(self) -> Language:
        """How values are spelled."""
        return self.constants.language

    def __call__(self, ref: Ref) -> Expression:
        """What a node gives: its variable if it has one."""
        known = self.variables.of.get(ref)
        return self.worked_out(ref) if known is None else Expression(self.language.read(known))

    def worked_out(self, ref: Ref) -> Expression:
        """What a node gives, from those that it reads."""
        match self.program[ref]:
            case Bucket(of, ladder):
                return self._bucket(ref, of, ladder)
            case Pair(of, sizes):
                sized = list(zip(of, sizes, strict=True))
                return reduce(self._cell, sized[1:], self.place(sized[0][0]))
            case Points(of, values):
                bucket = self.program[of]
                if ref in self.variables.steps and isinstance(bucket, Bucket):
                    return steps(bucket.ladder, values, self(bucket.of).text, self.constants)
                if self.variables.kind(of) == "truth":
                    return self._either(of, *map(self.language.number, values))
                table = self.constants.numbers(self._called("POINTS", of), values, titles(self.program, of))
                return Expression(f"{table}[{self(of).text}]")
            case Test(of, among):
                return self._test(of, among)
            case All(of):
                held = [each for each in map(self, of) if each.text != "true"]
                return joined(held, "&&") if held else Expression("true")
            case First(of):
                if ref in self.variables.lists:
                    return self._of_list(ref, "first_of")
                return chosen([(self(each).within, str(i)) for i, each in enumerate(of)], str(len(of)))
            case Choice(by, of):
                return self._choice(ref, by, of)
            case Sum(start, of):
                return joined([Expression(self.language.number(start)), *map(self, of)], "+")
            case Linear(of, slope, intercept):
                spell = self.language.number
                return Expression(f"{spell(intercept)} + {spell(slope)} * {self(of).within}", False)
            case Clamp(of, low, high):
                spell = self.language.number
                return Expression(f"clamp({self(of).text}, {spell(low)}, {spell(high)})")
            case Logistic(of):
                return Expression(f"1.0 / (1.0 + {self.language.exp}(-({self(of).text})))", False)
            case AtLeast(of, limit):
                return Expression(f"{self(of).within} >= {self.language.number(limit)}", False)
            case Share(of, among):
                return Expression(f"{self(of).within} / ({joined(list(map(self, among)), '+').text})", False)
            case Largest():
                return self._of_list(ref, "largest_of")
            case Code(of, rank):
                return Expression(self.language.ranked(self.variables.of[of], rank, "codes"))
            case Short(of, rank):
                return Expression(self.language.ranked(self.variables.of[of], rank, "shorts"))
            case Text(of, texts):
                if self.variables.kind(of) == "truth":
                    return self._either(of, *map(self.language.text, texts))
                table = self.constants.texts(self._called("TEXTS", of), texts, titles(self.program, of))
                return Expression(f"{table}[{self(of).text}]")
            case Words(_, words):
                table = self.constants.texts("WORDS", words) if words else ""
                return Expression(self.language.spelled(table, self.variables.lists[ref]))
            case Column() | Rank():
                raise AssertionError("it has a variable")
            case node:
                assert_never(node)

    def place(self, ref: Ref) -> Expression:
        """What a node gives, of a truth 1 or 0."""
        return self._either(ref, "0", "1") if self.variables.kind(ref) == "truth" else self(ref)

    def _bucket(self, ref: Ref, of: Ref, ladder: Ladder) -> Expression:
        truth = self.variables.kind(ref) == "truth"
        x = self.variables.of[of]
        if ladder.kind == "categorical":
            own = self.language.place_of_text(x, self._names(ladder, self._columns[of]))
            return Expression(f"{own} {self.language.equals} 1", False) if truth else Expression(own)
        read = self.language.read(x)
        if truth:
            return condition(ladder, (1,), read, self.constants)
        return place(ladder, read, self._columns.get(of, "score"), self.constants)

    def _names(self, ladder: Ladder, word: str) -> Names:
        named = sorted(((str(name), own) for name, own in ladder.named), key=lambda each: self.language.order(each[0]))
        return Names(
            names=self.constants.texts(f"NAMES_{word}", [name for name, _ in named] or [None]),
            places=self.constants.places(f"PLACES_{word}", [own for _, own in named] or [0]),
            size=len(named),
            other=ladder.rungs[0],
            missing=ladder.missing,
        )

    def _cell(self, above: Expression, one: tuple[Ref, int]) -> Expression:
        return Expression(f"{above.within} * {one[1]} + {self.place(one[0]).within}", False)

    def _either(self, truth: Ref, without: str, within: str) -> Expression:
        when = self(truth)
        if when.text in ("true", "false"):
            return Expression(within if when.text == "true" else without)
        return chosen([(when.within, within)], without)

    def _choice(self, ref: Ref, by: Ref, of: Sequence[Ref | None]) -> Expression:
        options = [self.option(ref, each) for each in of]
        if self.variables.kind(by) == "truth":
            return self._either(by, *(each.within for each in options))
        equals = f"{self(by).within} {self.language.equals}"
        return chosen([(f"{equals} {i}", each.within) for i, each in enumerate(options[:-1])], options[-1].within)

    def option(self, choice: Ref, ref: Ref | None) -> Expression:
        """What a choice gives where it gives a node, or nothing."""
        kind = self.variables.kind(choice)
        if ref is None:
            return Expression(self.language.nothing(kind))
        return self.place(ref) if kind == "place" else self(ref)

    def _test(self, of: Ref, among: Sequence[int]) -> Expression:
        if self.variables.kind(of) == "truth":
            if len(among) != 1:
                return Expression("true" if among else "false")
            return asserted(self(of), truth=bool(among[0]))
        equals = f"{self(of).within} {self.language.equals}"
        if len(among) <= FEW:
            parts = [Expression(f"{equals} {own}", False) for own in among]
            return joined(parts, "||") if parts else Expression("false")
        places = range(size_of(self.program, of))
        held = self.constants.places(self._called("AMONG", of), [int(own in among) for own in places])
        return Expression(f"{held}[{self(of).text}] {self.language.equals} 1", False)

    def _of_list(self, ref: Ref, function: str) -> Expression:
        values = self.variables.lists[ref]
        return Expression(f"{function}({self.language.read(values)}, {values.size})")

    def most(self, of: Sequence[Ref]) -> Expression:
        """The largest of several numbers."""
        return reduce(self.larger, map(self, of[1:]), self(of[0]))

    def larger(self, one: Expression, other: Expression) -> Expression:
        """The larger of two numbers."""
        return Expression(f"larger({one.text}, {other.text})")

    def _called(self, kind: str, ref: Ref) -> str:
        return f"{kind}_{self._columns.get(ref, '')}".rstrip("_")
