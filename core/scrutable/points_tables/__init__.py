"""Points tables of scorecards: read into the model representation with a report, and written back as they were."""

from scrutable.points_tables.assembling import Imported
from scrutable.points_tables.fitted import from_optbinning
from scrutable.points_tables.layouts import LAYOUTS, layout_named
from scrutable.points_tables.line import Line
from scrutable.points_tables.options import ImportOptions
from scrutable.points_tables.reading import imported, read_points_table
from scrutable.points_tables.report import Finding, ImportReport
from scrutable.points_tables.sheet import Sheet, csv_text, parse_csv, parse_workbook, read_sheet

__all__ = [
    "LAYOUTS",
    "Finding",
    "ImportOptions",
    "ImportReport",
    "Imported",
    "Line",
    "Sheet",
    "csv_text",
    "from_optbinning",
    "imported",
    "layout_named",
    "parse_csv",
    "parse_workbook",
    "read_points_table",
    "read_sheet",
]
