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
    """A common table expression: everything of the step before, and further columns.

    Parameters
    ----------
    ends : whether it ends a part of the statement: of the steps before it keeps the columns of the first and of those
        that ended parts, so that the next part can use the same names anew.
    """

    name: str
    about: str
    columns: tuple[Column, ...]
    ends: bool = False


def kept(steps: Sequence[Step], position: int) -> list[str]:
    """The names of the columns of the step before that a step keeps.

    >>> steps = [Step(f"s{i}", "", (Column("1", name),), ends=i > 1) for i, name in enumerate("abcd")]
    >>> [kept(steps, i) for i in range(4)]
    [[], ['a'], ['a'], ['a', 'c']]
    """
    names: list[str] = []
    for before, step in enumerate(steps[: position + 1]):
        if step.ends:
            names = [column.name for each in steps[:before] if each is steps[0] or each.ends for column in each.columns]
        if before < position:
            names += [column.name for column in step.columns]
    return names


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
