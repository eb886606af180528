"""Nodes as statements: what each variable is given, in the branches that need it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrutable.model.program import Bucket, Choice, First, Points, Program, Ref, Scope, Sum, Text, Words, size_of
from scrutable.plugins import one_line
from scrutable_python.expressions import Expressions
from scrutable_python.text import ADDITION, Expression, joined, literal, number

#: The longest that terms of a sum become on one line.
_WIDTH = 90
#: What changes nothing.
_NOTHING = ("+=", Expression("0.0"))


class Target(NamedTuple):
    """What a variable is given, or what is added to it."""

    name: str
    operator: str
    what: Ref | Expression | Added


class Added(NamedTuple):
    """What is added where a truth holds, and nothing elsewhere; `again` tells blocks apart that ask for one truth."""

    where: Ref
    text: str
    again: int = 0
    title: str = ""


class Branch(NamedTuple):
    """One of several ways: the place that leads there, its condition, none for what is left, and its title."""

    place: int
    when: str | None
    title: str


@dataclass(slots=True)
class Statements:
    """The lines of a function."""

    write: Expressions
    lines: list[str] = field(default_factory=list)
    _indent: str = ""
    _prepared: set[tuple[Ref, Scope]] = field(default_factory=set)

    @property
    def _program(self) -> Program:
        return self.write.program

    def prepare(self, ref: Ref, scope: Scope = ()) -> None:
        """Assign the variables of a branch that a node depends on, and its own."""
        if ref in self.write.known or (ref, scope) in self._prepared:
            return
        self._prepared.add((ref, scope))
        for each in self.write.variables.read_by(ref):
            self.prepare(each, scope)
        if self.write.variables.uses.scopes[ref] == scope and self.write.variables.named(ref):
            self._assign(ref, scope)

    def _assign(self, ref: Ref, scope: Scope) -> None:
        variables, node = self.write.variables, self._program[ref]
        together = [ref]
        if isinstance(node, First) or variables.conditional(ref):
            together = self._alike(ref, scope)
        elif isinstance(node, Points) and not variables.asked(node.of):
            together = variables.uses.table(ref)
        if len(together) > 1 and isinstance(node, Points) and not variables.conditional(ref):
            names = ", ".join(map(variables.name, together))
            self._line(f"{names} = {self.write.table(together).text}")
        else:
            self._give([Target(variables.name(each), "=", each) for each in together], scope)
        self.write.known.update(together)

    def _alike(self, ref: Ref, scope: Scope) -> list[Ref]:
        """The nodes with variables that the same place decides, and that wait for nothing else."""
        variables, uses = self.write.variables, self.write.variables.uses
        by = self._by(ref)
        others = [each for each in uses.readers[by] if variables.conditional(each) and self._by(each) == by]
        others += [by] if isinstance(self._program[by], First) else []
        alike = [ref]
        for each in sorted({*others} - {ref} - self.write.known):
            if variables.named(each) and uses.scopes[each] == scope and not self._waits(each, scope):
                for read in variables.read_by(each):
                    self.prepare(read, scope)
                alike.append(each)
        return alike

    def _waits(self, ref: Ref, scope: Scope) -> bool:
        """Whether a node depends on one of several branches that is not yet known."""
        variables = self.write.variables
        waiting, seen = list(variables.read_by(ref)), set[Ref]()
        while waiting:
            each = waiting.pop()
            if each in seen or each in self.write.known:
                continue
            seen.add(each)
            if variables.conditional(each) and variables.named(each) and variables.uses.scopes[each] == scope:
                return True
            waiting += variables.read_by(each)
        return False

    def _by(self, ref: Ref) -> Ref:
        match self._program[ref]:
            case Choice(by, _):
                return by
            case Text(of) | Points(of):
                return of
            case _:
                return ref

    # ---- What variables are given ----

    def _give(self, targets: Sequence[Target], scope: Scope) -> None:
        """Write what is given at once, then what depends on a truth or is one of several branches."""
        spelled = [each for each in targets if self._is_words(each.what)]
        targets = [*spelled[:1], *(each for each in targets if each not in spelled)]
        plain: dict[str, tuple[str, list[Expression]]] = {}
        where: dict[tuple[Ref, int], list[Target]] = {}
        for target in (part for each in targets for part in self._parts(each)):
            name, operator, what = target
            by = self._deciding(what)
            if by is not None:
                where.setdefault((by, what.again if isinstance(what, Added) else 0), []).append(target)
            elif not isinstance(what, Added) and (operator, what) != _NOTHING:
                term = what if isinstance(what, Expression) else self.write(what)
                plain.setdefault(name, (operator, []))[1].append(term)
        for name, (operator, terms) in plain.items():
            self._terms(name, operator, terms)
        for (by, _), decided in where.items():
            self._branches(by, decided, scope)
        for name, _, _ in spelled[:1]:
            self._line(f"{name} = {name}[:-1]")
        for each in spelled[1:]:
            self._give([each], scope)

    def _is_words(self, what: Ref | Expression | Added) -> bool:
        return isinstance(what, Ref) and what not in self.write.known and isinstance(self._program[what], Words)

    def _parts(self, target: Target) -> Iterator[Target]:
        """What is given, or added, bit by bit: of sums each term, of words each word."""
        name, operator, what = target
        match None if not isinstance(what, Ref) or what in self.write.known else self._program[what]:
            case Sum(start, of):
                yield Target(name, operator, Expression(number(start)))
                for each in of:
                    yield from self._parts(Target(name, "+=", each))
            case Words(of, words, titles):
                yield Target(name, operator, Expression('""'))
                for i, (each, word) in enumerate(zip(of, words, strict=True)):
                    title = titles[i] if titles else ""
                    yield Target(name, "+=", Added(each, literal(f"{word} "), of[:i].count(each), title))
            case Points(of, (0.0, points)) if operator == "+=" and self.write.variables.asked(of):
                yield Target(name, operator, Added(of, number(points)))
            case _:
                yield target

    def _deciding(self, what: Ref | Expression | Added) -> Ref | None:
        """What decides in branches what is given, or added; None where an expression says it."""
        if isinstance(what, Added):
            return what.where
        if isinstance(what, Expression) or what in self.write.known:
            return None
        decided = isinstance(self._program[what], First) or self.write.variables.conditional(what)
        return self._by(what) if decided else None

    def _terms(self, name: str, operator: str, terms: Sequence[Expression]) -> None:
        line: list[Expression] = []
        for term in terms:
            if line and sum(len(each.text) for each in (*line, term)) > _WIDTH:
                self._line(f"{name} {operator} {joined(line, '+', ADDITION).text}")
                line, operator = [], "+="
            line.append(term)
        if line[0].text != name:
            self._line(f"{name} {operator} {joined(line, '+', ADDITION).text}")

    def _branches(self, by: Ref, targets: Sequence[Target], scope: Scope) -> None:
        word = "if"
        for place, when, title in self._ways(by):
            given = [Target(name, operator, self._at(what, place)) for name, operator, what in targets]
            if when == "False":
                continue
            if when in (None, "True") and word == "if":  # there is but one way
                self._branch(given, (*scope, (by, place)))
                return
            told = [each.what.title for each in targets if isinstance(each.what, Added) and each.what.title]
            title = told[0] if told else title
            self._line((f"{word} {when}:" if when else "else:") + (f"  # {one_line(title)}" if title else ""))
            before = len(self.lines)
            self._indent += "    "
            self._branch(given, (*scope, (by, place)))
            if len(self.lines) == before and when is not None:
                self._line("pass")
            elif len(self.lines) == before:
                del self.lines[-1]
            self._indent = self._indent[:-4]
            word = "elif"

    def _branch(self, targets: Sequence[Target], scope: Scope) -> None:
        for _, _, what in targets:
            if isinstance(what, Ref):
                self.prepare(what, scope)
        self._give(targets, scope)

    def _at(self, what: Ref | Expression | Added, place: int) -> Ref | Expression:
        """What is given at a place."""
        if isinstance(what, Added):
            return Expression(what.text if place else "0.0")
        assert isinstance(what, Ref)
        match self._program[what]:
            case Choice(_, of):
                each = of[place]
                return Expression("None") if each is None else each
            case Text(_, texts):
                return Expression(literal(texts[place]))
            case Points(_, values):
                return Expression(number(values[place]))
            case _:
                return Expression(str(place))

    def _ways(self, by: Ref) -> Iterator[Branch]:
        """The places of a node, and how each is asked for."""
        node, write = self._program[by], self.write
        if isinstance(node, First):
            titles = [*node.titles, *[""] * (len(node.of) + 1 - len(node.titles))]
            for place, each in enumerate(node.of):
                when = f"{write(by).text} == {place}" if by in write.known else write(each).text
                yield Branch(place, when, titles[place])
            yield Branch(len(node.of), None, titles[-1])
        elif write.variables.asked(by):
            yield Branch(1, write(by).text, node.titles[1] if isinstance(node, Bucket) and node.titles else "")
            yield Branch(0, None, "")
        else:
            size = size_of(self._program, by)
            for place in range(size):
                yield Branch(place, None if place == size - 1 else f"{write(by).text} == {place}", "")

    def _line(self, text: str) -> None:
        self.lines.append(self._indent + text)
