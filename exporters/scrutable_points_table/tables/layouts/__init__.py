"""Layouts of points tables, each with both of its directions in one file."""

from __future__ import annotations

from scrutable.errors import InputError, did_you_mean
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.optbinning import OPTBINNING
from scrutable_points_table.tables.layouts.plain import PLAIN
from scrutable_points_table.tables.layouts.variable_bin import R_SCORECARD, SCORECARDPY
from scrutable_points_table.tables.sheet import Sheet

LAYOUTS = {layout.name: layout for layout in (PLAIN, OPTBINNING, SCORECARDPY, R_SCORECARD)}

__all__ = ["LAYOUTS", "Layout", "layout_named", "layout_of"]


def layout_named(name: str) -> Layout:
    """The layout of a name.

    Raises
    ------
    InputError : there is none.

    Examples
    --------
    >>> layout_named("plain").name
    'plain'
    """
    if name not in LAYOUTS:
        allowed = ", ".join(LAYOUTS)
        raise InputError("unknown layout", where="layout", got=name, allowed=allowed, fix=did_you_mean(name, LAYOUTS))
    return LAYOUTS[name]


def layout_of(sheet: Sheet) -> Layout:
    """The layout that a sheet has, by its header and cells.

    Raises
    ------
    InputError : it has none of them.
    """
    for layout in LAYOUTS.values():
        if layout.matches(sheet):
            return layout
    raise InputError(
        "a points table of no known layout",
        where="header",
        got=list(sheet.columns),
        allowed="characteristic and points (plain), Variable, Bin and Points (optbinning), "
        "or variable, bin and points (scorecardpy, r-scorecard)",
        fix=sheet.or_header("rename the columns as the layout plain has them"),
    )
