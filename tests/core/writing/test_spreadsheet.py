"""CSV for spreadsheets: no text is a formula, and every text and number reads back."""

from __future__ import annotations

import csv
import io
import re
import sys
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrutable.writing.spreadsheet import csv_of, csv_text, reads_as_formula

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
#: Texts that begin with what may be trimmed or made another letter.
LEADING = st.text(st.sampled_from("\n\r\t \v\u00a0\u200b\ufeff\u202e\u3000\x85'=+-@\uff1d\ufe62\u207b\uff20A1.\""))


def is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", text, re.I) is not None


def is_formula(cell: str) -> bool:
    """What a program takes it for that trims the cell, reads letters as their plain forms and goes on from there."""
    plain = unicodedata.normalize("NFKC", cell)
    kept = plain.lstrip("".join(each for each in set(plain) if unicodedata.category(each)[0] in "CZ"))
    return kept.startswith(("=", "+", "-", "@")) and not is_number(cell)


@given(st.lists(st.builds(str.__add__, LEADING, TEXTS), min_size=1, max_size=5))
@example(["\n=1+1", "\uff1d1+1", "\ufeff \u3000\u207b1", "=\u0338", "\r"])
@example(["-5", "+1e5", "-.5", "-", "+-1", "-1-1"])
@settings(deadline=None)
def test_no_text_in_a_csv_file_is_a_formula(texts: list[str]) -> None:
    frame = pd.DataFrame({"\uff1did": texts, "score": np.arange(len(texts)) - 2.5})
    header, *rows = csv.reader(io.StringIO(csv_text(frame), newline=""))
    assert header == ["'\uff1did", "score"]
    assert not [row for row in rows if is_formula(row[0]) or row[0].startswith(("\n", "\r", "\t"))]
    assert [row[0] for row in rows] == [f"'{text}" if reads_as_formula(text) else text for text in texts]
    assert [float(row[1]) for row in rows] == frame["score"].tolist()


def test_what_begins_or_precedes_a_formula_is_told_by_its_properties() -> None:
    for each in map(chr, range(sys.maxunicode + 1)):
        plain, category = unicodedata.normalize("NFKC", each), unicodedata.category(each)
        if plain == each > "\x7f" and category in ("Cn", "Co", "Lo", "So"):
            continue  # half of all there are, and nothing becomes of them
        separates = unicodedata.bidirectional(each) in ("B", "S")
        assert reads_as_formula(f"{each}x") is (plain[0] in "=+-@" or separates), ascii(each)
        if category[0] in "CZ":
            assert reads_as_formula(f"{each}=1"), ascii(each)


@pytest.mark.parametrize(
    "text", ["", "A=1", "a@b.c", "-17", "+4.5e-3", "'=1", "< 0 DM", "\u2264 5", "\u200bnone", "\x01"]
)
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert csv_text(pd.DataFrame({"id": [text, "x"]})) == f"id\n{text or chr(34) * 2}\nx\n"


@given(
    st.lists(
        st.tuples(
            st.floats(),
            st.integers(-(2**63), 2**63 - 1),
            st.none() | st.sampled_from(["=1+1", "A-17", "", "a\rb", 'say "so"', "1,5", "größe\n"]),
        ),
        min_size=1,
    ),
    st.sampled_from(["id", "=id", "a\rb"]),
)
def test_columns_are_written_as_their_frame_is(rows: list[tuple[float, int, str | None]], name: str) -> None:
    scores, counts, texts = zip(*rows, strict=True)
    columns = {"score": np.array(scores), "approved": np.array(counts), name: np.array(texts, dtype=object)}
    assert csv_of(columns) == csv_text(pd.DataFrame(columns))


def test_columns_of_other_values_are_written_as_their_frame_is() -> None:
    days = np.array(["2020-01-31", "NaT"], dtype="datetime64[D]")
    columns = {"id": np.array([1, "=1"], dtype=object), "at": days, "ok": np.array([True, False])}
    assert csv_of(columns) == csv_text(pd.DataFrame(columns)) == "id,at,ok\n1,2020-01-31,True\n'=1,,False\n"
