"""Whatever a value is, TOML reads back what was written."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.writing.toml import toml_key, toml_value

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(TEXTS, PLAIN)
def test_what_is_written_is_read_back(key: str, value: Any) -> None:
    assert tomllib.loads(f"{toml_key(key)} = {toml_value(value)}") == {key: value}


def test_what_is_no_number_is_read_back_as_none() -> None:
    assert math.isnan(tomllib.loads(f"x = {toml_value(math.nan)}")["x"])


@pytest.mark.parametrize("value", [None, "\ud800", {1}, [object()]])
def test_what_toml_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="a TOML file cannot hold the value"):
        toml_value(value)
