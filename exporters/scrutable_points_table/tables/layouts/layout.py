"""What a layout of points tables is: both directions, and what its software does where a table says nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scrutable.model import Scorecard
from scrutable_points_table.tables.line import PointsLine
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.sheet import Sheet

#: Points of a value without a row: no points at all, those of the row for missing values, or no answer.
Unlisted = Literal["none", "as missing", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A layout by name.

    Parameters
    ----------
    matches : whether a sheet's header and cells are of this layout.
    read : the lines of a sheet.
    write : a scorecard as a sheet; UnsupportedModel for what the layout cannot say.
    unlisted_missing, unlisted_category : what its software gives.
    conventions : what reading takes for granted, as sentences for the report.
    numbers : the columns that hold nothing but numbers.
    any_case : names of columns that may be capitalised.
    event : the column that counts the event, where counts are of the event and not of good and bad.
    special_row : how a row for a special code is written.
    prints_ends : whether intervals are printed with the ends that belong to them.
    """

    name: str
    matches: Callable[[Sheet], bool]
    read: Callable[[Sheet, ImportOptions], list[PointsLine]]
    write: Callable[[Scorecard], Sheet]
    unlisted_missing: Unlisted
    unlisted_category: Unlisted
    conventions: tuple[str, ...]
    numbers: tuple[str, ...]
    any_case: tuple[str, ...] = ()
    event: str | None
    special_row: str
    prints_ends: bool
