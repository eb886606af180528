"""Columns that are gathered from blocks are those of a frame of the whole file, or the file is left to who reads it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrutable.data.gathering import gathered

from scrutable.data import ReadingConfig, gathering
from scrutable.data.frames import arrow_csv
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
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_csv, "_BLOCK", 64)
    monkeypatch.setattr(gathering, "_ROWS", 5)


def outcome(read: Any) -> Any:
    """What is read, or that something is told of or refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return read()
        except (ScrutableError, DoubtfulError, Warning) as error:
            return error


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_columns_are_those_of_the_whole_file(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    some = data.draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=4, unique=True))
    rows = data.draw(
        st.lists(st.tuples(st.sampled_from(some), st.sampled_from(["a", "b", ""])), min_size=1, max_size=30)
    )
    file = tmp_path_factory.mktemp("files") / "rows.csv"
    lines = [f"{row},{cell if ',' not in cell else repr(cell)},{job},x" for row, (cell, job) in enumerate(rows)]
    file.write_text("\n".join(["age,target,job,unread", *lines, ""]).replace("'", '"'))
    told = ReadingConfig()
    whole = outcome(lambda: read_rows(file, told, text=["job"], numbers=["age"]))
    blocks = outcome(lambda: gathered(file, told, text=["job"], numbers=["age"], others=["target", "job"]))
    if isinstance(blocks, Exception):
        return
    assert isinstance(whole, pd.DataFrame), (whole, blocks)
    table, frame = blocks
    pd.testing.assert_frame_equal(frame, whole[["target", "job"]])
    assert table.column("age").values.tolist() == whole["age"].tolist()
    assert table.names == ("job", "age")


@pytest.mark.parametrize("cells", [["1", "0"], ["1", "", "0"], ["yes", "no", ""], ["18-25", "60+"], ["2.5", "1"]])
def test_usual_columns_are_gathered(cells: list[str], tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("age,target\n" + "".join(f"{row},{cells[row % len(cells)]}\n" for row in range(40)))
    _, frame = gathered(file, ReadingConfig(), text=[], numbers=["age"], others=["target"])
    pd.testing.assert_frame_equal(frame, read_rows(file, ReadingConfig())[["target"]])


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
    table, frame = gathered(file, ReadingConfig(), text=["job"], numbers=["age"], others=others)
    pd.testing.assert_frame_equal(frame, read_rows(file, ReadingConfig())[others])
    assert table.column("job").values.tolist() == ["cook", None, "clerk"] * 4
