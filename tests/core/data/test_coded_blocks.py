"""Columns that come in blocks are those of a frame of the whole file, or the file is left to who reads it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data import ReadingConfig, coded_blocks
from scrutable.data.coded_blocks import CodedBlocks
from scrutable.data.frames import arrow_csv, thousands
from scrutable.data.frames.missing_words import MissingWordsWarning
from scrutable.data.reading import read_rows
from scrutable.errors import ScrutableError
from scrutable.writing.csv_blocks import DoubtfulError

CELLS = ["", "NA", "1", "0", "2.5", "1.0", "007", "1e3", "true", "False", "inf", "yes", "no", "18-25", "60+", "5 %"]
CELLS += [
    "$5",
    "none",
    "2020-01-31",
    "1,5",
    " 3",
    " x",
    '"a\nb"',
    "999999999999999",
    "0.8765000000000001",
    "0.12345678901234567",
    "-4",
    "nan",
    "+1",
    "-0",
    "5,",
    "1,6E3",
    "1.600",
    "2,000",
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_csv, "_BLOCK", 64)
    monkeypatch.setattr(coded_blocks, "_ROWS", 5)
    for module in (arrow_csv, thousands):
        monkeypatch.setattr(module, "SAMPLED", 4)


def outcome(read: Any) -> Any:
    """What is read, or that something is told of or refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return read()
        except (ScrutableError, DoubtfulError, Warning) as error:
            return error


def joined(file: Path, *, coded: list[str], **asked: list[str]) -> tuple[dict[str, list[Any]], pd.DataFrame]:
    """What models read, and a frame of the coded columns, of all blocks."""
    blocks = CodedBlocks(file, ReadingConfig(), coded=coded, **asked)
    columns: dict[str, list[Any]] = {}
    places: dict[str, list[int]] = {name: [] for name in coded}
    for block in blocks:
        for name in block.table:
            columns.setdefault(name, []).extend(block.table.column(name).values.tolist())
        for name in coded:
            places[name] += block.places[name].tolist()
    return columns, pd.DataFrame({name: blocks.values(name).take(places[name]) for name in coded})


def test_amounts_and_lists_of_texts(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("age,w,when\n" + "".join(f"{row},{row / 4},2026-0{1 + row % 3}\n" for row in range(12)))
    found = list(CodedBlocks(file, ReadingConfig(), text=[], numbers=["age"], amounts=["w"], listed=["when"]))
    assert len(found) > 1
    assert np.concatenate([block.amounts["w"] for block in found]).tolist() == [row / 4 for row in range(12)]
    texts = [block.listed["when"][0][place] for block in found for place in block.listed["when"][1]]
    assert texts == [f"2026-0{1 + row % 3}" for row in range(12)]
    file.write_text(file.read_text() + "1,heavy,2026-01\n")
    with pytest.raises(DoubtfulError):
        list(CodedBlocks(file, ReadingConfig(), text=[], numbers=["age"], amounts=["w"]))


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_columns_are_those_of_the_whole_file(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    some = data.draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=4, unique=True))
    rows = data.draw(
        st.lists(st.tuples(st.sampled_from(some), st.sampled_from(["a", "b", ""])), min_size=1, max_size=30)
    )
    file = tmp_path_factory.mktemp("files") / "rows.csv"
    separator = data.draw(st.sampled_from(",;"))
    written = [(cell if separator not in cell else f'"{cell}"', job) for cell, job in rows]
    lines = [separator.join([str(row), cell, job, "x"]) for row, (cell, job) in enumerate(written)]
    file.write_text("\n".join([separator.join(["age", "target", "job", "unread"]), *lines, ""]))
    told = ReadingConfig()
    whole = outcome(lambda: read_rows(file, told, text=["job"], numbers=["age"]))
    blocks = outcome(lambda: joined(file, text=["job"], numbers=["age"], coded=["target", "job"]))
    if isinstance(blocks, Exception):
        return
    assert isinstance(whole, pd.DataFrame), (whole, blocks)
    columns, frame = blocks
    pd.testing.assert_frame_equal(frame, whole[["target", "job"]])
    assert columns["age"] == whole["age"].tolist()
    assert list(columns) == ["job", "age"]


@pytest.mark.parametrize("cells", [["1", "0"], ["1", "", "0"], ["yes", "no", ""], ["18-25", "60+"], ["2.5", "1"]])
def test_usual_columns_come_in_blocks(cells: list[str], tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("age,target\n" + "".join(f"{row},{cells[row % len(cells)]}\n" for row in range(40)))
    _, frame = joined(file, text=[], numbers=["age"], coded=["target"])
    pd.testing.assert_frame_equal(frame, read_rows(file, ReadingConfig())[["target"]])


@pytest.mark.parametrize("word", ["NA", " N/A", '"NULL"'])
def test_words_for_nothing_are_told_of_by_who_reads_the_whole_file(tmp_path: Path, word: str) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("age,target\n" + "".join(f"{row},{['yes', word, 'no'][row % 3]}\n" for row in range(40)))
    told = outcome(lambda: read_rows(file, ReadingConfig()))
    assert isinstance(told, MissingWordsWarning)
    assert isinstance(outcome(lambda: joined(file, text=[], numbers=["age"], coded=["target"])), DoubtfulError)
    declared = ReadingConfig(missing=(word.strip(' "'),))
    blocks = CodedBlocks(file, declared, text=[], numbers=["age"], coded=["target"])
    places = np.concatenate([block.places["target"] for block in blocks])
    assert pd.isna(blocks.values("target").take(places)).sum() == 13


def test_parquet_files_say_their_kinds(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    whole = pd.DataFrame(
        {
            "age": np.arange(12, dtype=np.int64),
            "job": ["cook", None, "clerk"] * 4,
            "paid": np.arange(12) % 2,
            "share": [0.5, np.nan, 1.0] * 4,
            "sex": ["f", "m", None] * 4,
        }
    )
    whole.to_parquet(file, index=False)
    others = ["paid", "share", "sex", "job"]
    columns, frame = joined(file, text=["job"], numbers=["age"], coded=others)
    pd.testing.assert_frame_equal(frame, read_rows(file, ReadingConfig())[others])
    assert columns["job"] == ["cook", None, "clerk"] * 4
