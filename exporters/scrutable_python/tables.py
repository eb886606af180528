"""Characteristics as tables that a value finds its line in: bisection for intervals, a dictionary for categories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scrutable.model import Attribute, Categories, Characteristic, Interval, Missing, Otherwise, Special
from scrutable.plugins import one_line
from scrutable_python.conditions import Variable
from scrutable_python.text import number, value


@dataclass(frozen=True, slots=True)
class AttributeEntry:
    """A line of a table: what an attribute is worth, as a literal, and the attribute in words."""

    worth: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacteristicTable:
    """A characteristic: its lines, intervals first in ascending order, and how a value finds its own.

    Parameters
    ----------
    number : its place, from 1, in the names of the constants; in a segment after "1_", the segment's.
    title : the characteristic in words.
    lines : what each attribute is worth.
    cuts : lower ends of all intervals but the first.
    values : literals of the categories and special codes, and the lines they belong to.
    variable : what holds the value.
    missing, otherwise : the lines of missing values and of values that are not listed.
    """

    number: str
    title: str
    lines: tuple[AttributeEntry, ...]
    cuts: tuple[str, ...]
    values: tuple[tuple[str, int], ...]
    variable: Variable
    missing: int
    otherwise: int | None

    @property
    def line(self) -> str:
        """The expression that finds the line."""
        x = self.variable.name
        if self.otherwise is not None:
            line = f"_VALUES_{self.number}.get({x}, {self.otherwise})" if self.values else str(self.otherwise)
        else:
            line = f"bisect_right(_CUTS_{self.number}, {x})" if self.cuts else "0"
            if self.values:
                line = f"_VALUES_{self.number}[{x}] if {x} in _VALUES_{self.number} else {line}"
        return f"{self.missing} if {self.variable.missing} else {line}"


def table(
    item: Characteristic, variable: Variable, place: str, worth: Callable[[Attribute], str] | None = None
) -> CharacteristicTable:
    """The table of a characteristic; lines are worth their points unless `worth` says otherwise."""
    worth = worth or (lambda attribute: number(attribute.points))
    intervals = [each for each in item.attributes if isinstance(each.condition, Interval)]
    ordered = [*intervals, *(each for each in item.attributes if not isinstance(each.condition, Interval))]
    values: list[tuple[str, int]] = []
    missing, otherwise = 0, None
    for line, attribute in enumerate(ordered):
        condition = attribute.condition
        if isinstance(condition, Categories):
            values += [(value(each), line) for each in condition.values]
        elif isinstance(condition, Special):
            values += [(value(each), line) for each in condition.codes]
        elif isinstance(condition, Missing):
            missing = line
        elif isinstance(condition, Otherwise):
            otherwise = line
    titles = dict(zip(item.attributes, item.titles, strict=True))
    return CharacteristicTable(
        number=place,
        title=one_line(variable.feature.title),
        lines=tuple(AttributeEntry(worth(attribute), one_line(titles[attribute])) for attribute in ordered),
        cuts=tuple(_lower(attribute) for attribute in intervals[1:]),
        values=tuple(values),
        variable=variable,
        missing=missing,
        otherwise=otherwise,
    )


def numbered(place: int, own: str = "") -> str:
    """The number of a table, in a segment with that of the segment before it.

    >>> numbered(2), numbered(2, "_1")
    ('2', '1_2')
    """
    return f"{own}_{place}".lstrip("_")


def _lower(attribute: Attribute) -> str:
    assert isinstance(attribute.condition, Interval)
    return number(attribute.condition.lower)
