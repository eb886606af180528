"""The sheet "Score": an applicant a row, with formulas beside the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from scrutable.data.frames import Column as Values
from scrutable.model.program import Bucket, Column
from scrutable_excel.cell_formats import Looks
from scrutable_excel.cells import Exact, beside, words
from scrutable_excel.columns import Layout, ScoreColumn
from scrutable_excel.domain import LARGEST
from scrutable_excel.tables import VALUE, Block

SHEET = "Score"

#: The row, from 0, of the first applicant.
TOP = 5

#: A control character as XlsxWriter writes it in cells; it does not in the values of formulas.
_CONTROLS = {code: f"_x{code:04X}_" for code in (*range(0x20), 0xFFFE, 0xFFFF) if code not in (0x09, 0x0A)}
_GROUPS, _TITLES, _NAMES = 2, 3, 4
_HINT = (
    "Fill in one applicant a row, in the blue columns; an empty cell is missing. Everything else is computed, and "
    "looked up on the sheet Model. To add rows, fill the last one down."
)
_WIDTHS = {
    "check": 13,
    "score": 10,
    "probability": 12,
    "decision": 12,
    "code": 10,
    "points": 14,
    "short": 12,
    "count": 12,
}


def write(
    sheet: Any,
    title: str,
    layout: Layout,
    looks: Looks,
    n_rows: int,
    applicants: Mapping[str, Values],
    values: Mapping[int, Sequence[Any]],
) -> None:
    """Write the sheet.

    Parameters
    ----------
    n_rows : how many rows have formulas.
    applicants : the first rows' inputs by feature; empty for none.
    values : what the formulas of a column give, as stored for programs that do not compute; by column, row by row.
    """
    sheet.write_string(0, 0, words(title), looks["title"])
    sheet.write_string(1, 0, _HINT, looks["hint"])
    _headers(sheet, layout, looks)
    for place, column in enumerate(layout.columns):
        if column.formula is None:
            _inputs(sheet, place, column, looks, n_rows, applicants)
        else:
            _formulas(sheet, place, column, looks, n_rows, values.get(place, ()))
    _rules_of_cells(sheet, layout, looks, n_rows)
    sheet.freeze_panes(TOP, 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(_GROUPS, _NAMES)


def _headers(sheet: Any, layout: Layout, looks: Looks) -> None:
    for group, members in groupby(enumerate(layout.columns), key=lambda item: item[1].group):
        places = [place for place, _ in members]
        if len(places) > 1:
            sheet.merge_range(_GROUPS, places[0], _GROUPS, places[-1], "", looks["group"])
        sheet.write_string(_GROUPS, places[0], group, looks["group"])
    for place, column in enumerate(layout.columns):
        sheet.write_string(_TITLES, place, words(column.title), looks["header"])
        sheet.write_string(_NAMES, place, words(column.name), looks["name"])
        sheet.set_column(place, place, _width(column, layout), None, {"level": 1} if column.group == "Working" else {})
    longest = max(len(column.title) for column in layout.columns)
    sheet.set_row(_TITLES, 15 * min(3, 1 + longest // 10))
    sheet.set_row(_NAMES, 24)


def _width(column: ScoreColumn, layout: Layout) -> int:
    if column.look in _WIDTHS:
        return _WIDTHS[column.look]
    texts = (
        line.value for block in _blocks(layout, column.name) for line in block.lines if isinstance(line.value, str)
    )
    return min(30, max(12, len(column.name), *(1 + len(text) for text in texts)))


def _inputs(
    sheet: Any, place: int, column: ScoreColumn, looks: Looks, n_rows: int, applicants: Mapping[str, Values]
) -> None:
    look = looks[column.look]
    given = applicants[column.name].values.tolist() if column.name in applicants else []
    for row in range(n_rows):
        value = given[row] if row < len(given) else None
        if value is None or value != value:
            sheet.write_blank(TOP + row, place, None, look)
        elif isinstance(value, str):
            sheet.write_string(TOP + row, place, value, look)
        else:
            sheet.write_number(TOP + row, place, Exact(value + 0.0), look)


def _formulas(sheet: Any, place: int, column: ScoreColumn, looks: Looks, n_rows: int, values: Sequence[Any]) -> None:
    assert column.formula is not None
    look = looks[column.look]
    for row in range(n_rows):
        value = values[row] if row < len(values) else ""
        if isinstance(value, str):
            value = value.translate(_CONTROLS)
        sheet.write_formula(TOP + row, place, column.formula.format(row=TOP + row + 1), look, value)


def _rules_of_cells(sheet: Any, layout: Layout, looks: Looks, n_rows: int) -> None:
    """Colours of decisions and of unreadable inputs; what may be filled in, as a help, not a bar."""
    last = TOP + n_rows - 1
    for place, column in enumerate(layout.columns):
        cell = beside(place).format(row=TOP + 1)
        if column.look == "decision":
            for value, look in ((1, "good"), (0, "bad")):
                rule = {"type": "formula", "criteria": f"=AND(ISNUMBER({cell}),{cell}={value})", "format": looks[look]}
                sheet.conditional_format(TOP, place, last, place, rule)
        elif column.look == "check":
            rule = {"type": "formula", "criteria": f"=AND(ISNUMBER({cell}),{cell}>0)", "format": looks["bad"]}
            sheet.conditional_format(TOP, place, last, place, rule)
        elif column.look == "number":
            allowed = {"validate": "decimal", "criteria": "between", "minimum": -LARGEST, "maximum": LARGEST}
            told = {"error_title": "Not a number", "error_message": "A number, or nothing where it is missing."}
            sheet.data_validation(TOP, place, last, place, {**allowed, **told})
        elif column.formula is None and (blocks := _blocks(layout, column.name)):
            block = blocks[0]
            values = [number for number, line in enumerate(block.lines, 1) if line.value is not None]
            if values:
                source = f"={block.span(VALUE, values[0], values[-1])}"
                sheet.data_validation(
                    TOP, place, last, place, {"validate": "list", "source": source, "show_error": False}
                )


def _blocks(layout: Layout, name: str) -> list[Block]:
    """The blocks in which the values of a column of texts are looked up, those with most lines first."""
    program = layout.program
    buckets = [(ref, node) for ref, node in enumerate(program.nodes) if isinstance(node, Bucket)]
    of_column = (ref for ref, node in buckets if program[node.of] == Column(name, "categorical"))
    return sorted((layout.tables.blocks[ref] for ref in of_column), key=lambda block: -len(block.lines))
