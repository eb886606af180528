"""Subsets of tables, and the columns that a model asks for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.frames import Table, as_table, select
from scrutable.errors import InputError, KindError

NAN = float("nan")


def table() -> Table:
    return as_table({"age": [41, None, 17], "job": ["clerk", None, "abc"], "note": [None, None, None]})


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([2, 0, 0]), ["abc", "clerk", "clerk"]),
        (np.array([True, False, True]), ["clerk", "abc"]),
        (slice(1, None), [None, "abc"]),
        (np.array([], dtype=int), []),
    ],
)
def test_subsets(rows: Any, expected: list[Any]) -> None:
    part = table().subset(rows)
    assert part.names == ("age", "job", "note")
    assert part.n_rows == len(expected)
    assert part.column("job").values.tolist() == expected


def test_a_subset_keeps_kinds_even_without_values() -> None:
    part = table().subset(np.array([1]))
    assert [part.column(name).kind for name in part] == ["numeric", "categorical", "empty"]
    codes = as_table(pd.DataFrame({"c": pd.Categorical([1, 2])})).subset(np.array([1])).column("c")
    assert (codes.nominal, codes.values.tolist()) == (True, [2.0])


def test_subsets_of_subsets() -> None:
    part = table().subset(np.array([2, 1, 0])).subset(np.array([0, 2]))
    assert part.column("age").values.tolist() == [17, 41]


def test_tables_can_be_sent_to_other_processes() -> None:
    part = pickle.loads(pickle.dumps(table().subset(np.array([2]))))
    assert part.column("job").values.tolist() == ["abc"]


def test_membership_and_text() -> None:
    assert "age" in table()
    assert "AGE" not in table()
    assert repr(table()) == "Table(3 rows: 'age', 'job', 'note')"


def test_select_returns_what_was_asked_for_in_that_order() -> None:
    chosen = select(table(), [("job", "categorical"), ("age", "numeric")])
    assert list(chosen) == ["job", "age"]
    assert chosen["job"].values.tolist() == ["clerk", None, "abc"]


def test_an_empty_column_passes_as_either_kind() -> None:
    number = select(table(), [("note", "numeric")])["note"]
    np.testing.assert_array_equal(number.values, [NAN, NAN, NAN])
    assert (number.kind, number.values.dtype) == ("numeric", np.float64)
    text = select(table(), [("note", "categorical")])["note"]
    assert (text.kind, text.values.tolist()) == ("categorical", [None, None, None])


def test_text_where_numbers_were_fitted() -> None:
    with pytest.raises(KindError) as caught:
        select(as_table({"age": [None, "abc"]}), [("age", "numeric")])
    assert str(caught.value) == (
        "column 'age': numbers when the model was fitted, text now; got 'abc'; allowed: numbers or missing. "
        "Fix: convert the column to numbers as it was for fitting, or fit the model anew."
    )


def test_numbers_where_text_was_fitted() -> None:
    with pytest.raises(KindError, match=r"column 'job': text when the model was fitted, numbers now; got 3\.0; "):
        select(as_table({"job": [None, 3]}), [("job", "categorical")])


def test_another_kind_without_any_value() -> None:
    both = as_table({"age": pd.Series([None], dtype="str"), "job": pd.Series([None], dtype="Int64")})
    found = select(both, [("age", "numeric"), ("job", "categorical")])
    assert np.isnan(found["age"].values).all()
    assert found["job"].values.tolist() == [None]


def test_missing_columns_are_all_named_with_the_closest_known() -> None:
    with pytest.raises(InputError) as caught:
        select(table(), [("agee", "numeric"), ("job", "categorical"), ("income", "numeric")])
    assert str(caught.value) == (
        "column 'agee': missing column, not among the 3 of the data; also missing: 'income'; allowed: did you mean "
        "'age'?. Fix: add the column, or give it the name that is expected."
    )


def test_an_unknown_column_of_a_table() -> None:
    with pytest.raises(InputError, match=r"column 'jobb': missing column.*did you mean 'job'"):
        table().column("jobb")


def test_columns_that_nobody_asks_for_may_be_anything() -> None:
    frame = pd.DataFrame({"age": [1.0], "when": pd.to_datetime(["2024-01-01"])})
    assert list(select(as_table(frame), [("age", "numeric")])) == ["age"]
