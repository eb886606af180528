"""What is shown of any text: letters of every script as they are, and nothing that steers what shows it."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrutable.writing.visible_text import LAYOUT, escaped_in_json, visible

STEERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "B", "S"}
NO_CHARACTERS = {chr(plane * 0x10000 + end) for plane in range(17) for end in (0xFFFE, 0xFFFF)}
NO_CHARACTERS |= set(map(chr, range(0xFDD0, 0xFDF0)))
PERSIAN = "می\u200cروم"
HINDI = "क्\u200dष"


def steers(character: str) -> bool:
    """Whether it is a control, a mark of direction, a separator of lines, half a character or none."""
    unseen = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return unseen or unicodedata.bidirectional(character) in STEERING or character in NO_CHARACTERS


def test_every_code_point_is_shown_or_escaped() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert visible(every, how=lambda _: "") == "".join(each for each in every if not steers(each))


@given(st.text(st.characters()))
@example(f"{PERSIAN}\u202e{HINDI}\u200d\u200d")
@example("ب\u0650\u200cب\u200c")
def test_what_is_shown_steers_nothing_and_stays_the_same(text: str) -> None:
    shown = visible(text)
    assert not any(steers(each) for each in shown.replace("\u200c", "").replace("\u200d", ""))
    assert visible(shown) == shown
    kept = visible(text, keep=LAYOUT)
    assert kept.replace("\n", "\\n").replace("\t", "\\t") == shown


@given(st.text(st.characters()))
def test_json_that_is_made_visible_says_the_same(text: str) -> None:
    written = visible(json.dumps([text], ensure_ascii=False), how=escaped_in_json)
    assert json.loads(written) == [text]
    assert not any(map(steers, written.replace("\u200c", "").replace("\u200d", "")))


WORDS = ["دخل شهري: ١٢٣", "הכנסה (חודשית)", PERSIAN, HINDI, "Größe\u00a0(m²)", "収入\u3000月", "\U00031350\ue000"]


@pytest.mark.parametrize("text", WORDS)
def test_words_of_every_script_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["in\u200ccome", "\u200cب", "ب\u200c", "ب\u200d\u200dب", "ب\u061cب"])
def test_what_is_hidden_between_letters_is_shown(text: str) -> None:
    assert "\\u" in visible(text)
