"""Counts of a points table as the statistics of attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrutable.measures.numerics import weight_of_evidence
from scrutable.model import Attribute, Statistics
from scrutable_points_table.tables.line import PointsLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An attribute with the line that it comes from.

    Parameters
    ----------
    line : None for an attribute that was filled in, which nobody had.
    whole : whether it holds all that the line's condition does.
    """

    attribute: Attribute
    line: PointsLine | None = None
    whole: bool = True


def undivided(placed: Sequence[Placed], lines: Sequence[PointsLine]) -> tuple[int, ...]:
    """The rows whose people are not those of one attribute: of several together, of a part of the row, or of none.

    Nobody knows how many of them each attribute has. A row that repeats another with its counts has none of its own.
    """
    counted_once = {
        _counts(each.line) for each in placed if each.line and each.whole and len(each.line.conditions) <= 1
    }
    return tuple(line.row for line in lines if line.counted and _counts(line) not in counted_once)


def with_counts(placed: Sequence[Placed]) -> tuple[Attribute, ...]:
    """The attributes with the counts of their lines; as they are where nobody of either outcome was counted."""
    attributes = tuple(each.attribute for each in placed)
    lines = [each.line for each in placed]
    counts = [(line.bad or 0.0, line.good or 0.0) if line is not None else (0.0, 0.0) for line in lines]
    known = all(line.counted is not None for line in lines if line is not None)
    totals = [sum(column) for column in zip(*counts, strict=True)]
    if not known or not all(total > 0 for total in totals) or any(min(pair) < 0 for pair in counts):
        return attributes
    weighed = zip(attributes, counts, weight_of_evidence(counts).tolist(), strict=True)
    return tuple(
        replace(attribute, statistics=Statistics(good=good, bad=bad, share=(good + bad) / sum(totals), woe=float(woe)))
        for attribute, (bad, good), woe in weighed
    )


def _counts(line: PointsLine) -> tuple[object, ...]:
    """What makes two lines the same, apart from where they stand."""
    return line.conditions, line.special, line.good, line.bad
