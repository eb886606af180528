"""Points tables of scorecards: read into the model representation with a report, and written back as they were."""

from scrutable_points_table.tables.fitted import from_optbinning
from scrutable_points_table.tables.layouts import LAYOUTS, layout_named
from scrutable_points_table.tables.line import PointsLine
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.reading import imported, read_points_table
from scrutable_points_table.tables.report import ImportedCard, TableReport
from scrutable_points_table.tables.sheet import Sheet, csv_text, parse_csv, parse_workbook, read_sheet

__all__ = [
    "LAYOUTS",
    "ImportOptions",
    "ImportedCard",
    "PointsLine",
    "Sheet",
    "TableReport",
    "csv_text",
    "from_optbinning",
    "imported",
    "layout_named",
    "parse_csv",
    "parse_workbook",
    "read_points_table",
    "read_sheet",
]
