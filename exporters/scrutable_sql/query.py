"""A statement as data: steps of columns, each column an expression, a CASE or a list; the template lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

#: Engines limit how deep an expression nests (SQLite: 1,000) and how many arguments a function takes (SQLite: 100).
CHUNK = 50
_ONE_LINE = 80
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Branch:
    """What a CASE may give, with a note for whoever reads it."""

    then: str | Case
    note: str = ""

    def under(self, when: str) -> Rung:
        """The branch of a condition."""
        return Rung(when, self.then, self.note)


@dataclass(frozen=True, slots=True)
class Rung:
    """WHEN and THEN, with a note for whoever reads them."""

    when: str
    then: str | Case
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Rungs from top to bottom, and what is left."""

    rungs: tuple[Rung, ...]
    otherwise: str | Case = "NULL"
    note: str = ""

    @property
    def short(self) -> bool:
        """Whether it fits one line: a single rung and nothing nested."""
        return len(self.rungs) == 1 and isinstance(self.rungs[0].then, str) and isinstance(self.otherwise, str)


@dataclass(frozen=True, slots=True)
class Sum:
    """A double to begin with, and at most `CHUNK` terms."""

    start: str
    terms: tuple[str | Case, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """At most `CHUNK` terms with something between them, opened and closed."""

    opening: str
    arguments: tuple[str, ...]
    between: str
    closing: str

    @property
    def one_line(self) -> str:
        """The text, if it is short enough for a line."""
        text = f"{self.opening}{f'{self.between} '.join(self.arguments)}{self.closing}"
        return text if len(self.arguments) < 2 or len(text) <= _ONE_LINE else ""


Expression = str | Case | Sum | Call


@dataclass(frozen=True, slots=True)
class Column:
    """An expression, the quoted name of its result, the type it is cast to if any, and a note."""

    expression: Expression
    name: str
    cast: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A common table expression: what later steps read of the step before, by name, and further columns."""

    name: str
    about: str
    columns: tuple[Column, ...]
    kept: tuple[str, ...] = ()


def alike(one: Rung | Branch, other: Rung | Branch) -> bool:
    """Whether both give the same, with the same note."""
    return (one.then, one.note) == (other.then, other.note)


def case(rungs: Sequence[Rung], rest: Branch) -> Branch:
    """What the first rung that holds gives, else the rest, without rungs at the end that give what the rest does."""
    kept = list(rungs)
    while kept and (alike(kept[-1], rest) or (kept[-1].then == rest.then and not kept[-1].note)):
        kept.pop()
    return Branch(Case(tuple(kept), rest.then, rest.note)) if kept else rest


def one_line(expression: str | Case) -> str:
    """An expression on one line, without notes."""
    if isinstance(expression, str):
        return expression
    rungs = "".join(f" WHEN {rung.when} THEN {one_line(rung.then)}" for rung in expression.rungs)
    return f"CASE{rungs} ELSE {one_line(expression.otherwise)} END"


def joined(terms: Sequence[str], operator: str) -> str:
    """Terms with an operator between them, in brackets of `CHUNK` where there are more.

    >>> joined(["a", "b"], " + ")
    'a + b'
    """
    while len(terms) > CHUNK:
        terms = [f"({operator.join(chunk)})" for chunk in chunks(terms)]
    return operator.join(terms)


def greatest(terms: Sequence[str], function: str) -> str | Call:
    """The greatest of one or more terms."""
    while len(terms) > CHUNK:
        terms = [chunk[0] if len(chunk) == 1 else f"{function}({', '.join(chunk)})" for chunk in chunks(terms)]
    return terms[0] if len(terms) == 1 else Call(f"{function}(", tuple(terms), ",", ")")


def concatenated(terms: Sequence[str], syntax: tuple[str, str]) -> Call:
    """At most `CHUNK` texts, put together; the syntax is what stands between them, and around them.

    >>> concatenated(["a", "b"], (" || ", "({})")).one_line
    '(a || b)'
    """
    between, around = syntax
    opening, closing = around.split("{}")
    return Call(opening, tuple(terms), between.rstrip(), closing)


def chunks(items: Sequence[T]) -> list[Sequence[T]]:
    """The items in runs of at most `CHUNK`."""
    return [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
