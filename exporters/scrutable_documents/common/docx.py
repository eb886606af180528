"""A page of HTML as a Word document."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from docx import Document
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches, Mm, Pt, RGBColor

from scrutable.writing import visible
from scrutable_documents.common.blocks import Block, Runs, TableRows, blocks

#: Width and height by name of the paper.
_PAPERS = {"letter": (Inches(8.5), Inches(11)), "A4": (Mm(210), Mm(297))}

_FONT = "Georgia"

#: What a page says about its language.
_LANGUAGE = re.compile(r"""<html[^>]*\slang=["']?([A-Za-z0-9-]+)""")

#: What Word calls a language that is not known.
_UNKNOWN = "x-none"


def to_docx(html: str, *, title: str, paper: str = "letter") -> bytes:
    """A page with its headings, paragraphs, lists and tables; a page gives the same bytes every time.

    Languages are those that the page and its lists say in `lang`.

    Parameters
    ----------
    title : of the document.
    paper : "letter" or "A4".
    """
    document = Document()
    said = _LANGUAGE.search(html)
    _set_up(document, title, said[1] if said else _UNKNOWN, paper)
    number = None  # the numbering that the last item belongs to
    for block in blocks(html):
        if isinstance(block, TableRows):
            _add_table(document, block)
        elif block.kind == "heading":
            _add_runs(document.add_heading(level=block.level), block.runs)
        elif block.kind == "paragraph":
            _add_runs(document.add_paragraph(), block.runs)
        else:
            number = _add_item(document, block, number)
    return _without_clock(document)


def _set_up(document: Any, title: str, language: str, paper: str) -> None:
    core = document.core_properties
    core.title, core.author, core.comments, core.language = visible(title)[:255], "", "", language
    section = document.sections[0]
    section.page_width, section.page_height = _PAPERS[paper]
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Inches(1)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = _FONT, Pt(10.5)
    normal.paragraph_format.space_after = Pt(6)
    normal.element.get_or_add_rPr().append(_marked(language))
    for level, size in ((1, 16), (2, 12), (3, 11)):
        style = document.styles[f"Heading {level}"]
        style.font.size, style.font.color.rgb = Pt(size), RGBColor(0x1A, 0x1A, 0x1A)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for name in list(fonts.attrib):
            del fonts.attrib[name]
        style.font.name = _FONT


def _add_item(document: Any, block: Block, number: Any) -> Any:
    """An item of a list; a numbered list begins anew at 1."""
    paragraph = document.add_paragraph(style="List Bullet" if block.number is None else "List Number")
    _add_runs(paragraph, block.runs, language=block.language)
    paragraph.paragraph_format.left_indent = Inches(0.25 * (block.level + 1))
    if block.number is None:
        return number
    if block.number == 1 or number is None:
        number = _numbering(document)
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = 0
    properties.get_or_add_numId().val = number
    return number


def _numbering(document: Any) -> int:
    """A numbering from 1, in the look of the style of numbered lists."""
    numbering = document.part.numbering_part.element
    style = document.styles["List Number"].element.pPr.numPr.numId.val
    made = numbering.add_num(numbering.num_having_numId(style).abstractNumId.val)
    made.add_lvlOverride(ilvl=0).add_startOverride(1)
    number: int = made.numId
    return number


def _add_table(document: Any, table: TableRows) -> None:
    made = document.add_table(rows=len(table.rows), cols=max(map(len, table.rows)))
    made.style = "Table Grid"
    for row, places in zip(table.rows, made.rows, strict=True):
        for cell, place in zip(row, places.cells, strict=False):
            _add_runs(place.paragraphs[0], cell.runs, strong=cell.header)
    document.add_paragraph()


def _add_runs(paragraph: Any, runs: Runs, *, strong: bool = False, language: str | None = None) -> None:
    for run in runs:
        for place, line in enumerate(run.text.split("\n")):
            made = paragraph.add_run()
            if place:
                made.add_break(WD_BREAK.LINE)
            made.add_text(line)
            made.bold = True if strong or run.strong else None
            if language is not None:
                made._r.get_or_add_rPr().append(_marked(language))


def _marked(language: str) -> Any:
    """The language of a text, in whichever script it is."""
    made = OxmlElement("w:lang")
    for attribute in ("w:val", "w:eastAsia"):
        made.set(qn(attribute), language or _UNKNOWN)
    return made


def _without_clock(document: Any) -> bytes:
    """The file's bytes, its parts dated as early as a ZIP file can say."""
    written, dated = io.BytesIO(), io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as parts, zipfile.ZipFile(dated, "w", zipfile.ZIP_DEFLATED) as kept:
        for part in parts.infolist():
            info = zipfile.ZipInfo(part.filename, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            kept.writestr(info, parts.read(part))
    return dated.getvalue()
