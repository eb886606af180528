"""The sheets that people read: "Model", whose cells the formulas look up, and "About"."""

from __future__ import annotations

from typing import Any

from scrutable.model import Model, fingerprint
from scrutable.model.program import Points, Text
from scrutable.plugins import heading_lines
from scrutable_excel.cell_formats import Looks
from scrutable_excel.cells import Exact, words
from scrutable_excel.domain import EXCLUDED
from scrutable_excel.tables import (
    ATTRIBUTE,
    BELOW,
    FROM,
    LINE,
    TABLES,
    TITLE,
    TOP,
    VALUE,
    Block,
    Tables,
)

_WIDTHS = {TITLE: 26, LINE: 10, ATTRIBUTE: 34, FROM: 14, BELOW: 14, VALUE: 18, TABLES: 12}
_HEADERS = {
    TITLE: "Characteristic",
    LINE: "Line",
    ATTRIBUTE: "Attribute",
    FROM: "From",
    BELOW: "Below",
    VALUE: "Value",
    TABLES: "Points and texts",
}


def write(sheet: Any, model: Model, tables: Tables, looks: Looks) -> None:
    """Write the sheet "Model"."""
    sheet.write_string(0, 0, words(heading_lines(model)[0]), looks["title"])
    hint = "The sheet Score looks its points up here; a change here changes every score."
    sheet.write_string(1, 0, hint, looks["hint"])
    for column, width in _WIDTHS.items():
        sheet.set_column(column, column, width)
    for row, each in enumerate(tables.constants, TOP):
        sheet.write_string(row, TITLE, words(each.title), looks["key"])
        sheet.write_number(row, 1, Exact(each.value))
    for column, title in _HEADERS.items():
        sheet.write_string(tables.header, column, title, looks["header"])
    for block in tables.blocks.values():
        _block(sheet, block, tables, looks)
    sheet.freeze_panes(tables.header + 1, 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def write_about(sheet: Any, model: Model, looks: Looks) -> None:
    """Write the sheet "About"."""
    told = [
        *(("Model", line) for line in heading_lines(model) if "SHA-256" not in line),
        ("Model fingerprint", f"SHA-256 {fingerprint(model)}"),
        ("Learner", model.provenance.learner or "not recorded"),
        ("Missing values", "an empty cell is missing"),
        ("Other kinds", "a text in a column of numbers, or a number in one of texts, gives #N/A and no score"),
        ("Texts", "compared character by character: case, blanks and accents count"),
        ("Outside of the domain", EXCLUDED),
        ("Proven with", "LibreOffice; Excel 2010 and newer have the same functions, but were not run"),
    ]
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 90)
    sheet.write_string(0, 0, "About this workbook", looks["title"])
    for row, (key, text) in enumerate(told, 2):
        sheet.write_string(row, 0, key, looks["key"])
        sheet.write_string(row, 1, words(text), looks["prose"])
    sheet.fit_to_pages(1, 0)


def _block(sheet: Any, block: Block, tables: Tables, looks: Looks) -> None:
    for number, line in enumerate(block.lines, 1):
        prefix = "first " if number == 1 else ""
        plain, points, texts = looks["first"] if prefix else None, looks[f"{prefix}points"], looks[f"{prefix}value"]
        row = block.top + number - 1
        sheet.write_string(row, TITLE, words(block.title) if prefix else "", plain)
        sheet.write_number(row, LINE, number, plain)
        sheet.write_string(row, ATTRIBUTE, words(block.titles[line.place]), plain)
        for column, value in ((FROM, line.lower), (BELOW, line.upper), (VALUE, line.value)):
            _value(sheet, row, column, value, texts if isinstance(value, str) else plain)
        for ref in block.tables:
            node = tables.program[ref]
            assert isinstance(node, Points | Text)
            entry = node.values[line.place] if isinstance(node, Points) else node.texts[line.place]
            _value(sheet, row, block.column(ref), entry, points if isinstance(node, Points) else texts)
        sheet.write_number(row, block.places, line.place, looks["count"])


def _value(sheet: Any, row: int, column: int, value: float | str | None, look: Any) -> None:
    if value is None:
        sheet.write_blank(row, column, None, look)
    elif isinstance(value, str):
        sheet.write_string(row, column, value, look)
    else:
        sheet.write_number(row, column, Exact(value + 0.0), look)
