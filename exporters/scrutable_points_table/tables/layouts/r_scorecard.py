"""Layout r-scorecard: the card of R's package scorecard, its list of tables bound to one by data.table::rbindlist."""

from __future__ import annotations

import math

from scrutable.model import Feature, Interval, Scorecard
from scrutable_points_table.tables.layouts import variable_bin
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.notation import closed_right
from scrutable_points_table.tables.sheet import Sheet


def _matches(sheet: Sheet) -> bool:
    return variable_bin.matches(sheet) and variable_bin.prints_as_r(sheet)


def _write(model: Scorecard) -> Sheet:
    right = {each.feature for each in model.characteristics if closed_right(model, each.feature)}

    def interval(ends: Interval, feature: Feature) -> str:
        if feature.name not in right:
            return f"[{_number(ends.lower)},{_number(ends.upper)})"
        lower, upper = (
            math.nextafter(end, -math.inf) if abs(end) < math.inf else end for end in (ends.lower, ends.upper)
        )
        return f"({_number(lower)},{_number(upper)}]"

    return variable_bin.write(model, R_SCORECARD.name, interval, _number)


def _number(value: float) -> str:
    """A number as R prints it, with every digit that it has."""
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return repr(value).removesuffix(".0")


R_SCORECARD = Layout(
    name="r-scorecard",
    matches=_matches,
    read=variable_bin.read,
    write=_write,
    unlisted_missing="none",
    unlisted_category="none",
    conventions=(
        "intervals are closed where they have square brackets: at the left, [a, b), or with the package's option "
        "bin_close_right at the right, (a, b]",
        "cuts are taken as they are printed; R prints ten significant digits of them",
        "blank texts are categories here; R's scorecard takes them for missing",
    ),
    numbers=variable_bin.NUMBERS,
    event=variable_bin.EVENT,
    special_row=variable_bin.SPECIAL_ROW,
    prints_ends=True,
)
