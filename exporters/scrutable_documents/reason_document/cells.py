"""Texts as cells of a table."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scrutable_documents.common.clean import cleaned
from scrutable_documents.common.sections import Cell


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
