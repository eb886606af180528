"""Odd data to fit on and to predict for: each a change of sixty harmless rows that somebody has tried."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

#: Rows of the data that are changed.
ROWS = 60


def harmless() -> dict[str, Any]:
    """What `fit` takes, without anything odd."""
    number = np.arange(ROWS)
    X = pd.DataFrame({"age": number * 7 % 17 + 20.0, "job": np.array(["cook", "clerk", "smith"])[number % 3]})
    return {"X": X, "y": (number * 5 % 7 > 3).astype(int)}


def odd_data() -> dict[str, dict[str, Any]]:
    """What `fit` is given, by what is odd about it; inputs, outcomes, weights and protected attributes in turn."""
    return {
        f"{what}: {name}": {**harmless(), what: value}
        for what, values in (
            ("X", odd_inputs()),
            ("y", _outcomes()),
            ("sample_weight", _weights()),
            ("sensitive_features", _groups()),
        )
        for name, value in values.items()
    }


def odd_inputs() -> dict[str, Any]:
    """Inputs, by what is odd about them."""
    X = harmless()["X"]
    numbers = X[["age"]].to_numpy()
    return {
        **{f"a column of {name}": X.assign(odd=_series(values)) for name, values in _columns().items()},
        **{f"columns called {name}": X.set_axis(_index(names), axis=1) for name, names in _names().items()},
        "columns of two levels": X.set_axis(pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]), axis=1),
        "none": None,
        "a text": "age",
        "a number": 5,
        "a function": harmless,
        "a set": {1, 2, 3},
        "an empty list": [],
        "an empty dict": {},
        "no rows": X.iloc[:0],
        "no columns": X[[]],
        "one row": X.iloc[:1],
        "too few rows": X.iloc[:7],
        "too many rows": pd.concat([X, X], ignore_index=True),
        "one dimension": numbers[:, 0],
        "three dimensions": numbers[:, :, None],
        "a scalar array": np.array(5.0),
        "a series": X["age"],
        "a list of numbers": [1.0] * ROWS,
        "ragged rows": [[1, 2]] * (ROWS - 1) + [[1]],
        "rows of texts": [["a", "b"]] * ROWS,
        "rows of rows": [[[1], [2]]] * ROWS,
        "a generator": (row for row in [[1, 2]] * ROWS),
        "columns of other lengths": {"age": [1.0] * ROWS, "job": ["cook"] * (ROWS - 1)},
        "a column that is none": {"age": 5, "job": ["cook"] * ROWS},
        "complex numbers": numbers + 1j,
        "a sparse matrix": sparse.csr_matrix(numbers),
        "a sparse array": sparse.csc_array(numbers),
        "a sparse frame": X[["age"]].astype(pd.SparseDtype(float, np.nan)),
        "a structured array": np.zeros(ROWS, dtype=[("age", float), ("job", "U5")]),
        "a masked array": np.ma.masked_less(numbers, 25),
        "a lazy frame": pl.LazyFrame({"age": [1.0] * ROWS}),
        "a polars frame": pl.from_pandas(X),
        "an arrow table": pa.Table.from_pandas(X),
        "an arrow table with a name twice": pa.table([pa.array([1.0] * ROWS)] * 2, names=["age", "age"]),
        "dates": np.arange(ROWS).astype("datetime64[D]")[:, None],
        "bytes": numbers.astype("S5"),
        "objects": np.full((ROWS, 2), object(), dtype=object),
        "single numbers": numbers.astype(np.float16),
        "long numbers": numbers.astype(np.longdouble),
        "everything missing": np.full((ROWS, 2), np.nan),
        "everything infinite": np.full((ROWS, 2), np.inf),
        "one value": np.zeros((ROWS, 2)),
        "rows with one label": X.set_axis([0] * ROWS),
        "labels of several levels": X.set_axis(pd.MultiIndex.from_product([range(6), range(10)])),
    }


def _series(values: Any) -> pd.Series[Any]:
    """The values as they are: in a list they are objects."""
    if not isinstance(values, list):
        return pd.Series(values)
    return pd.Series(np.fromiter(values, dtype=object, count=ROWS), dtype=object)


def _index(names: tuple[Any, ...]) -> pd.Index[Any]:
    """Names of columns as they are."""
    return pd.Index(np.fromiter(names, dtype=object, count=len(names)), dtype=object, tupleize_cols=False)


def _columns() -> Mapping[str, Any]:
    return {
        "missing": [np.nan] * ROWS,
        "none": [None] * ROWS,
        "pandas' missing": pd.array([pd.NA] * ROWS, dtype="Int64"),
        "infinities": [np.inf, -np.inf, 1.0] * (ROWS // 3),
        "the largest numbers": [1.7e308, -1.7e308, 5e-324] * (ROWS // 3),
        "numbers beyond doubles": [10**400, 1, 2] * (ROWS // 3),
        "numbers beyond 64 bits": [2**64, 2**70, 1] * (ROWS // 3),
        "decimals": [Decimal("1.5"), Decimal("NaN"), Decimal("sNaN")] * (ROWS // 3),
        "fractions": [Fraction(1, 3), Fraction(2, 3), None] * (ROWS // 3),
        "complex numbers": np.arange(ROWS) * 1j,
        "complex objects": [1j, 2.0, None] * (ROWS // 3),
        "numbers and texts": [1, "1", None] * (ROWS // 3),
        "truth values and texts": [True, "True", None] * (ROWS // 3),
        "nullable truth values": pd.array([True, False, pd.NA] * (ROWS // 3), dtype="boolean"),
        "dates": pd.date_range("2024-01-01", periods=ROWS),
        "dates of days": [datetime.date(2024, 1, 1)] * ROWS,
        "durations": pd.to_timedelta(np.arange(ROWS), unit="D"),
        "periods": pd.period_range("2024-01", periods=ROWS, freq="M"),
        "intervals": pd.cut(np.arange(ROWS), 3),
        "bytes": [b"cook", b"clerk", None] * (ROWS // 3),
        "lists": [[1], [2, 3], None] * (ROWS // 3),
        "dicts": [{"a": 1}, {}, None] * (ROWS // 3),
        "functions": [harmless] * ROWS,
        "texts": [f"L{row}" for row in range(ROWS)],
        "empty texts": ["", " ", "\t"] * (ROWS // 3),
        "texts with NUL": ["a\0b", "c", "d"] * (ROWS // 3),
        "texts with half a character": ["\ud800", "a", "b"] * (ROWS // 3),
        "endless texts": ["x" * 200_000, "a", "b"] * (ROWS // 3),
        "categories of numbers": pd.Categorical([1.5, 2.5, np.nan] * (ROWS // 3)),
        "categories that nobody has": pd.Categorical(["a"] * ROWS, categories=["a", "b", "c"]),
        "categories of no kind": pd.Categorical([(1, 2), (3,), None] * (ROWS // 3)),
        "the outcome": harmless()["y"],
    }


def _names() -> Mapping[str, Any]:
    return {
        "alike": ("age", "age"),
        "by numbers": (0, 1),
        "by a number and a text": (1, "1"),
        "by fractions": (0.5, 1.5),
        "by pairs": (("a", "b"), ("c", "d")),
        "by nothing": ("", "job"),
        "none": (None, "job"),
        "missing": (np.nan, "job"),
        "by dates": (datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)),
        "by truth values": (True, False),
        "with NUL": ("a\0", "job"),
        "with half a character": ("\ud800", "job"),
        "without end": ("x" * 200_000, "job"),
    }


def _outcomes() -> dict[str, Any]:
    y = harmless()["y"]
    return {
        "none": None,
        "a number": 1,
        "a text": "good",
        "a dict": {"a": 1},
        "a set": {0, 1},
        "a function": harmless,
        "a generator": (each for each in y),
        "nothing": [],
        "too few": y[:7],
        "too many": np.concatenate([y, y]),
        "a column": y[:, None],
        "two columns": np.stack([y, y], axis=1),
        "three dimensions": y[:, None, None],
        "a frame": pd.DataFrame({"a": y}),
        "a frame of two": pd.DataFrame({"a": y, "b": y}),
        "a sparse column": sparse.csr_matrix(y[:, None]),
        "ragged lists": [[1], [1, 2]] * (ROWS // 2),
        "one class": np.zeros(ROWS),
        "one row of a class": np.r_[np.zeros(ROWS - 1), 1],
        "three classes": np.arange(ROWS) % 3,
        "a class a row": np.arange(ROWS),
        "measurements": np.linspace(0.5, 9, ROWS),
        "missing": np.where(y == 1, 1.0, np.nan),
        "missing all": np.full(ROWS, np.nan),
        "none among": [None if each else 1 for each in y],
        "pandas' missing": pd.array([1, 0, pd.NA] * (ROWS // 3), dtype="Int64"),
        "infinities": np.where(y == 1, np.inf, 0.0),
        "complex numbers": y * 1j,
        "dates": pd.date_range("2024-01-01", periods=ROWS),
        "two dates": np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")[y],
        "lists": pd.Series([[1], [0]] * (ROWS // 2)),
        "dicts": pd.Series([{"a": 1}, {}] * (ROWS // 2)),
        "functions": pd.Series([harmless, odd_data] * (ROWS // 2)),
        "bytes": np.array([b"a", b"b"])[y],
        "numbers and texts": [1, "1"] * (ROWS // 2),
        "truth values and numbers": [True, 1.5] * (ROWS // 2),
        "numbers beyond 64 bits": [2**70, 2**71] * (ROWS // 2),
        "numbers beyond doubles": [10**400, 1] * (ROWS // 2),
        "decimals": [Decimal(1), Decimal(2)] * (ROWS // 2),
        "undefined decimals": [Decimal("sNaN"), Decimal(2)] * (ROWS // 2),
        "empty texts": np.array(["", " "])[y],
        "texts with NUL": np.array(["a\0b", "c"], dtype=object)[y],
        "texts with half a character": np.array(["\ud800", "c"], dtype=object)[y],
        "intervals": pd.cut(np.arange(ROWS), 2),
        "categories": pd.Categorical(np.array(["a", "b"])[y], categories=["c", "b", "a"]),
        "in another order": pd.Series(y, index=range(ROWS)[::-1]),
    }


def _weights() -> dict[str, Any]:
    y = harmless()["y"]
    return {
        "negative": np.full(ROWS, -1.0),
        "zero": np.zeros(ROWS),
        "zero for a class": y.astype(float),
        "missing": np.where(y == 1, np.nan, 1.0),
        "infinite": np.where(y == 1, np.inf, 1.0),
        "huge": np.full(ROWS, 1e308),
        "tiny": np.full(ROWS, 5e-324),
        "far apart": np.where(y == 1, 1e-300, 1e300),
        "complex": np.full(ROWS, 1j),
        "texts": ["1"] * ROWS,
        "words": ["one"] * ROWS,
        "none": [None] * ROWS,
        "truth values": y == 1,
        "decimals": [Decimal(1)] * ROWS,
        "beyond doubles": [10**400] * ROWS,
        "lists": [[1]] * ROWS,
        "ragged": [[1], [1, 2]] * (ROWS // 2),
        "too few": np.ones(7),
        "nothing": [],
        "two dimensions": np.ones((ROWS, 1)),
        "a number": 2.0,
        "a text": "weight",
        "a dict": {"a": 1},
        "a function": harmless,
        "a sparse column": sparse.csr_matrix(np.ones((ROWS, 1))),
        "dates": pd.date_range("2024-01-01", periods=ROWS),
    }


def _groups() -> dict[str, Any]:
    two = np.array(["f", "m"])[np.arange(ROWS) % 2]
    return {
        "a text": "sex",
        "a number": 5,
        "nothing": {},
        "an array": two,
        "a series": pd.Series(two, name="sex"),
        "a series without a name": pd.Series(two),
        "too few": pd.DataFrame({"sex": two[:7]}),
        "one group": {"sex": ["f"] * ROWS},
        "a group a row": {"sex": [f"g{row}" for row in range(ROWS)]},
        "missing": {"sex": [None] * ROWS},
        "numbers": {"age": np.linspace(20, 80, ROWS)},
        "infinities": {"age": [np.inf, 1.0] * (ROWS // 2)},
        "complex numbers": {"age": np.arange(ROWS) * 1j},
        "lists": pd.DataFrame({"sex": pd.Series([[1], [2]] * (ROWS // 2))}),
        "dates": pd.DataFrame({"born": pd.date_range("2024-01-01", periods=ROWS)}),
        "mixed": {"sex": [1, "f"] * (ROWS // 2)},
        "half a character": {"sex": ["\ud800", "f"] * (ROWS // 2)},
        "names alike": pd.DataFrame(np.stack([two, two], axis=1), columns=["sex", "sex"]),
        "three dimensions": np.zeros((ROWS, 2, 2)),
        "a sparse matrix": sparse.csr_matrix(np.eye(ROWS, 2)),
        "a function": harmless,
    }
