"""A program as statements, each in the branch that needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrutable.model import Feature
from scrutable.model.program import (
    DECLINED,
    All,
    Choice,
    Column,
    First,
    Largest,
    Names,
    Program,
    Rank,
    Ref,
    Sum,
    Uses,
    Words,
    needed,
    refs,
    titles,
)
from scrutable_source_code.common.amounts import FEW
from scrutable_source_code.common.expression import Expression
from scrutable_source_code.common.expressions import Expressions
from scrutable_source_code.common.language import Branch, Language, Statement, Variable

#: Terms of a sum, or of a conjunction, in one statement.
_TERMS = 8


@dataclass(frozen=True, slots=True)
class Result:
    """A column of the result, the variable name of its field, and the expression that gives it."""

    name: str
    field: str
    text: str
    about: str
    wanted: str
    ref: Ref


@dataclass(slots=True)
class Body:
    """Statements and results of a program, and the tables that they read."""

    write: Expressions
    statements: list[Statement] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    _groups: dict[Ref, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program, language: Language) -> Body:
        """The whole program, written down."""
        body = cls(Expressions.of(program, language))
        body._group()
        waiting: list[Ref] = []
        for ref in in_order(program, body.write.variables.uses):
            node = program[ref]
            choice = isinstance(node, Choice) and ref in body.write.variables.of
            if not choice or (waiting and not body._alike(waiting, ref)):
                body._choose(waiting)
                waiting = []
            if choice:
                waiting.append(ref)
            else:
                body.statements += body._written(ref)
        body._choose(waiting)
        fields = field_names([output.name for output in program.outputs], language)
        for output, name in zip(program.outputs, fields, strict=True):
            text = body.write.place(output.of).text
            text = language.whole(text) if output.is_count else text
            body.results.append(Result(output.name, name, text, output.about, group_of(output.name), output.of))
        return body

    @property
    def program(self) -> Program:
        """What is written down."""
        return self.write.program

    @property
    def variables(self) -> list[Variable]:
        """All variables and lists, in the order in which they are first given something; columns come first."""
        columns = [of for ref, of in self.write.variables.of.items() if isinstance(self.program[ref], Column)]
        return list(dict.fromkeys([*columns, *(each.target for each in self.statements)]))

    def _group(self) -> None:
        """By node, the groups of results that need it."""
        of_group: dict[str, list[Ref]] = {}
        for output in self.program.outputs:
            of_group.setdefault(group_of(output.name), []).append(output.of)
        for group, wanted in of_group.items():
            for ref in needed(self.program, wanted):
                self._groups.setdefault(ref, set()).add(group)

    def _alike(self, waiting: Sequence[Ref], ref: Ref) -> bool:
        """Whether a choice is by the same variable, in the same branch, and reads none of those that wait."""
        one, other = self.program[waiting[0]], self.program[ref]
        assert isinstance(one, Choice)
        assert isinstance(other, Choice)
        uses = self.write.variables.uses
        same = one.by == other.by and uses.scopes[waiting[0]] == uses.scopes[ref]
        return same and self._groups[waiting[0]] == self._groups[ref] and not self._reads(ref, set(waiting))

    def _reads(self, ref: Ref, some: set[Ref]) -> bool:
        """Whether what is written for a node reads the variables of some."""
        own, reading = self.write.variables.of, refs(self.program[ref])
        return any(each in some or (each not in own and self._reads(each, some)) for each in reading)

    def _choose(self, choices: Sequence[Ref]) -> None:
        """Choices by one variable: in each branch what all of them give."""
        if not choices:
            return
        node = self.program[choices[0]]
        assert isinstance(node, Choice)
        told = titles(self.program, node.by)
        for place in range(len(node.of)):
            for ref in choices:
                choice = self.program[ref]
                assert isinstance(choice, Choice)
                text = self.write.option(ref, choice.of[place]).text
                branch = (self.write.variables.of[node.by], place)
                self.statements.append(self._statement(ref, text, branch=branch, about=told[place]))

    def _written(self, ref: Ref) -> Iterator[Statement]:
        yield from self._listed(ref)
        if ref not in self.write.variables.of:
            return
        node = self.program[ref]
        match node:
            case Column() | Rank():
                return
            case Sum(start, of) if len(of) > _TERMS:
                number = self.write.language.number(start)
                yield from self._folded(ref, " + ", number, of)
            case All(of) if len(of) > _TERMS:
                yield from self._folded(ref, " && ", "true", of)
            case _:
                yield self._statement(ref, self.write.worked_out(ref).text)

    def _folded(self, ref: Ref, operator: str, start: str, of: Sequence[Ref]) -> Iterator[Statement]:
        """Some of the terms at a time."""
        before = start
        for first in range(0, len(of), _TERMS):
            terms = [self.write(each).within for each in of[first : first + _TERMS]]
            yield self._statement(ref, operator.join([before, *terms]), again=first > 0)
            before = self.write.language.read(self.write.variables.of[ref])

    def _listed(self, ref: Ref) -> Iterator[Statement]:
        """The entries of a list that a node reads, and the ranking of one."""
        if ref not in self.write.variables.lists:
            return
        values, node = self.write.variables.lists[ref], self.program[ref]
        told = node.titles if isinstance(node, Rank | Words | First) else ()
        parts = node.of if isinstance(node, First | Largest | Rank | Words) else ()
        for place, each in enumerate(parts):
            about = told[place] if place < len(told) else ""
            some = each if isinstance(each, tuple) else (each,)
            for first in range(0, len(some), FEW):
                most = self.write.most(some[first : first + FEW])
                if first:
                    most = self.write.larger(Expression(self.write.language.item(values, place)), most)
                yield self._statement(ref, most.text, target=values, place=place, again=first > 0, about=about)
        if isinstance(node, Rank):
            yield self._statement(ref, f"{self.write.language.read(values)}, {values.size}")

    def _statement(
        self,
        ref: Ref,
        text: str,
        *,
        target: Variable | None = None,
        place: int | None = None,
        branch: Branch | None = None,
        again: bool = False,
        about: str = "",
    ) -> Statement:
        variables, groups = self.write.variables, self._groups[ref]
        scope = tuple((variables.of[by], at) for by, at in variables.uses.scopes[ref])
        wanted = next(iter(groups)) if len(groups) == 1 else ""
        whole = scope if branch is None else (*scope, branch)
        return Statement(
            target=target or variables.of[ref],
            text=text,
            scope=whole,
            place=place,
            again=again,
            chosen=branch is not None,
            wanted=wanted,
            about=about,
        )


def in_order(program: Program, uses: Uses) -> list[Ref]:
    """The nodes, each after those that it reads and those that its branches are by."""
    done: dict[Ref, None] = {}
    waiting = list(reversed(range(len(program.nodes))))
    while waiting:
        ref = waiting[-1]
        before = [each for each in (*(by for by, _ in uses.scopes[ref]), *refs(program[ref])) if each not in done]
        if ref in done or not before:
            done[waiting.pop()] = None
        else:
            waiting += reversed(before)
    return list(done)


def group_of(name: str) -> str:
    """The group of results that a column belongs to; the empty one is always wanted.

    >>> group_of("declined_reason_1"), group_of("score")
    ('reasons', '')
    """
    if name.removeprefix(DECLINED).startswith(("reason_", "short_")):
        return "reasons"
    return name if name in ("probability", "rules") else ""


def field_names(names: Sequence[str], language: Language) -> list[str]:
    """Names of fields: those of columns where they are plain words, or numbered."""
    given, unfit = Names(set(language.taken)), re.compile(f"(?!_?[A-Za-z]).*|(?:{language.macros})", re.DOTALL)
    return [given.new(f"column_{name}" if unfit.fullmatch(name) else name) for name in names]


def input_fields(features: Sequence[Feature], language: Language) -> dict[str, str]:
    """By column that is read, the name of its field."""
    names = [feature.name for feature in features]
    return dict(zip(names, field_names(names, language), strict=True))
