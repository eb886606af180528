"""What each language spells in its own way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

#: What a variable, or an entry of a table, holds.
Kind = Literal["number", "place", "truth", "text", "ranking"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the function: one value, or a list of so many; of a ranking, so many ranks.

    Parameters
    ----------
    is_column : whether it is what the row has in a column.
    """

    name: str
    kind: Kind
    size: int = 0
    is_column: bool = False


#: A variable, and the place that it must have.
Branch = tuple[Variable, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A constant with an entry for each place, written as literals, and what each is in words."""

    name: str
    kind: Kind
    entries: tuple[str, ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """A ladder of texts: names in the order of the language, the place of each, of any other text, of a missing one."""

    names: str
    places: str
    size: int
    other: int
    missing: int


@dataclass(frozen=True, slots=True)
class Statement:
    """What a variable is given, or an entry of a list.

    Parameters
    ----------
    target, place : the variable, and the place in it if it is a list.
    text : the expression.
    scope : the branches that lead there, the outermost first.
    again : whether it may have been given something before.
    chosen : whether only rows in the last of the branches are given it; all others of a scope may be.
    wanted : the group of results that alone needs it, or none.
    about : words.
    """

    target: Variable
    text: str
    scope: tuple[Branch, ...] = ()
    place: int | None = None
    again: bool = False
    chosen: bool = False
    wanted: str = ""
    about: str = ""


class Language(ABC):
    """Spells values, variables and tables of one file; whatever else expressions are made of is alike everywhere."""

    #: Words that are no names of variables: keywords, and what the file itself calls by them.
    taken: frozenset[str]
    #: A pattern of names that columns may not have as fields, either.
    macros: str = "(?!)"
    #: Whether two values are the same.
    equals: str = "=="
    #: Whether they are not.
    differs: str = "!="
    #: Whether points of numbers are added up from one cut to the next rather than looked up.
    by_steps: bool = False
    #: Whether the places of texts are there before all statements, so that none needs a variable.
    looks_up_first: bool = False
    #: What calls the exponential function.
    exp: str

    @abstractmethod
    def number(self, value: float) -> str:
        """A double, to the last bit."""

    @abstractmethod
    def text(self, text: str | None) -> str:
        """A text, or nothing, as the model says it."""

    @abstractmethod
    def nothing(self, kind: Kind) -> str:
        """What stands for nothing."""

    @abstractmethod
    def order(self, text: str) -> tuple[int, bytes]:
        """By what texts are sorted that others are looked up in."""

    @abstractmethod
    def read(self, variable: Variable) -> str:
        """The value of a variable; of a list, or a ranking, what is handed to a function."""

    @abstractmethod
    def item(self, variable: Variable, place: int) -> str:
        """The value of a list at a place."""

    @abstractmethod
    def ranked(self, variable: Variable, rank: int, what: Literal["codes", "shorts"]) -> str:
        """What a ranking has at a rank: the code, or by how much it falls short."""

    @abstractmethod
    def table(self, table: Table) -> str:
        """The constant of a table, as expressions call it."""

    @abstractmethod
    def place_of_text(self, column: Variable, names: Names) -> str:
        """The place of the text that a column has."""

    @abstractmethod
    def spelled(self, words: str, truths: Variable) -> str:
        """The words of those truths that hold, with blanks between.

        Parameters
        ----------
        words : a table, or the empty text where there are none.
        """

    @abstractmethod
    def blocks(self, statement: Statement) -> tuple[str, ...]:
        """The conditions under which a statement is made, as what begins a block, the outermost first."""

    @abstractmethod
    def assigned(self, statement: Statement) -> str:
        """The line of a statement."""

    def whole(self, number: str) -> str:
        """A double that is a whole number, as what a field of places holds; as it is, unless overridden."""
        return number

    def holds(self, branch: Branch) -> str:
        """Whether a variable has the place of a branch."""
        variable, place = branch
        if variable.kind == "truth":
            return f"{'' if place else '!'}{self.read(variable)}"
        return f"{self.read(variable)} {self.equals} {place}"
