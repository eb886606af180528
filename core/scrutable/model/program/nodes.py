"""The nodes of a program: what each is made of, and what it gives for a row.

Nodes name others by their places in the program, all before their own. A node gives a *value* (of a column), a
*place* (a number from 0 below its size), a *truth* (a place of size 2), a *number* (a double) or a *text* (or none).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from scrutable.data.features import Kind
from scrutable.model.program.ladders import Ladder

#: The place of a node in its program.
Ref = int


@dataclass(frozen=True, slots=True)
class Column:
    """A value: what the row has in a column that the model reads."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Bucket:
    """A place: the bucket of a ladder that a value, or a number, is in; titles say in words what is in each bucket."""

    of: Ref
    ladder: Ladder
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A place: those of several nodes as one, the first counting most. Sizes are those of the nodes.

    Two features make the cell of a two-way table; truths make the set of those that hold.
    """

    of: tuple[Ref, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """A number: the one that a table has at a place."""

    of: Ref
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """A truth: whether a place is among some."""

    #: No test of pytest's, which goes by the name.
    __test__: ClassVar[bool] = False

    of: Ref
    among: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class All:
    """A truth: whether all of several hold, none of which may be missing; of none, always."""

    of: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class First:
    """A place: which of several truths is the first to hold, or their number where none does; titles name them."""

    of: tuple[Ref, ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What the node at a place gives; None gives nothing, which is NaN for numbers.

    Only that node matters for the row: segments, splits of trees, and what takes the place of something else.
    """

    by: Ref
    of: tuple[Ref | None, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A number: a start and those of several nodes, all multiples of 2^-30, so that every order gives the same bits."""

    start: float
    of: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class Linear:
    """A number: intercept + slope * number, in that order of operations."""

    of: Ref
    slope: float
    intercept: float


@dataclass(frozen=True, slots=True)
class Clamp:
    """A number, held between two."""

    of: Ref
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Logistic:
    """A number: 1 / (1 + exp(-number)), which may differ by two units in the last place between engines."""

    of: Ref


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A truth: whether a number reaches a limit."""

    of: Ref
    limit: float


@dataclass(frozen=True, slots=True)
class Share:
    """A number: one divided by the sum of several, all multiples of 2^-30 and their sum positive."""

    of: Ref
    among: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Largest:
    """A place: which of several numbers is the largest, the first of equal ones."""

    of: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Rank:
    """Codes by how far they fall short, the largest first, the first in order of equal ones; read by `Code`, `Short`.

    A code's shortfall is the largest of its numbers. Those that are not positive have no rank; titles say what each
    code considers.
    """

    of: tuple[tuple[Ref, ...], ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A place: the code at a rank, from 0, or how many codes there are where fewer fall short."""

    of: Ref
    rank: int


@dataclass(frozen=True, slots=True)
class Short:
    """A number: the shortfall at a rank, from 0, or NaN where fewer codes fall short."""

    of: Ref
    rank: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text: the one that a table has at a place, or none."""

    of: Ref
    texts: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A text: the words of those truths that hold, in their order, with blanks between; titles tell the truths."""

    of: tuple[Ref, ...]
    words: tuple[str, ...]
    titles: tuple[str, ...] = ()


Node = (
    Column | Bucket | Pair | Points | Test | All | First | Choice | Sum | Linear | Clamp | Logistic | AtLeast | Share
    | Largest | Rank | Code | Short | Text | Words
)  # fmt: skip


def refs(node: Node) -> tuple[Ref, ...]:
    """The nodes that a node reads, in the order of its parts."""
    match node:
        case Column():
            return ()
        case Bucket() | Points() | Test() | Linear() | Clamp() | Logistic() | AtLeast() | Code() | Short() | Text():
            return (node.of,)
        case Pair() | All() | First() | Sum() | Largest() | Words():
            return node.of
        case Choice(by, of):
            return (by, *(each for each in of if each is not None))
        case Share(of, among):
            return (of, *among)
        case Rank(of):
            return tuple(each for refs_of_code in of for each in refs_of_code)


def rewired(node: Node, new: Callable[[Ref], Ref]) -> Node:
    """The node with other nodes in the place of those that it reads."""
    match node:
        case Column():
            return node
        case Bucket() | Points() | Test() | Linear() | Clamp() | Logistic() | AtLeast() | Code() | Short() | Text():
            return replace(node, of=new(node.of))
        case Pair() | All() | First() | Sum() | Largest() | Words():
            return replace(node, of=tuple(map(new, node.of)))
        case Choice(by, of):
            return Choice(new(by), tuple(None if each is None else new(each) for each in of))
        case Share(of, among):
            return Share(new(of), tuple(map(new, among)))
        case Rank(of):
            return replace(node, of=tuple(tuple(map(new, refs_of_code)) for refs_of_code in of))
