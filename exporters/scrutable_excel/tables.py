"""What stands on the sheet "Model", and where: the formulas of the sheet "Score" look it up there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from scrutable.model import Value
from scrutable.model.program import (
    AtLeast,
    Bucket,
    Clamp,
    Ladder,
    Linear,
    Points,
    Program,
    Ref,
    Sum,
    Text,
    columns_alone,
    hints,
    titles,
)
from scrutable_excel.cells import at
from scrutable_excel.domain import LARGEST, SMALLEST, is_held

SHEET = "Model"

#: Columns of the sheet; the tables of a block follow, and last the number of its place.
TITLE, LINE, ATTRIBUTE, FROM, BELOW, VALUE, TABLES = range(7)

#: The row, from 0, of the first constant.
TOP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a block: a rung of a ladder, a value with a name, what is missing, or a place of another node.

    Parameters
    ----------
    place : what the node gives on this line.
    lower, upper : ends of a rung; None where there is none.
    value : the value with a name.
    """

    place: int
    lower: float | None = None
    upper: float | None = None
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a node that gives a place, the row that the first of them stands in, and the tables beside them.

    Parameters
    ----------
    titles : by place, in words.
    tables : nodes of points or texts.
    """

    title: str
    lines: tuple[Line, ...]
    titles: tuple[str, ...]
    top: int
    tables: list[Ref] = field(default_factory=list)

    def span(self, column: int, first: int = 1, last: int | None = None) -> str:
        """A column of the lines `first` to `last`, which count from 1."""
        end = self.top + (last or len(self.lines)) - 1
        return f"{at(self.top + first - 1, column, SHEET)}:{at(end, column)}"

    def cell(self, line: int, column: int) -> str:
        """A cell of a line."""
        return at(self.top + line - 1, column, SHEET)

    def column(self, table: Ref) -> int:
        """The column of a table."""
        return TABLES + self.tables.index(table)

    @property
    def places(self) -> int:
        """The column with the numbers of places."""
        return TABLES + len(self.tables)


class Tables:
    """The places of everything on the sheet."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.hints = hints(program)
        #: Numbers that formulas read, by what they are and their node.
        self.constants = list(_constants(program, self.hints))
        #: The row, from 0, of the header of the blocks.
        self.header = TOP + len(self.constants) + 1
        self.blocks: dict[Ref, Block] = {}
        features = {feature.name: feature for feature in program.features}
        words, row = columns_alone(program), self.header + 1
        tables = [(ref, node.of) for ref, node in enumerate(program.nodes) if isinstance(node, Points | Text)]
        read = {of for _, of in tables}
        for ref, node in enumerate(program.nodes):
            if isinstance(node, Bucket) or ref in read:
                told = titles(program, ref)
                lines = _of_ladder(node.ladder) if isinstance(node, Bucket) else map(_line, range(len(told)))
                title = features[words[ref]].title if ref in words else self.hints.get(ref, "")
                self.blocks[ref] = Block(title, tuple(lines), told, row)
                row += len(self.blocks[ref].lines)
        for ref, of in tables:
            self.blocks[of].tables.append(ref)

    def constant(self, ref: Ref, what: str) -> str:
        """The cell of a number of a node."""
        place = next(i for i, each in enumerate(self.constants) if (each.ref, each.what) == (ref, what))
        return at(TOP + place, 1, SHEET)


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that formulas read, what it is of its node, and what that is called."""

    ref: Ref
    what: str
    value: float
    title: str


def _constants(program: Program, called: dict[Ref, str]) -> Iterator[Constant]:
    for ref, node in enumerate(program.nodes):
        match node:
            case Sum(start):
                yield Constant(ref, "start", start, _started(called.get(ref, "")))
            case AtLeast(_, limit):
                yield Constant(ref, "limit", limit, "Cutoff")
            case Linear(_, slope, intercept):
                yield Constant(ref, "intercept", intercept, "Intercept")
                yield Constant(ref, "slope", slope, "Slope")
            case Clamp(_, low, high):
                yield Constant(ref, "low", low, "Lowest")
                yield Constant(ref, "high", high, "Highest")


def _started(by: str) -> str:
    return "Base points" if by in ("score", "total", "") else f"Base of {by}"


def _line(place: int) -> Line:
    return Line(place=place)


def _of_ladder(ladder: Ladder) -> Iterator[Line]:
    """Rungs first, then values, missing last: a value's line is the last that it fits."""
    ends = [None, *map(_inside, ladder.cuts), None]
    for rung, place in enumerate(ladder.rungs):
        yield Line(place=place, lower=ends[rung], upper=ends[rung + 1])
    for value, place in ladder.named:
        if isinstance(value, str) or is_held(value):  # no row of the domain has another
            yield Line(place=place, value=value)
    yield Line(place=ladder.missing)


def _inside(cut: float) -> float:
    """A cut that a cell can hold, and that parts the numbers of the domain as a cut does.

    >>> [_inside(cut) for cut in (18.0, 5e-324, -5e-324, math.inf)]
    [18.0, 1e-290, 0.0, 1e+300]
    """
    if abs(cut) > LARGEST:
        return math.copysign(1e300, cut)
    if 0 < abs(cut) < SMALLEST:
        return SMALLEST if cut > 0 else 0.0
    return cut
