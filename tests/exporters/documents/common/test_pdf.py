"""Pages as PDF: nothing from outside, the same bytes, no letter lost."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest

from scrutable.errors import InputError
from scrutable.plugins.machine import CHINESE_FONT
from scrutable_documents.common.environment import environment
from scrutable_documents.common.pdf import to_pdf, typeset

PAGE = '<html lang="en"><head><title>T</title><style>h1 { color: red }</style></head><body>%s</body></html>'
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


@pytest.mark.parametrize(
    "asking",
    [
        '<img src="file:///etc/hostname">',
        '<img src="relative.png">',
        '<img src="http://127.0.0.1:9/x.png">',
        '<link rel="stylesheet" href="file:///x.css">',
        "<style>@import url(http://127.0.0.1:9/x.css);</style>",
        '<p style="background: url(file:///etc/hostname)">x</p>',
    ],
)
def test_a_page_reaches_nothing_outside_itself(asking: str) -> None:
    with pytest.raises(InputError, match=r"letter 7: a page must hold all that it shows.*data: URLs"):
        to_pdf(PAGE % asking, where="letter 7")


def test_pictures_inside_the_page_are_shown() -> None:
    page = pypdf.PdfReader(io.BytesIO(to_pdf(PAGE % f'<img src="{PIXEL}">'))).pages[0]
    assert len(page.images) == 1


def test_a_page_gives_the_same_bytes_without_a_clock_and_tagged() -> None:
    first, second = (to_pdf(PAGE % "<h1>A</h1><p>Größe, 中文</p>") for _ in range(2))
    assert first == second
    reader = pypdf.PdfReader(io.BytesIO(first))
    assert "/CreationDate" not in (reader.metadata or {})
    assert reader.root_object["/MarkInfo"]["/Marked"]
    assert str(reader.root_object["/Lang"]) == "en"
    text = reader.pages[0].extract_text()
    assert "Größe" in text


def test_fonts_that_fonttools_cuts_carry_no_clock_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weasyprint.pdf.fonts.harfbuzz_subset", None)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    made = []
    for now in (1.0e9, 2.0e9):
        monkeypatch.setattr("fontTools.misc.timeTools.time.time", lambda now=now: now)
        made.append(to_pdf(PAGE % "<p>Größe</p>"))
    assert made[0] == made[1]
    assert "SOURCE_DATE_EPOCH" not in os.environ


def test_a_machine_without_any_font_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig/>")
    code = "from scrutable_documents.common.pdf import to_pdf; to_pdf('<p>A</p>')"
    environment = os.environ | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert "PDF: no font is installed. Fix: on Debian or Ubuntu: apt-get install fonts-dejavu-core." in done.stderr


def test_letters_that_no_font_has_are_named() -> None:
    lost = "\U0001e030\u13a0\uabcd"  # scripts that no font here holds would show as boxes
    made = typeset(PAGE % f"<p>Ann {lost} Lee</p>")
    if not made.missing:
        pytest.skip("the fonts of this machine have even these letters")
    with pytest.raises(InputError, match=r"letters that no installed font has.*U\+"):
        to_pdf(PAGE % f"<p>Ann {lost} Lee</p>")
    assert typeset(PAGE % "<p>Ann Lee\u00a0\u200b\u00ad –</p>").missing == ""


def test_chinese_words_in_an_english_page_have_a_font_of_their_own() -> None:
    style = environment("scrutable_documents.notices").get_template("style.css").render()
    english, chinese = (_fonts(f'<style>{style}</style><ol lang="{language}"><li>A</ol>') for language in ("en", "zh"))
    if not _fonts('<p style="font-family: Noto Sans CJK SC, WenQuanYi Zen Hei, DejaVu Serif">A</p>') - english:
        pytest.skip(f"this machine has no Chinese font: {CHINESE_FONT.command}")
    assert chinese.isdisjoint(english)


def _fonts(body: str) -> set[str]:
    """Fonts of a page's letters, without the mark of the part that is in the file."""
    fonts = pypdf.PdfReader(io.BytesIO(to_pdf(PAGE % body))).pages[0]["/Resources"]["/Font"]
    return {font.get_object()["/BaseFont"].partition("+")[2] for font in fonts.values()}
