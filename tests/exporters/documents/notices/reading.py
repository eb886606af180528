"""Notices read back: the texts of a file in any format."""

from __future__ import annotations

import io
from html.parser import HTMLParser

import docx
import pypdf


def said(name: str, content: str | bytes) -> str:
    """Everything that a file says, with single blanks."""
    if isinstance(content, str):
        text = _html(content) if name.endswith(".html") else content
    elif name.endswith(".pdf"):
        text = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    else:
        text = " ".join(each.text for each in docx.Document(io.BytesIO(content)).paragraphs)
    return " ".join(text.split())


def tags(page: str) -> list[str]:
    """The start tags of a page."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append(tag)

    Reader().feed(page)
    return found


def _html(page: str) -> str:
    found: list[str] = []

    class Reader(HTMLParser):
        hidden = False

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.hidden = tag in ("style", "title")

        def handle_endtag(self, tag: str) -> None:
            self.hidden = False

        def handle_data(self, data: str) -> None:
            if not self.hidden:
                found.append(data)

    Reader().feed(page)
    return " ".join(found)
