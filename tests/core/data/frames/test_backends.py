"""The same content in pandas, Polars and PyArrow gives the same table."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import narwhals as nw
import narwhals.stable.v2 as stable
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.frames import Column, as_table
from scrutable.errors import InputError, KindError

NAN = float("nan")
INF = float("inf")


def pandas_arrow(values: list[Any], kind: pa.DataType) -> pd.DataFrame:
    return pd.DataFrame({"c": pd.array(pa.array(values, kind), dtype=pd.ArrowDtype(kind))})


def column(frame: Any) -> Column:
    return as_table(frame).column("c")


def check(frame: Any, kind: str, values: list[Any], *, nominal: bool = False) -> None:
    got = column(frame)
    assert (got.name, got.kind, got.nominal) == ("c", kind, nominal)
    if kind == "numeric":
        assert got.values.dtype == np.float64
        expected, there = np.array(values, dtype=float), ~np.isnan(got.values)
        np.testing.assert_array_equal(got.values, expected)
        # the sign of a NaN means nothing
        np.testing.assert_array_equal(np.signbit(got.values)[there], np.signbit(expected)[there])
    else:
        assert got.values.dtype == object
        assert got.values.tolist() == values
        assert {type(value) for value in got.values.tolist()} <= {str, type(None)}
    assert got.missing.tolist() == [value is None or value != value for value in values]


def everywhere(values: list[Any], arrow: pa.DataType, polars: Any, *pandas: Any) -> list[Any]:
    """The values in every backend: as the Arrow type, as the Polars type, and as each pandas dtype."""
    frames = [
        pa.table({"c": pa.array(values, arrow)}),
        pl.DataFrame({"c": pl.Series(values, dtype=polars)}),
        pandas_arrow(values, arrow),
    ]
    return frames + [pd.DataFrame({"c": pd.Series(values, dtype=dtype)}) for dtype in pandas]


def test_booleans_are_zero_and_one() -> None:
    for frame in everywhere([True, None, False], pa.bool_(), pl.Boolean, "boolean", object):
        check(frame, "numeric", [1, NAN, 0])
    check(pd.DataFrame({"c": [True, False]}), "numeric", [1, 0])


@pytest.mark.parametrize(
    ("bits", "largest"), [("int8", 127), ("int64", 2**63 - 1), ("uint64", 2**64 - 1), ("uint16", 2**16 - 1)]
)
def test_integers_become_the_nearest_double_and_null_becomes_nan(bits: str, largest: int) -> None:
    polars = getattr(pl, bits.replace("i", "I").replace("uI", "UI"))
    pandas = bits.replace("i", "I").replace("uI", "UI")
    for frame in everywhere([3, None, largest], getattr(pa, bits)(), polars, pandas):
        check(frame, "numeric", [3, NAN, float(largest)])
    check(pd.DataFrame({"c": np.array([3, largest], dtype=bits)}), "numeric", [3, float(largest)])


def test_integers_of_128_bits() -> None:
    check(pl.DataFrame({"c": pl.Series([2**70 + 1, None], dtype=pl.Int128)}), "numeric", [float(2**70), NAN])


def test_floats_keep_infinities_and_signed_zeros() -> None:
    values = [0.1, None, INF, -INF, -0.0]
    for frame in everywhere(values, pa.float64(), pl.Float64, "Float64", "float64", object):
        check(frame, "numeric", [0.1, NAN, INF, -INF, -0.0])


def test_a_nan_inside_a_nullable_float_is_missing_too() -> None:
    for frame in everywhere([1.5, NAN, None], pa.float64(), pl.Float64, "Float64"):
        check(frame, "numeric", [1.5, NAN, NAN])


def test_float32_is_widened_exactly() -> None:
    wide = float(np.float32(0.1))
    for frame in everywhere([wide, None], pa.float32(), pl.Float32, "Float32", "float32"):
        check(frame, "numeric", [wide, NAN])
    assert wide != 0.1


def test_decimals_become_the_nearest_double() -> None:
    # Neither scaling the unscaled integer nor rounding it first gives the nearest double of this one.
    values = [Decimal("1234567890123456789.987654321"), None, Decimal("0.100000000")]
    for frame in everywhere(values, pa.decimal128(38, 9), pl.Decimal(38, 9), object):
        check(frame, "numeric", [1234567890123456789.987654321, NAN, 0.1])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20)))
def test_decimals_equal_pythons_own_conversion(decimals: list[Decimal]) -> None:
    values = [*decimals, Decimal("1.000000000")]
    for frame in everywhere(values, pa.decimal128(38, 9), pl.Decimal(38, 9)):
        check(frame, "numeric", [float(value) for value in values])


TEXTS = ["b", " a ", "", None, "ä\n", "A", "NA", "nan"]


def test_texts_are_kept_exactly() -> None:
    dtypes = ("str", object, "string[python]", "string[pyarrow]")
    for frame in everywhere(TEXTS, pa.string(), pl.String, *dtypes):
        check(frame, "categorical", TEXTS)
    check(pa.table({"c": pa.array(TEXTS, pa.large_string())}), "categorical", TEXTS)
    check(pa.table({"c": pa.array(TEXTS, pa.string_view())}), "categorical", TEXTS)


def test_categories_of_text() -> None:
    dictionary = pa.array(TEXTS).dictionary_encode()
    known = [text for text in TEXTS if text is not None]
    frames = [
        pd.DataFrame({"c": pd.Categorical(TEXTS, categories=["unused", *known])}),
        pl.DataFrame({"c": pl.Series(TEXTS, dtype=pl.Categorical)}),
        pl.DataFrame({"c": pl.Series(TEXTS, dtype=pl.Enum(["unused", *known]))}),
        pa.table({"c": dictionary}),
        pandas_arrow(TEXTS, dictionary.type),
    ]
    for frame in frames:
        check(frame, "categorical", TEXTS)


def test_a_dictionary_in_chunks_with_missing_values() -> None:
    chunks = pa.chunked_array([pa.array(["a", None]).dictionary_encode(), pa.array(["b", "a"]).dictionary_encode()])
    check(pa.table({"c": chunks}), "categorical", ["a", None, "b", "a"])
    null_inside = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array(["a", None]))
    check(pa.table({"c": null_inside}), "categorical", [None, "a", None])


def test_categories_that_are_numbers_are_nominal_codes() -> None:
    dictionary = pa.array([3, None, 1]).dictionary_encode()
    for frame in (
        pd.DataFrame({"c": pd.Categorical([3, None, 1])}),
        pa.table({"c": dictionary}),
        pandas_arrow([3, None, 1], dictionary.type),
    ):
        check(frame, "numeric", [3, NAN, 1], nominal=True)


def test_a_column_without_values_is_empty_where_its_type_says_nothing() -> None:
    for frame in everywhere([None, None], pa.null(), pl.Null, object, "float64", "Float64"):
        check(frame, "empty", [None, None])
    for frame in everywhere([None, None], pa.float64(), pl.Float64, "category"):
        check(frame, "empty", [None, None])


def test_a_column_without_values_has_the_kind_that_its_type_states() -> None:
    for frame in everywhere([None, None], pa.int64(), pl.Int64, "Int64"):
        check(frame, "numeric", [NAN, NAN])
    for frame in everywhere([None, None], pa.bool_(), pl.Boolean, "boolean"):
        check(frame, "numeric", [NAN, NAN])
    for frame in everywhere([None, None], pa.string(), pl.String, "str", "string[python]"):
        check(frame, "categorical", [None, None])


def test_sparse_pandas_columns_are_dense_numbers() -> None:
    check(pd.DataFrame({"c": pd.arrays.SparseArray([0.0, 2.0, 0.0])}), "numeric", [0, 2, 0])


@pytest.mark.parametrize(
    ("values", "arrow", "polars"),
    [
        ([datetime.date(2024, 1, 1), None], pa.date32(), pl.Date),
        ([datetime.datetime(2024, 1, 1), None], pa.timestamp("us"), pl.Datetime),
        ([datetime.timedelta(1), None], pa.duration("us"), pl.Duration),
        ([datetime.time(1), None], pa.time64("us"), pl.Time),
        ([[1], [2]], pa.list_(pa.int64()), pl.List(pl.Int64)),
        ([{"a": 1}, {"a": 2}], pa.struct({"a": pa.int64()}), pl.Struct({"a": pl.Int64})),
        ([b"a", None], pa.binary(), pl.Binary),
    ],
)
def test_other_types_are_refused_with_the_way_out(values: list[Any], arrow: pa.DataType, polars: Any) -> None:
    for frame in everywhere(values, arrow, polars, object):
        with pytest.raises(
            KindError,
            match=r"column 'c': each argument must be a string or a number; got .*"
            r"Fix: convert the column to numbers \(such as days before the application\) or to text",
        ):
            column(frame)


@pytest.mark.parametrize(
    "values",
    [
        pd.date_range("2024", periods=2, tz="UTC"),
        pd.period_range("2024", periods=2, freq="M"),
        pd.interval_range(0, 2),
        pd.Categorical(pd.date_range("2024", periods=2)),
        pd.cut([1, 2], [0, 1, 2]),
    ],
)
def test_pandas_own_types_are_refused(values: Any) -> None:
    with pytest.raises(KindError, match="column 'c': each argument must be a string or a number"):
        column(pd.DataFrame({"c": values}))


def test_complex_columns_are_refused() -> None:
    with pytest.raises(InputError, match="column 'c': Complex data not supported"):
        column(pd.DataFrame({"c": [1j, 2.0]}))


@pytest.mark.parametrize(
    "wrap",
    [
        lambda frame: nw.from_native(frame),
        lambda frame: stable.from_native(frame),
        lambda frame: frame,
    ],
)
@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table, dict], ids=["pandas", "polars", "pyarrow", "dict"]
)
def test_whole_frames(make: Callable[[Any], Any], wrap: Callable[[Any], Any]) -> None:
    content = {"age": [41.0, 17.5], "job": ["clerk", "cook"]}
    table = as_table(make(content) if make is dict else wrap(make(content)))
    assert (table.n_rows, table.names) == (2, ("age", "job"))
    assert table.column("age").values.tolist() == [41.0, 17.5]
    assert table.column("job").values.tolist() == ["clerk", "cook"]


@pytest.mark.parametrize("make", [pd.Series, pl.Series, np.array, tuple, pd.array, pd.Index])
def test_dicts_of_columns_of_any_make(make: Callable[[Any], Any]) -> None:
    table = as_table({"age": make([41.0, 17.5]), "job": make(["clerk", "cook"])})
    assert table.column("age").values.tolist() == [41.0, 17.5]
    assert table.column("job").values.tolist() == ["clerk", "cook"]


def test_a_pandas_index_plays_no_part() -> None:
    frame = pd.DataFrame({"c": ["a", "b", "c"]}, index=[5, 5, 1]).iloc[::-1]
    check(frame, "categorical", ["c", "b", "a"])


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(st.none() | st.floats(), min_size=1, max_size=20),
    st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=20),
)
def test_any_doubles_and_texts_are_the_same_in_every_backend(
    numbers: list[float | None], texts: list[str | None]
) -> None:
    doubles = [1.0, *(NAN if number is None else number for number in numbers)]
    for frame in everywhere([1.0, *numbers], pa.float64(), pl.Float64, "Float64", "float64", object):
        check(frame, "numeric", doubles)
    for frame in everywhere(texts, pa.string(), pl.String, "str", "string[python]"):
        check(frame, "categorical", texts)


def test_a_wide_frame_is_not_asked_for_all_of_its_names_for_each_column(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(np.ones((3, 300))).add_prefix("x")
    listed, names = [], nw.DataFrame.columns
    monkeypatch.setattr(nw.DataFrame, "columns", property(lambda frame: listed.append(1) or names.fget(frame)))
    table = as_table(frame)
    assert sum(table.column(name).values.sum() for name in table) == 900
    assert len(listed) < 10
