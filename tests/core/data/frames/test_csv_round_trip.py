"""Whatever doubles and texts are written to a CSV file are read back bit for bit."""

from __future__ import annotations

import csv
import gzip
import io
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import as_table, read_file
from scrutable.data.frames.csvfile import MISSING, SEPARATORS

ANY_DOUBLE = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0])
DOUBLES = st.lists((st.floats(allow_nan=False) | ANY_DOUBLE).filter(lambda x: x == x), min_size=1, max_size=30)
HOSTILE = st.sampled_from(
    ["'; drop table loans; --", 'a"b""', "\\", "\\n", "a,b;c|d\te", " lead", "trail ", "\r\n", "\n", "\r", "ÿ€😀",
     "1e5", "None", "True", "-", "0x1F", "\ufeff", "\u2028", "=1+1", "#", "\x00", "\x1a", "nan ", "'"]
)  # fmt: skip
TEXTS = st.lists(
    (st.text(st.characters(exclude_categories=["Cs"])) | HOSTILE).filter(lambda text: text.strip(" ") not in MISSING),
    min_size=1,
    max_size=20,
)


def read_back(folder: Path, header: list[str], rows: list[list[str]], separator: str, quoting: int) -> object:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=quoting)
    writer.writerows([header, *rows])
    path = folder / "data.csv.gz"
    path.write_bytes(gzip.compress(text.getvalue().encode(), compresslevel=1))
    return read_file(path, separator=separator, text=["text"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csv")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(doubles=DOUBLES, spelling=st.sampled_from(["r", ".17g", ".30e", ".25f"]), separator=st.sampled_from(SEPARATORS))
def test_doubles(folder: Path, doubles: list[float], spelling: str, separator: str) -> None:
    spelled = [repr(x) if spelling == "r" else format(x, spelling) for x in doubles]
    frame = read_back(folder, ["n", "i"], [[s, "1"] for s in spelled], separator, csv.QUOTE_MINIMAL)
    got = as_table(frame).column("n").values
    expected = np.array([float(s) for s in spelled])
    assert got.tobytes() == expected.tobytes()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(texts=TEXTS, separator=st.sampled_from(SEPARATORS))
def test_texts(folder: Path, texts: list[str], separator: str) -> None:
    frame = read_back(folder, ["text", "i"], [[text, "1"] for text in texts], separator, csv.QUOTE_ALL)
    assert as_table(frame).column("text").values.tolist() == texts
