"""Texts that a frame holds by codes are read as they are, and known as if they had been read as texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from scrutable.data.frames import Column, as_table

TEXTS = ["b", None, "a", "b", "é", "a", None, "d"]


def by_codes(texts: list[str | None]) -> dict[str, Any]:
    dictionary = pa.array(texts, pa.string()).dictionary_encode()
    chunks = pa.chunked_array([dictionary.slice(0, 3), pa.array(texts[3:], pa.string()).dictionary_encode()])
    wide = pa.DictionaryArray.from_arrays(dictionary.indices.cast(pa.int64()), dictionary.dictionary)
    return {
        "pandas": pd.DataFrame({"x": pd.Categorical(texts, categories=["z", "é", "d", "b", "a"])}),
        "arrow": pa.table({"x": dictionary}),
        "arrow in chunks": pa.table({"x": chunks}),
        "arrow, int64": pa.table({"x": wide}),
        "polars": pl.DataFrame({"x": pl.Series(texts, dtype=pl.Categorical)}),
        "polars enum": pl.DataFrame({"x": pl.Series(texts, dtype=pl.Enum(["z", "a", "b", "d", "é"]))}),
    }


@pytest.mark.parametrize("kind", list(by_codes(TEXTS)))
def test_they_are_known_like_texts(kind: str) -> None:
    column = as_table(by_codes(TEXTS)[kind]).column("x")
    assert column.coding.declared
    assert column.values.tolist() == TEXTS
    assert column.take(np.array([7, 1, 0])).values.tolist() == ["d", None, "b"]
    plain = Column("x", "categorical", np.array(TEXTS, dtype=object)).coded
    for rows in (slice(None), slice(4, None), np.array([1, 6])):
        part = column.take(rows)
        expected = Column("x", "categorical", np.array(TEXTS, dtype=object)[rows]).coded
        assert part.coded.levels.tolist() == expected.levels.tolist()
        assert part.coded.levels[part.coded.codes].tolist() == expected.levels[expected.codes].tolist()
    assert column.coded.levels.tolist() == plain.levels.tolist()
    assert not column.coding.declared


def test_dictionaries_that_repeat_a_text_or_hold_none_are_decoded() -> None:
    for texts in (["a", "b", "a"], ["a", None, "b"]):
        odd = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None], pa.int8()), pa.array(texts, pa.string()))
        column = as_table(pa.table({"x": odd})).column("x")
        assert column.values.tolist() == [*texts, None]
        assert not column.coding.declared
