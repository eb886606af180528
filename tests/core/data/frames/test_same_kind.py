"""Frames of the kind that went in."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scrutable.data.frames import as_table
from scrutable.data.frames.same_kind import as_pandas, kind_of, like

ROWS = pd.DataFrame({"n": [1, 2], "share": [0.5, None], "name": ["a", None], "told": [True, False]})


@pytest.mark.parametrize("make", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas])
def test_a_frame_goes_there_and_back(make: Any) -> None:
    made = make(ROWS)
    back = like(ROWS, kind_of(made))
    assert type(back) is type(made)
    assert as_pandas(back).isna().equals(ROWS.isna())
    for name in ROWS:
        assert as_table(back).column(name).values.tolist() == pytest.approx(
            as_table(ROWS).column(name).values.tolist(), nan_ok=True
        )


@pytest.mark.parametrize("data", ["loans.csv", {"n": [1]}, as_table({"n": [1]}), 3, None])
def test_what_is_no_frame_gives_frames_of_pandas(data: Any) -> None:
    assert kind_of(data).is_pandas()


def test_a_frame_of_no_rows_is_one_of_its_kind() -> None:
    assert like(ROWS[:0], kind_of(pl.DataFrame())).columns == list(ROWS)
