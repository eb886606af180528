"""Columns of pandas, Polars and PyArrow frames."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from scrutable.data.frames.column import Coded, Column, Values, empty, from_array, from_numbers, unusable

_NONE = np.array([None], dtype=object)


def read_series(name: str, series: nw.Series[Any]) -> Column:
    """Column of a Narwhals series over any backend.

    Raises
    ------
    KindError : dates, durations, lists, structs, bytes, and objects that are neither all numbers nor all texts.

    Examples
    --------
    >>> import polars as pl
    >>> ages = nw.from_native(pl.Series([41, None]), series_only=True)
    >>> read_series("age", ages).values.tolist()
    [41.0, nan]
    """
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _read_categories(name, series)
    if _is_pandas(series) and series.to_native().dtype == object:
        return from_array(name, series.to_native().to_numpy())
    if isinstance(dtype, nw.String):
        return Column(name, "categorical", _texts(series))
    if isinstance(dtype, nw.Decimal | nw.Object):
        # Through Python: the backends' own casts of decimals do not always give the nearest double.
        return from_array(name, np.fromiter(series.to_list(), dtype=object, count=len(series)))
    if isinstance(dtype, nw.Boolean | nw.Int128 | nw.UInt128):
        # NumPy has no 128-bit integers, and no booleans with missing values.
        return Column(name, "numeric", _doubles(series.cast(nw.Float64)))
    if dtype.is_float():
        return from_numbers(name, series.to_numpy())
    if dtype.is_integer():
        return Column(name, "numeric", _doubles(series))
    if not isinstance(dtype, nw.Unknown):
        raise unusable(name, dtype)
    return empty(name, len(series)) if series.null_count() == len(series) else from_array(name, series.to_numpy())


def _is_pandas(series: nw.Series[Any]) -> bool:
    return bool(series.implementation.is_pandas_like())


def _doubles(series: nw.Series[Any]) -> Values:
    return series.to_numpy().astype(np.float64, copy=False)


def _texts(series: nw.Series[Any]) -> Values | Coded:
    """Coded by PyArrow where it can hold the texts, which it cannot if one has half a character of UTF-16."""
    import pyarrow as pa

    try:
        array = series.to_arrow()  # Narwhals says an array, but what pandas holds in chunks stays in them
        whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        coded = whole.dictionary_encode()
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return np.asarray(series.to_native().to_numpy(dtype=object, na_value=None))
    levels = np.array([*coded.dictionary.to_pylist(), None], dtype=object)
    return Coded(levels, coded.indices.fill_null(len(levels) - 1).to_numpy(zero_copy_only=False))


def _read_categories(name: str, series: nw.Series[Any]) -> Column:
    native = series.to_native()
    if hasattr(native, "cat") and not series.implementation.is_polars():
        return _read_codes(name, native.cat)
    coded = _declared(series)
    if coded is not None:
        return Column(name, "categorical", coded)
    if series.implementation.is_polars():
        return Column(name, "categorical", _texts(series.cast(nw.String)))
    # Decoded by PyArrow itself: to_numpy() of a dictionary with missing values can give a category instead of missing.
    if series.implementation.is_pyarrow():
        decoded = native.cast(native.type.value_type)
    else:
        decoded = native.astype(type(native.dtype)(native.dtype.pyarrow_dtype.value_type))
    return _as_nominal(read_series(name, nw.from_native(decoded, series_only=True)))


def _declared(series: nw.Series[Any]) -> Coded | None:
    """The texts of a dictionary of Arrow as they are coded; None where it holds other values, or one of them twice."""
    import pyarrow as pa

    array = series.to_arrow()
    whole = array.unify_dictionaries().combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    if not isinstance(whole, pa.DictionaryArray) or not _is_text(whole.type.value_type):
        return None
    texts = whole.dictionary.to_pylist()
    if None in texts or len(set(texts)) < len(texts):
        return None
    indices = whole.indices
    codes = (indices.cast(pa.int64()).fill_null(-1) if indices.null_count else indices).to_numpy(zero_copy_only=False)
    return Coded(np.array([*texts, None], dtype=object), codes, declared=True)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _read_codes(name: str, cat: Any) -> Column:
    categories = _as_nominal(from_array(name, cat.categories.to_numpy(dtype=object)))
    if categories.kind == "categorical":
        return Column(
            name, "categorical", Coded(np.append(categories.values, _NONE), cat.codes.to_numpy(), declared=True)
        )
    missing = np.nan if categories.kind == "numeric" else None
    with_missing = np.append(categories.values, np.array([missing], dtype=categories.values.dtype))
    values = with_missing[cat.codes]  # the code of a missing value is -1: the last one
    return Column(name, categories.kind, values, categories.nominal)


def _as_nominal(column: Column) -> Column:
    return Column(column.name, column.kind, column.values, nominal=column.kind == "numeric")
