"""What stands on the sheet "Scorecard", and where: the formulas of the sheet "Score" look it up there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Policy,
    ReasonPolicy,
    RegressionScorecard,
    Scorecard,
    Special,
    Value,
)
from scrutable_excel.cells import at

SHEET = "Scorecard"

#: Columns of the sheet.
TITLE, LINE, ATTRIBUTE, FROM, BELOW, VALUE, POINTS, SHORT, CODE, CODE_PLACE, STRENGTH = range(11)

#: Rows, from 0, of the constants; all but the first are those of a decision.
BASE, CUTOFF, INTERCEPT, SLOPE = 3, 4, 5, 6
#: What is exported to a workbook.
CardModel = Scorecard | RegressionScorecard


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeRow:
    """A line of a characteristic's table: an interval, a single category or special code, any other value, or missing.

    Parameters
    ----------
    attribute, title, position : whose points it gives, its words, and its position in the characteristic.
    lower, upper : ends of an interval; None where there is no end.
    value : the category or special code.
    short : points below the baseline, 0 where not below; None without reasons.
    code_place : place of the reason code in the policy's order, from 1.
    """

    attribute: Attribute
    title: str
    position: int
    lower: float | None = None
    upper: float | None = None
    value: Value | None = None
    short: float | None = None
    code_place: int = 0


@dataclass(frozen=True, slots=True)
class CharacteristicRows:
    """The lines of a characteristic, and the row that the first of them stands in."""

    feature: Feature
    lines: tuple[AttributeRow, ...]
    top: int

    def row(self, line: int) -> int:
        """The row of a line, counted from 1."""
        return self.top + line - 1

    def span(self, column: int, first: int = 1, last: int | None = None) -> str:
        """A column of the lines `first` to `last`."""
        end = self.row(last or len(self.lines))
        return f"{at(self.row(first), column, SHEET)}:{at(end, column)}"

    def cell(self, line: int, column: int) -> str:
        """A cell of a line."""
        return at(self.row(line), column, SHEET)


@dataclass(frozen=True, slots=True)
class Strength:
    """A shortfall and a code; how strong they are is their place, from 1, among all that can occur."""

    short: float
    code: str


class Card:
    """The places of everything on the sheet.

    Parameters
    ----------
    model : a scorecard that `domain.supported` let pass.
    """

    def __init__(self, model: CardModel) -> None:
        self.model = model
        #: The model if it decides; a prediction has neither knock-outs nor reasons.
        self.deciding = model if isinstance(model, Scorecard) else None
        self.policy = Policy() if self.deciding is None else self.deciding.policy
        self.reasons = None if self.deciding is None else self.deciding.reasons
        #: The row, from 0, of the header of the first table.
        self.header = (BASE if self.deciding is None else SLOPE) + 2
        features = {feature.name: feature for feature in model.features}
        self.blocks: list[CharacteristicRows] = []
        row = self.header + 1
        for item in model.characteristics:
            block = CharacteristicRows(features[item.feature], tuple(_lines(item, self.reasons)), row)
            self.blocks.append(block)
            row += len(block.lines)
        #: Distinct shortfalls and codes, weakest first, ties so that the code that comes first in the order is last.
        self.strengths = self._strengths()
        self._places = {(each.short, each.code): place for place, each in enumerate(self.strengths, 1)}
        self.strengths_header = row + 2
        self.knock_outs_header = row + 2 + (len(self.strengths) + 4 if self.strengths else 0)
        self.limits_header = self.knock_outs_header + len(self.policy.knock_outs) + 3
        #: Limits and values that knock-outs compare with, and what they are.
        self.limits: dict[tuple[str, Value], int] = {}

    def strength(self, line: AttributeRow) -> int:
        """The strength of a line's reason; 0 where it is none."""
        if not line.short or self.reasons is None:
            return 0
        return self._places[line.short, self.reasons.order[line.code_place - 1]]

    def limit(self, words: str, value: Value) -> str:
        """Put a limit or value of a knock-out down, and return where it is."""
        place = self.limits.setdefault((words, value), len(self.limits))
        return at(self.limits_header + 1 + place, VALUE, SHEET)

    def span_of_strengths(self, column: int) -> str:
        """A column of the table of reasons by strength."""
        top = self.strengths_header + 1
        return f"{at(top, column, SHEET)}:{at(top + len(self.strengths) - 1, column)}"

    def span_of_knock_outs(self) -> str:
        """The codes of the knock-outs, in order."""
        top = self.knock_outs_header + 1
        return f"{at(top, TITLE, SHEET)}:{at(top + len(self.policy.knock_outs) - 1, TITLE)}"

    def _strengths(self) -> list[Strength]:
        policy = self.reasons
        if policy is None:
            return []
        lines = (line for block in self.blocks for line in block.lines)
        pairs = {(line.short, -line.code_place) for line in lines if line.short}
        return [Strength(short, policy.order[-place - 1]) for short, place in sorted(pairs)]


def _lines(item: Characteristic, policy: ReasonPolicy | None) -> Iterator[AttributeRow]:
    """Intervals or any other value first, then single values, missing last: a value's line is the last that it fits."""
    kinds: tuple[tuple[type, ...], ...] = ((Interval, Otherwise), (Categories, Special), (Missing,))
    for kind in kinds:
        for position, attribute in enumerate(item.attributes):
            if isinstance(attribute.condition, kind):
                yield from _lines_of(attribute, position, item, policy)


def _lines_of(
    attribute: Attribute, position: int, item: Characteristic, policy: ReasonPolicy | None
) -> Iterator[AttributeRow]:
    condition = attribute.condition
    short, place = _reason(item, attribute, policy)
    line = AttributeRow(
        attribute=attribute, title=item.titles[position], position=position, short=short, code_place=place
    )
    if isinstance(condition, Interval):
        lower, upper = (end if math.isfinite(end) else None for end in (condition.lower, condition.upper))
        yield replace(line, lower=lower, upper=upper)
    elif isinstance(condition, Categories | Special):
        values = condition.values if isinstance(condition, Categories) else condition.codes
        yield from (replace(line, value=value) for value in values)
    else:
        yield line


def _reason(item: Characteristic, attribute: Attribute, policy: ReasonPolicy | None) -> tuple[float | None, int]:
    if policy is None:
        return None, 0
    code = attribute.reason_code or policy.codes[item.feature]
    return max(0.0, policy.baselines[item.feature] - attribute.points), policy.order.index(code) + 1
