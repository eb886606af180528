"""The text of a page of HTML as blocks: headings, paragraphs, items of lists and tables, from top to bottom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

from scrutable.writing import visible

_TEXTS = frozenset(("address", "blockquote", "caption", "dd", "dl", "dt", "figcaption", "hr", "p", "pre"))
_PARTS = frozenset(("article", "aside", "body", "div", "figure", "footer", "header", "html", "main", "nav", "section"))
_TABLES = frozenset(("table", "tbody", "tfoot", "thead"))
_CONTAINERS = _TEXTS | _PARTS | _TABLES
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = frozenset(("head", "script", "style", "template", "title"))
_STRONG = frozenset(("b", "strong"))
_BLANK = re.compile(r"[ \t\r\n\f]+")


@dataclass(frozen=True, slots=True)
class Run:
    r"""A stretch of text in one weight; "\n" is a line break."""

    text: str
    strong: bool = False


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading, a paragraph or an item of a list.

    Parameters
    ----------
    level : of a heading 1 to 6, of an item how many lists it is in; else 0.
    number : of an item of a numbered list, from 1.
    language : what the list of an item says, empty for one that is not known; None where it says nothing.
    """

    kind: Literal["heading", "paragraph", "item"]
    runs: Runs
    level: int = 0
    number: int | None = None
    language: str | None = None

    @property
    def text(self) -> str:
        """The text without weights."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, and whether it is a header."""

    runs: Runs
    header: bool = False

    @property
    def text(self) -> str:
        """The text without weights."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class TableRows:
    """A table."""

    rows: tuple[tuple[Cell, ...], ...]


def blocks(html: str) -> list[Block | TableRows]:
    """What a page says, in the order of the page, made visible; styles and scripts are left out.

    Examples
    --------
    >>> for block in blocks("<h1>Notice</h1><p>We are <b>unable</b> to<br>lend.<ol><li>Income<li>Debts</ol>"):
    ...     print(block.kind, block.number, repr(block.text))
    heading None 'Notice'
    paragraph None 'We are unable to\\nlend.'
    item 1 'Income'
    item 2 'Debts'
    """
    walk = _Walk()
    walk.feed(html)
    walk.close()
    walk.end()
    return walk.blocks


class _Walk(HTMLParser):
    """Gathers text until a block ends; an end tag that is left out ends with the next block, as in a browser."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block | TableRows] = []
        self._runs: list[Run] = []
        self._heading = self._strong = self._unseen = 0
        self._lists: list[int | None] = []  # the number of the last item; None where the list has none
        self._languages: list[str | None] = []  # of the same lists
        self._item = False
        self._table: list[list[Cell]] | None = None
        self._header: bool | None = None  # of the cell that is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "br":
            self._runs.append(Run("\n", self._strong > 0))
        elif tag in _STRONG:
            self._strong += 1
        elif tag in _HEADINGS:
            self.end()
            self._heading = _HEADINGS[tag]
        elif tag in ("ol", "ul"):
            self.end()
            self._lists.append(0 if tag == "ol" else None)
            self._languages.append(dict(attrs).get("lang", self._language()))
        elif tag == "li":
            self.end()
            self._start_item()
        elif tag in ("tr", "td", "th"):
            self._start_cell(tag)
        elif tag in _CONTAINERS:
            self.end()
            if tag == "table":
                self._table = []

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _STRONG:
            self._strong = max(0, self._strong - 1)
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "table":
            self._end_table()
        elif tag in _HEADINGS or tag in _CONTAINERS or tag == "li":
            self.end()
        elif tag in ("ol", "ul"):
            self.end()
            del self._lists[-1:], self._languages[-1:]

    def handle_data(self, data: str) -> None:
        if not self._unseen and data:
            self._runs.append(Run(visible(_BLANK.sub(" ", data)), self._strong > 0))

    def end(self) -> None:
        """End the block that is open; inside a cell it ends a line."""
        if self._header is not None:
            if self._runs and self._runs[-1].text != "\n":
                self._runs.append(Run("\n"))
            return
        runs, self._runs = _trimmed(self._runs), []
        heading, self._heading = self._heading, 0
        item, self._item = self._item, False
        if not runs:
            self._item = item  # the item's text comes in a paragraph of its own
        elif heading:
            self.blocks.append(Block(kind="heading", runs=runs, level=heading))
        elif item:
            number, level = self._lists[-1] if self._lists else None, max(1, len(self._lists))
            self.blocks.append(Block(kind="item", runs=runs, level=level, number=number, language=self._language()))
        else:
            self.blocks.append(Block(kind="paragraph", runs=runs))

    def _language(self) -> str | None:
        return self._languages[-1] if self._languages else None

    def _start_item(self) -> None:
        self._item = True
        if self._lists and self._lists[-1] is not None:
            self._lists[-1] += 1

    def _start_cell(self, tag: str) -> None:
        self._end_cell()
        if self._table is None:
            self._table = []
        if tag == "tr" or not self._table:
            self.end()
            self._table.append([])
        if tag != "tr":
            self._runs, self._header = [], tag == "th"

    def _end_cell(self) -> None:
        if self._header is not None and self._table is not None:
            self._table[-1].append(Cell(_trimmed(self._runs), self._header))
            self._runs, self._header = [], None

    def _end_table(self) -> None:
        self._end_cell()
        rows = tuple(tuple(row) for row in self._table or () if row)
        if rows:
            self.blocks.append(TableRows(rows))
        self._table = None


def _trimmed(runs: list[Run]) -> Runs:
    """Runs with blanks as a browser shows them: one between words, none at the ends of lines."""
    kept: list[Run] = []
    before = "\n"
    for run in runs:
        text = run.text
        if before.endswith((" ", "\n")):
            text = text.lstrip(" \n") if before == "\n" and not kept else text.lstrip(" ")
        if text.startswith("\n") and kept:
            kept[-1] = Run(kept[-1].text.rstrip(" "), kept[-1].strong)
        if text:
            kept.append(Run(text, run.strong))
            before = text
    while kept and not (last := kept[-1].text.rstrip(" \n")):
        del kept[-1]
    if kept:
        kept[-1] = Run(last, kept[-1].strong)
    return tuple(run for run in kept if run.text)
