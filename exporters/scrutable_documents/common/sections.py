"""What a document is made of: sections of paragraphs, facts, tables and pictures, as texts that a template escapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

from scrutable_documents.common.clean import cleaned

Cell = str | Markup

#: Languages side by side in a table; more go into further tables, so that a page holds them.
ACROSS = 3
#: Letters of a word that a cell has room for.
_LONG = 16


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words."""

    kind: ClassVar[str] = "paragraph"

    text: str


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not in the document since something was not given, and what to give."""

    kind: ClassVar[str] = "gap"

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A title within a section."""

    kind: ClassVar[str] = "heading"

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what belongs to them."""

    kind: ClassVar[str] = "facts"

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Listing:
    """Texts of equal rank."""

    kind: ClassVar[str] = "listing"

    items: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; the first cell of a row is its header, and the columns at `numbers` are aligned to the right.

    Parameters
    ----------
    headers : of each column.
    rows : a cell a column.
    bars : columns of pictures that repeat numbers, which narrow screens leave out.
    """

    kind: ClassVar[str] = "table"

    caption: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: frozenset[int] = frozenset()
    bars: frozenset[int] = frozenset()

    @property
    def looks(self) -> Sequence[str]:
        """Of each column: whether it holds numbers, bars, words that are never broken, or long ones."""
        cells = ((position, cell) for row in self.rows for position, cell in enumerate(row))
        broken = {position for position, cell in cells if any(len(word) > _LONG for word in cell.split())}
        return [
            "number" if position in self.numbers
            else "bar" if position in self.bars
            else "long" if position in broken
            else "whole"
            for position in range(len(self.headers))
        ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture, and the words that stand for it."""

    kind: ClassVar[str] = "picture"

    svg: Markup
    caption: str


Block = Paragraph | Gap | Heading | Facts | Listing | Table | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document.

    Parameters
    ----------
    name : what links call it.
    """

    name: str
    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)


def words(text: str, language: str | None = None) -> Cell:
    """A text of several words; it says in which language it is, for those who have it read to them.

    >>> words("Dauer & Höhe", "de")
    Markup('<span class="words" lang="de">Dauer &amp; Höhe</span>')
    """
    spoken = "" if language is None else Markup(' lang="{}"').format(language)
    return Markup('<span class="words"{}>{}</span>').format(spoken, cleaned(text))


def unbroken(text: str) -> Cell:
    """A text that stays on one line.

    >>> unbroken("Rule 3")
    Markup('Rule&nbsp;3')
    """
    return Markup("&nbsp;").join(cleaned(text).split())


def listed(items: Iterable[str]) -> Cell:
    """Texts below one another.

    >>> listed(["a", "<b>"])
    Markup('<span class="words">a<br>&lt;b&gt;</span>')
    """
    return Markup('<span class="words">{}</span>').format(Markup("<br>").join(map(cleaned, items)))
