"""Blocks of CSV are what all rows at once are."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrutable.writing.csv_blocks import CsvRows, DoubtfulError, csv_rows
from scrutable.writing.spreadsheet import csv_of

DOUBLES = st.one_of(st.floats(allow_nan=True), st.integers(-(10**17), 10**17).map(float), st.sampled_from([0.0, 1e10]))
TEXTS = st.one_of(st.none(), st.text(), st.sampled_from(["", "=1+1", 'say "hi"', "a,b", " x", "two\nlines", "-17"]))


@given(st.lists(st.tuples(DOUBLES, TEXTS, TEXTS), min_size=1, max_size=30))
@example([(value, "x", None) for value in (-0.0, 0.0, 1e-4, 9.999999e-5, 9999999999.0, 1e10, 5e-324, 1e22, 1e16, -1e9)])
def test_rows_are_those_of_csv_of(rows: list[tuple[float, str | None, str | None]]) -> None:
    numbers, texts, codes = zip(*rows, strict=True)
    columns = {"number": np.array(numbers), "text": np.array(texts, object), "code": np.array(codes, object)}
    whole = {"number": pa.array(columns["number"]), "text": pa.array(texts, pa.string())}
    arrays = {**whole, "code": pa.array(codes, pa.string()).dictionary_encode()}
    file = io.BytesIO()
    if any("\r" in (text or "") for text in (*texts, *codes)):
        with pytest.raises(DoubtfulError):
            csv_rows(arrays)
        return
    with CsvRows(file) as written:
        for start in range(0, len(rows), 7):
            written.write({name: array.slice(start, 7) for name, array in arrays.items()})
    assert file.getvalue().decode() == csv_of(columns)


def test_numbers_that_come_often_keep_the_sign_of_zero() -> None:
    values = np.array([0.0, -0.0] * 40)
    rows = {"number": pa.array(values), "listed": pa.DictionaryArray.from_arrays([0, 1] * 40, pa.array([0.0, -0.0]))}
    assert bytes(csv_rows(rows)).decode() == "0.0,0.0\n-0.0,-0.0\n" * 40


def test_columns_that_stand_side_by_side_are_written_each_with_its_own_cell() -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{i}": rng.integers(0, size, 500).astype(float) for i, size in enumerate([2, 100, 100, 3, 70, 7])}
    arrays = {name: pa.array(values) for name, values in columns.items()}
    assert bytes(csv_rows(arrays)).decode() == csv_of(columns).partition("\n")[2]
