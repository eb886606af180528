"""A page of HTML as a PDF: without network, files or clock, and with every letter there."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from scrutable.errors import InputError, PluginError
from scrutable.plugins import WESTERN_FONT, fonts_for, installation, machine_libraries

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
    PluginError : the machine lacks a library that makes PDF, or any font.
    """
    made = typeset(html, where=where)
    if made.missing:
        raise no_font(made.missing, where)
    return made.pdf


def typeset(html: str, *, where: str = "the document") -> Typeset:
    """Typeset a page as `to_pdf` does, for callers that say themselves which letters are missing."""
    missing: set[int] = set()

    def look(document: Any, _: Any) -> None:
        missing.update(codepoint for font in document.fonts.values() for codepoint in font.missing)

    weasyprint = _library()
    try:
        page = weasyprint.HTML(string=_STYLE.sub("", html), base_url=_NOWHERE, url_fetcher=_inside_only())
        styles = [_parsed(style) for style in _STYLE.findall(html)]
        with _no_clock():
            pdf = page.write_pdf(finisher=look, font_config=_fonts(), stylesheets=styles, pdf_tags=True)
    except weasyprint.urls.FatalURLFetchingError as error:
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
    fonts = fonts_for(letters)
    debian = f", on Debian or Ubuntu: {installation(fonts)}," if fonts else ","
    return InputError(
        "letters that no installed font has",
        where=where,
        got=" ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters),
        fix=f"install a font that has them{debian} or use html",
    )


@cache
def _library() -> Any:
    """WeasyPrint, imported for the first PDF: what the machine lacks for it is no matter for anything else."""
    with machine_libraries("PDF"), redirect_stdout(io.StringIO()):  # it prints advice before it fails
        import weasyprint  # first and alone: a failed import leaves parts, which are no way in for the next one
        import weasyprint.text.fonts
        import weasyprint.urls
    if not _has_fonts():
        raise PluginError("no font is installed", where="PDF", fix=f"on Debian or Ubuntu: {WESTERN_FONT.command}")
    return weasyprint


def _has_fonts() -> bool:
    """Whether there is any font: without one, Pango ends the process."""
    from weasyprint.text.ffi import ffi, fontconfig

    config = ffi.gc(fontconfig.FcInitLoadConfigAndFonts(), fontconfig.FcConfigDestroy)
    return bool(fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem).nfont > 0)


@contextmanager
def _no_clock() -> Iterator[None]:
    """Without HarfBuzz-Subset fontTools cuts the fonts, and writes the time into them unless it is told one."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    try:
        yield
    finally:
        if told is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = told


@lru_cache(16)
def _parsed(style: str) -> Any:
    """A style sheet, which the pages of a batch share."""
    return _library().CSS(string=style, base_url=_NOWHERE, url_fetcher=_inside_only(), font_config=_fonts())


@cache
def _inside_only() -> Any:
    """Gives what a `data:` URL holds, and refuses every other."""
    return _library().urls.URLFetcher(allowed_protocols=("data",), allow_redirects=False, fail_on_errors=True)


@cache
def _fonts() -> Any:
    """The installed fonts, found once."""
    return _library().text.fonts.FontConfiguration()
