"""What notebooks show, read back."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

#: All elements that a page for notebooks may have.
ELEMENTS = {"div", "p", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td"}


class Cells(HTMLParser):
    """The elements of a page, and the texts of its cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.cells: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.add(tag)
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data
