"""A points table as CSV or as a workbook: numbers have all their digits, and nothing is a formula."""

from __future__ import annotations

import datetime
import io
import re

from scrutable.errors import InputError, UnsupportedModel
from scrutable.writing import reads_as_formula
from scrutable_points_table.tables import Sheet, csv_text

_SHEET = "Points"
#: What the file says of its making; a model gives the same bytes every time.
_CREATED = datetime.datetime(2000, 1, 1)
_LONGEST_TEXT = 32_767
_MOST_ROWS = 1_048_576
#: What begins like a formula is none if it is numbers with a layout's mark between them.
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(rf"{_NUMBER}(?:(?:\||%,%){_NUMBER})*")


class _Exact(float):
    """A number that XlsxWriter writes with all its digits; it would write 16, and doubles have up to 17."""

    def __format__(self, spec: str) -> str:
        return repr(float(self))


def csv_file(sheet: Sheet) -> str:
    """The sheet as CSV.

    Raises
    ------
    UnsupportedModel : a text that a spreadsheet would take for a formula.
    """
    for row in sheet.rows:
        for cell in row:
            if isinstance(cell, str) and reads_as_formula(cell) and not _NUMBERS.fullmatch(cell):
                raise UnsupportedModel(
                    "a text that spreadsheets take for a formula", where="points table", got=cell, fix="use format=xlsx"
                )
    return csv_text(sheet)


def workbook(sheet: Sheet) -> bytes:
    """The sheet as the bytes of an .xlsx file.

    Raises
    ------
    InputError : XlsxWriter is not installed.
    UnsupportedModel : texts or rows that no workbook holds.
    """
    try:
        import xlsxwriter
    except ImportError:
        fix = "pip install 'scrutable[points-table]', or export with format=csv"
        raise InputError(
            "writing a workbook needs XlsxWriter, which is not installed", where="format", fix=fix
        ) from None
    _refuse(sheet)
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties({"title": "Points table", "created": _CREATED})
    page = book.add_worksheet(_SHEET)
    for column, name in enumerate(sheet.columns):
        page.write_string(0, column, name)
    for number, row in enumerate(sheet.rows, 1):
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                page.write_string(number, column, cell)
            elif cell is not None:
                page.write_number(number, column, _Exact(cell))
    book.close()
    return stream.getvalue()


def _refuse(sheet: Sheet) -> None:
    if len(sheet.rows) >= _MOST_ROWS:
        raise UnsupportedModel("more rows than a sheet has", where="points table", got=len(sheet.rows))
    for row in sheet.rows:
        for cell in row:
            if isinstance(cell, str) and not _holds(cell):
                raise UnsupportedModel(
                    "a text that a workbook cannot hold as it is", where="points table", got=cell, fix="use format=csv"
                )


def _holds(text: str) -> bool:
    """Whether a cell gives the text back: no control characters, no markup of rich text, no escape of Excel's own."""
    if any(ord(each) < 32 or 0xFFFE <= ord(each) <= 0xFFFF for each in text) or text.startswith("<r>"):
        return False
    return len(text.encode("utf-16-le")) <= 2 * _LONGEST_TEXT and "_x" not in text
