"""The whole page: it stands alone, runs nothing and fetches nothing."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

import jinja2
from markupsafe import Markup

from scrutable.model import Model, fingerprint
from scrutable_documents.common.clean import cleaned
from scrutable_documents.common.environment import environment, rendered
from scrutable_documents.common.kinds import kind_words
from scrutable_documents.common.sections import Block, Cell, Facts, Listing, Picture, Section, Table
from scrutable_documents.reason_document.contents import Chapter
from scrutable_documents.reason_document.options import ReasonDocumentOptions
from scrutable_documents.reason_document.sections import sections

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(model: Model, options: ReasonDocumentOptions, chapters: Sequence[Chapter]) -> str:
    """HTML that stands alone."""
    target = model.outcome.target
    values = {
        "title": cleaned(options.title or f"Reason codes: {target}"),
        "date": cleaned(options.date),
        "kind": kind_words(model),
        "fingerprint": fingerprint(model),
        "sections": [_cleaned(section) for section in sections(model, chapters)],
        "calculator": False,
        "policy": _POLICY,
        "style": Markup(_style()),
        "blocks": {},
    }
    return rendered(_templates(), "document.html.jinja", values)


def _cleaned(section: Section) -> Section:
    """Without what no document can hold."""
    return replace(section, blocks=[_block(block) for block in section.blocks])


def _block(block: Block) -> Block:
    if isinstance(block, Picture):
        return block
    if isinstance(block, Table):
        rows = [[_cell(cell) for cell in row] for row in block.rows]
        headers = [cleaned(header) for header in block.headers]
        return replace(block, caption=cleaned(block.caption), headers=headers, rows=rows)
    if isinstance(block, Facts):
        return Facts([(cleaned(name), cleaned(value)) for name, value in block.pairs])
    if isinstance(block, Listing):
        return Listing([cleaned(item) for item in block.items])
    return replace(block, text=cleaned(block.text))


def _cell(cell: Cell) -> Cell:
    return cell if isinstance(cell, Markup) else cleaned(cell)


@functools.cache
def _templates() -> jinja2.Environment:
    return environment(__package__)


@functools.cache
def _style() -> str:
    names = ("style.css", "document.css", "reasons.css")
    return "\n".join(_templates().get_template(name).render() for name in names)
