"""Any usual container of tabular data as a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames.column import Column, Values, complex_data, from_array
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.table import Table
from scrutable.errors import InputError, KindError

if TYPE_CHECKING:
    import narwhals as nw


def as_table(X: Any, *, names: Sequence[str] | None = None, where: str | None = None) -> Table:
    """Read a frame, a dict of columns or a two-dimensional array, converting no column yet.

    Every value becomes an IEEE double or an exact text. Booleans are 0 and 1; NULL, None, NaN and NA are all missing;
    infinities and the empty text are ordinary values. Texts are neither trimmed nor case-folded.

    Parameters
    ----------
    X : a Table (returned as it is), a pandas, Polars, PyArrow or Narwhals frame, a dict of one-dimensional columns, or
        an (n, p) array or list of rows. Integer column names become texts.
    names : p column names for an array or a list of rows, `x0`, `x1`, … by default; not used for named columns.
    where : how errors that are about no column name the data; they do not if not given.

    Raises
    ------
    InputError : no rows, no columns, repeated or unusable names, a lazy frame, an array that is not two-dimensional.
    KindError : sparse data. Columns of unusable kinds are reported by `Table.column`, when they are asked for.

    Examples
    --------
    >>> table = as_table([[41, "clerk"], [17, None]], names=["age", "job"])
    >>> table.column("age").values.tolist(), table.column("job").values.tolist()
    ([41.0, 17.0], ['clerk', None])
    """
    try:
        return _as_table(X, names)
    except InputError as error:
        error.where = error.where or where
        raise


def _as_table(X: Any, names: Sequence[str] | None) -> Table:
    if isinstance(X, Table):
        return X
    if isinstance(X, Mapping):
        return _from_mapping(X)
    if isinstance(X, str | os.PathLike):
        raise InputError(
            "a path or a text where rows are expected",
            got=os.fspath(X),
            allowed="a frame (pandas, Polars, PyArrow), a dict of columns or an array",
            fix="read the file first, for example by pandas.read_csv or pyarrow.parquet.read_table",
        )
    frame = _frame(X)
    if frame is None:
        return _from_array(_array(X), names)
    import narwhals as nw

    if isinstance(frame, nw.LazyFrame):
        raise InputError(
            "a lazy frame has no values yet", got=type(X), allowed="an eager frame", fix="call collect() on it first"
        )
    native_names = _native_names(nw.to_native(frame))
    pairs = zip(checked_names(native_names), native_names, strict=True)
    _not_nothing(frame.shape)
    return Table(len(frame), {name: partial(_frame_column, frame, own, name) for name, own in pairs})


def _frame(X: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(X, pass_through=True)
    except DuplicateError:
        checked_names(_native_names(X))
        raise
    return frame if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def _native_names(frame: Any) -> list[Any]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _frame_column(frame: nw.DataFrame[Any], own: Any, name: str) -> Column:
    from scrutable.data.frames.series import read_series

    return read_series(name, frame.get_column(own))  # by position it would go through all names for each


def _from_mapping(columns: Mapping[Any, Any]) -> Table:
    names = checked_names(list(columns))
    lengths = {name: _length(name, values) for name, values in zip(names, columns.values(), strict=True)}
    n_rows = next(iter(lengths.values()), 0)
    for name, length in lengths.items():
        if length != n_rows:
            raise InputError(
                "columns of different lengths",
                where=f"column {name!r}",
                got=length,
                allowed=f"{n_rows} values, as in column {names[0]!r}",
                fix="give every column one value a row",
            )
    _not_nothing((n_rows, len(names)))
    pairs = zip(names, columns.values(), strict=True)
    return Table(n_rows, {name: partial(_sequence_column, name, values) for name, values in pairs})


def _length(name: str, values: Any) -> int:
    no_column = isinstance(values, str | bytes | Mapping | Set)
    if no_column or not hasattr(values, "__len__") or getattr(values, "ndim", 1) != 1:
        raise InputError(
            "a column must be one-dimensional",
            where=f"column {name!r}",
            got=type(values),
            allowed="a list, an array or a series of values",
            fix="give one value a row, in a list for a single row",
        )
    return len(values)


def _sequence_column(name: str, values: Any) -> Column:
    import narwhals as nw

    from scrutable.data.frames.series import read_series

    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return read_series(name, series)
    if isinstance(values, np.ndarray):
        return from_array(name, without_mask(values))
    return from_array(name, np.fromiter(values, dtype=object, count=len(values)))


def _array(X: Any) -> Values:
    scipy_sparse = sys.modules.get("scipy.sparse")
    if scipy_sparse is not None and scipy_sparse.issparse(X):
        raise KindError(
            "sparse data is not supported", got=type(X), allowed="a dense array or a frame", fix="call toarray() on it"
        )
    if isinstance(X, list | tuple):
        return _rows(X)
    return without_mask(np.asanyarray(X))


def _rows(rows: Sequence[Any]) -> Values:
    lengths = {len(row) for row in rows if isinstance(row, list | tuple) or (isinstance(row, np.ndarray) and row.ndim)}
    if len(lengths) > 1:
        raise InputError(
            "rows of different lengths",
            got=sorted(lengths),
            allowed="the same number of values in every row",
            fix="give every row one value a column, None where it is missing",
        )
    return np.array(rows, dtype=object)


def without_mask(values: Values) -> Values:
    """An array in which what was masked is None."""
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    objects = values.data.astype(object)
    objects[np.ma.getmaskarray(values)] = None
    return objects


def _from_array(array: Values, names: Sequence[str] | None) -> Table:
    if array.dtype.kind == "c":
        raise complex_data("array")
    if array.ndim < 2:
        raise InputError(
            f"Expected 2D array, got {'1D' if array.ndim else 'scalar'} array instead (shape={array.shape})",
            fix="Reshape your data: array.reshape(-1, 1) if it is one column, array.reshape(1, -1) if it is one row",
        )
    if array.ndim > 2:
        raise InputError(f"Found array with dim {array.ndim}, while dim <= 2 is required", fix="give rows and columns")
    _not_nothing(array.shape)
    n_rows, n_columns = array.shape
    columns = checked_names(list(names) if names is not None else [f"x{position}" for position in range(n_columns)])
    if len(columns) != n_columns:
        raise InputError(
            f"X has {n_columns} features, but it is expecting {len(columns)} features as input",
            allowed=", ".join(map(repr, columns)),
            fix="give one column a name",
        )
    return Table(n_rows, {name: partial(_array_column, array, position, name) for position, name in enumerate(columns)})


def _array_column(array: Values, position: int, name: str) -> Column:
    return from_array(name, array[:, position])


def _not_nothing(shape: tuple[int, ...]) -> None:
    n_rows, n_columns = shape
    for count, things in ((n_rows, "sample"), (n_columns, "feature")):
        if count == 0:
            raise InputError(
                f"Found array with 0 {things}(s) (shape={(n_rows, n_columns)}) while a minimum of 1 is required",
                fix="give at least one row and one column",
            )
