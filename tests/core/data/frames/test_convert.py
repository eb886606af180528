"""Arrays, lists and dicts as tables, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from scrutable.data.frames import as_table
from scrutable.data.frames.column import Column, from_array
from scrutable.errors import InputError, KindError

NAN = float("nan")


@pytest.mark.parametrize("path", ["loans.csv", Path("loans.csv")])
def test_a_path_is_no_table(path: Any) -> None:
    with pytest.raises(
        InputError, match=r"^a path or a text where rows are expected; got 'loans\.csv'.*Fix: read the file"
    ):
        as_table(path)


def test_a_table_is_returned_as_it_is() -> None:
    table = as_table({"a": [1]})
    assert as_table(table) is table


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8", "uint64", "bool", "longdouble"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numeric_arrays(dtype: str, order: Any) -> None:
    table = as_table(np.array([[1, 0], [0, 1]], dtype=dtype, order=order))
    assert table.names == ("x0", "x1")
    assert [table.column(name).values.tolist() for name in table.names] == [[1.0, 0.0], [0.0, 1.0]]
    assert {table.column(name).values.dtype for name in table.names} == {np.dtype("float64")}


def test_object_arrays_may_hold_numbers_in_one_column_and_text_in_another() -> None:
    array = np.array([[1, "a", True, Decimal("0.1")], [None, None, pd.NA, NAN], [2.5, "b", False, 3]], dtype=object)
    table = as_table(array, names=["n", "t", "b", "d"])
    np.testing.assert_array_equal(table.column("n").values, [1, NAN, 2.5])
    assert table.column("t").values.tolist() == ["a", None, "b"]
    np.testing.assert_array_equal(table.column("b").values, [1, NAN, 0])
    np.testing.assert_array_equal(table.column("d").values, [0.1, NAN, 3])


@pytest.mark.parametrize("dtype", [None, "T", object])
def test_text_arrays(dtype: Any) -> None:
    column = as_table(np.array([["a", "b "]], dtype=dtype)).column("x1")
    assert (column.kind, column.values.tolist()) == ("categorical", ["b "])
    assert type(column.values[0]) is str


def test_subclasses_of_str_become_plain_texts() -> None:
    column = as_table({"c": [np.str_("a"), "b"]}).column("c")
    assert [type(value) for value in column.values] == [str, str]


def test_lists_of_rows_keep_numbers_and_text_apart() -> None:
    table = as_table([[1, "a"], [None, "1"]])
    np.testing.assert_array_equal(table.column("x0").values, [1, NAN])
    assert table.column("x1").values.tolist() == ["a", "1"]


def test_a_list_inside_a_row_is_refused_as_a_value() -> None:
    table = as_table([[1, [2, 3]], [4, 5]])
    assert table.column("x0").values.tolist() == [1, 4]
    with pytest.raises(KindError, match=r"column 'x1': each argument must be a string or a number; got \[2, 3\]"):
        table.column("x1")


def test_rows_may_be_arrays() -> None:
    assert as_table([np.array([1.0, 2.0]), np.array([3.0, 4.0])]).column("x1").values.tolist() == [2, 4]


def test_masked_values_are_missing() -> None:
    array = np.ma.MaskedArray([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(as_table(array).column("x1").values, [NAN, 4])


def test_anything_that_offers_an_array_is_read() -> None:
    class Arraylike:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([[1.0, 2.0]])

    assert as_table(Arraylike()).column("x1").values.tolist() == [2.0]


def test_columns_are_read_only_but_the_data_given_is_not() -> None:
    array = np.array([1.0, 2.0])
    column = as_table({"a": array}).column("a")
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 5
    array[0] = 7.0
    assert array.flags.writeable


def test_integer_names_become_text() -> None:
    assert as_table(pd.DataFrame(np.zeros((1, 3)))).names == ("0", "1", "2")
    assert as_table(pd.DataFrame([[1, 2]], columns=[7, 3])).column("3").values.tolist() == [2.0]
    assert as_table({1: [5], 0: [6]}).column("0").values.tolist() == [6.0]


@pytest.mark.parametrize("names", [["a", 1], [1.5, 2.5], [("a", 1), ("a", 2)], [True, False], [None, "a"]])
def test_other_names_are_refused(names: list[Any]) -> None:
    with pytest.raises(InputError, match=r"column names: names must be all text or all integers; got .*map\(str\)"):
        as_table(pd.DataFrame([[1, 2]], columns=pd.Index(names, dtype=object)))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.Table.from_arrays([pa.array([1])] * 3, names=["a", "b", "a"]),
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]).convert_dtypes(),
    ],
)
def test_duplicate_names_are_named(frame: Any) -> None:
    with pytest.raises(InputError, match=r"column names: duplicate column names: 'a'; .*Fix: rename or drop"):
        as_table(frame)


def test_names_must_fit_the_array() -> None:
    with pytest.raises(InputError, match=r"X has 1 features, but \w+ is expecting 2 features as input"):
        as_table(np.zeros((3, 1)), names=["a", "b"])
    with pytest.raises(InputError, match="duplicate column names: 'a'"):
        as_table(np.zeros((3, 2)), names=["a", "a"])


@pytest.mark.parametrize("lazy", [pl.LazyFrame({"a": [1]}), pl.DataFrame({"a": [1]}).lazy()])
def test_lazy_frames_are_refused(lazy: Any) -> None:
    with pytest.raises(InputError, match=r"a lazy frame has no values yet; .*Fix: call collect\(\) on it first"):
        as_table(lazy)


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.coo_array])
def test_sparse_matrices_are_refused(make: Any) -> None:
    with pytest.raises(TypeError, match=r"sparse data is not supported.*toarray"):
        as_table(make(np.eye(2)))


@pytest.mark.parametrize("data", [np.array([[1j]]), [[1j, 2]]])
def test_complex_data_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="Complex data not supported"):
        as_table(data).column("x0")


@pytest.mark.parametrize("data", [np.ones(3), [1, 2], pd.Series([1]), pl.Series([1]), 5, None, [[1, 2], 3]])
def test_anything_but_two_dimensions_is_refused(data: Any) -> None:
    with pytest.raises(InputError, match=r"Expected 2D array, got .*Reshape your data"):
        as_table(data)


def test_three_dimensions_are_refused() -> None:
    with pytest.raises(InputError, match="Found array with dim 3"):
        as_table(np.zeros((1, 1, 1)))


@pytest.mark.parametrize(
    "data", [np.zeros((0, 2)), pd.DataFrame({"a": [], "b": []}), pl.DataFrame({"a": [], "b": []}), {"a": [], "b": []}]
)
def test_no_rows_are_refused(data: Any) -> None:
    with pytest.raises(InputError, match=r"0 sample\(s\) \(shape=\(0, 2\)\) while a minimum of 1 is required\."):
        as_table(data)


@pytest.mark.parametrize("data", [np.zeros((3, 0)), pd.DataFrame(index=[1, 2, 3])])
def test_no_columns_are_refused(data: Any) -> None:
    with pytest.raises(InputError, match=r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required\."):
        as_table(data)


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match=r"rows of different lengths; got \[1, 2\]"):
        as_table([[1, 2], [3]])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="column 'b': columns of different lengths; got 1; allowed: 2 values"):
        as_table({"a": [1, 2], "b": [1]})


@pytest.mark.parametrize("values", ["text", 5, {"x": 1}, {1, 2}, np.zeros((2, 2)), np.float64(1.0)])
def test_a_column_of_a_dict_must_be_one_dimensional(values: Any) -> None:
    with pytest.raises(InputError, match="column 'a': a column must be one-dimensional"):
        as_table({"a": values})


@pytest.mark.parametrize("number", [3, 2.5, True, Decimal("1.5"), np.float32(2), np.int8(1)])
def test_text_and_numbers_in_one_column_are_refused(number: Any) -> None:
    plain = number.item() if isinstance(number, np.generic) else number
    with pytest.raises(KindError) as caught:
        as_table({"a": [None, number, "abc", number]}).column("a")
    assert str(caught.value) == (
        f"column 'a': text and numbers in one column; got {('abc', plain)!r}; allowed: numbers or text, any of them "
        "missing. Fix: make every value a number, or make every value text, for example with .astype(str)."
    )


def test_other_objects_are_refused_in_the_words_that_scikit_learn_checks_for() -> None:
    array = np.ones((2, 2), dtype=object)
    array[0, 0] = {"foo": "bar"}
    with pytest.raises(TypeError, match=r"argument must be .* string.* number"):
        as_table(array).column("x0")
    assert as_table(array).column("x1").values.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("array", [np.array([["2024-01-01"]], dtype="M8[D]"), np.array([[1]], dtype="m8[s]")])
def test_dates_in_arrays_are_refused(array: Any) -> None:
    with pytest.raises(KindError, match="column 'x0': each argument must be a string or a number; got dtype"):
        as_table(array).column("x0")


def test_integers_beyond_every_double_are_refused() -> None:
    with pytest.raises(InputError, match="column 'a': a number is too large for an IEEE double"):
        as_table({"a": [10**400, 1]}).column("a")


def test_only_the_columns_asked_for_are_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = Column.__init__

    def counted(column: Column, name: str, *rest: Any) -> None:
        made.append(name)
        make(column, name, *rest)

    monkeypatch.setattr(Column, "__init__", counted)
    table = as_table(pd.DataFrame({"a": [1.0], "b": ["x"], "c": [{}]}))
    assert made == []
    assert table.column("b") is table.column("b")
    assert made == ["b"]


def test_half_a_character_is_not_its_own_escape() -> None:
    """pandas takes texts that UTF-8 cannot hold for their escapes where no value is missing."""
    texts = ["'\\ud800'", "\ud800", "good", "good\0x", "'\\ud800'"]
    for values in (texts, [*texts, None], ["\ud800"]):
        column = from_array("g", np.array(values, dtype=object))
        assert column.coded.levels[column.coded.codes].tolist() == values
    assert from_array("g", np.array([*texts, None], dtype=object)).encodable.tolist() == [True, False, *[True] * 4]
