"""A whole workbook as bytes."""

from __future__ import annotations

import datetime
import io
from collections.abc import Mapping

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from scrutable.data.frames import Column
from scrutable.model import Model
from scrutable.model.program import Program
from scrutable.plugins import heading_lines
from scrutable_excel import model_sheet, readout, score_sheet, stored
from scrutable_excel.cell_formats import Looks
from scrutable_excel.columns import Layout
from scrutable_excel.tables import SHEET

#: What the files say of their making; a model gives the same bytes every time.
_CREATED = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)


def write(
    model: Model,
    program: Program,
    n_rows: int,
    applicants: Mapping[str, Column],
    *,
    n_stored: int = 0,
    read_out: bool = False,
) -> bytes:
    """The workbook of a model.

    Parameters
    ----------
    program : that of the model, as `domain.supported` gives it; of the model itself only words are told.
    n_rows : how many rows have formulas.
    applicants : the inputs of the first rows, by feature; empty for none.
    n_stored : how many of these rows' results to store for programs that do not compute: all or none.
    read_out : whether to add a sheet from which a program reads the results to the last bit.

    Raises
    ------
    UnsupportedModel : a formula is too long, or there are more columns than a sheet has.
    """
    layout = Layout(program)
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties({"title": "Model", "created": _CREATED.replace(tzinfo=None)})
    looks = Looks(book, program)
    score, tables, about = (book.add_worksheet(name, PlainSheet) for name in (score_sheet.SHEET, SHEET, "About"))
    values = stored.results(layout, applicants, n_stored) if n_stored else {}
    score_sheet.write(score, heading_lines(model)[0], layout, looks, n_rows, applicants, values)
    model_sheet.write(tables, model, layout.tables, looks)
    model_sheet.write_about(about, model, looks)
    if read_out:
        readout.write(book.add_worksheet(readout.SHEET, PlainSheet), layout.results, n_rows)
    book.close()
    return stream.getvalue()


class PlainSheet(Worksheet):  # type: ignore[misc]  # XlsxWriter ships no types
    """A sheet whose formulas have no functions that are newer than Excel 2010, so that none is searched for them."""

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        """What XlsxWriter calls for every formula; its own search takes four fifths of the time."""
        return formula.removeprefix("=")
