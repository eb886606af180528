"""The whole page: it stands alone, runs nothing and fetches nothing."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

import jinja2
from markupsafe import Markup

from scrutable.model import Model
from scrutable_documents.common.clean import cleaned
from scrutable_documents.common.environment import document, environment, style_sheet
from scrutable_documents.common.sections import (
    Block,
    Cell,
    Facts,
    Gap,
    Heading,
    Listing,
    Paragraph,
    Picture,
    Section,
    Table,
)
from scrutable_documents.reason_document.contents import Chapter
from scrutable_documents.reason_document.options import ReasonDocumentOptions
from scrutable_documents.reason_document.sections import sections

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(model: Model, options: ReasonDocumentOptions, chapters: Sequence[Chapter]) -> str:
    """HTML that stands alone."""
    return document(
        _templates(),
        model,
        _style(),
        title=cleaned(options.title or f"Reason codes: {model.outcome.target}"),
        date=cleaned(options.date),
        sections=[_cleaned(section) for section in sections(model, chapters)],
        policy=_POLICY,
    )


def _cleaned(section: Section) -> Section:
    """Without what no document can hold."""
    return replace(section, blocks=[_block(block) for block in section.blocks])


def _block(block: Block) -> Block:
    match block:
        case Picture():
            return block
        case Table():
            rows = [[_cell(cell) for cell in row] for row in block.rows]
            headers = [cleaned(header) for header in block.headers]
            return replace(block, caption=cleaned(block.caption), headers=headers, rows=rows)
        case Facts():
            return Facts([(cleaned(name), cleaned(value)) for name, value in block.pairs])
        case Listing():
            return Listing([cleaned(item) for item in block.items])
        case Paragraph() | Gap() | Heading():
            return replace(block, text=cleaned(block.text))
        case _:
            assert_never(block)


def _cell(cell: Cell) -> Cell:
    return cell if isinstance(cell, Markup) else cleaned(cell)


@functools.cache
def _templates() -> jinja2.Environment:
    return environment(__package__)


@functools.cache
def _style() -> str:
    return style_sheet(_templates(), "reasons.css")
