"""A page of HTML as a PDF: without network, files or clock, and with every letter there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher

from scrutable.errors import InputError

#: What relative addresses are relative to: it makes them addresses, which are refused.
_NOWHERE = "file:///"

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typeset:
    """A page as a PDF.

    Parameters
    ----------
    pdf : the file's bytes.
    missing : letters that no installed font has, each once, which show as boxes.
    """

    pdf: bytes
    missing: str


def to_pdf(html: str, *, where: str = "the document") -> bytes:
    """A page as a tagged PDF; a page gives the same bytes every time on a machine.

    Parameters
    ----------
    html : a whole page, its style sheet and pictures inside.
    where : what an error calls the page.

    Raises
    ------
    InputError : the page asks for something outside itself, or has letters that no installed font has.
    """
    made = typeset(html, where=where)
    if made.missing:
        raise no_font(made.missing, where)
    return made.pdf


def typeset(html: str, *, where: str = "the document") -> Typeset:
    """As `to_pdf`, for callers that say themselves which letters are missing."""
    missing: set[int] = set()

    def look(document: Any, _: Any) -> None:
        missing.update(codepoint for font in document.fonts.values() for codepoint in font.missing)

    try:
        page = HTML(string=_STYLE.sub("", html), base_url=_NOWHERE, url_fetcher=_inside_only())
        styles = [_parsed(style) for style in _STYLE.findall(html)]
        pdf = page.write_pdf(finisher=look, font_config=_fonts(), stylesheets=styles, pdf_tags=True)
    except FatalURLFetchingError as error:
        raise InputError(
            "a page must hold all that it shows",
            where=where,
            got=str(error),
            allowed="data: URLs",
            fix="put pictures and styles into the template",
        ) from error
    return Typeset(pdf, "".join(map(chr, sorted(missing))))


def no_font(letters: str, where: str) -> InputError:
    """The error that names letters no installed font has."""
    return InputError(
        "letters that no installed font has",
        where=where,
        got=" ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters),
        fix="install a font that has them, or use html",
    )


@lru_cache(16)
def _parsed(style: str) -> Any:
    """A style sheet, which the pages of a batch share."""
    return CSS(string=style, base_url=_NOWHERE, url_fetcher=_inside_only(), font_config=_fonts())


@cache
def _inside_only() -> Any:
    """Gives what a `data:` URL holds, and refuses every other."""
    return URLFetcher(allowed_protocols=("data",), allow_redirects=False, fail_on_errors=True)


@cache
def _fonts() -> Any:
    """The installed fonts, found once."""
    return FontConfiguration()
