"""Columns of DuckDB as doubles and as texts: what is selected, and how Arrow's arrays of it are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import Coded, Column, unusable
from scrutable.writing import array_numbers
from scrutable_duckdb.quoting import name_of

if TYPE_CHECKING:
    import pyarrow as pa

#: Kinds whose cast to a double is the nearest one.
_NUMBERS = {
    *("boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *("float", "double", "decimal", "null"),
}
#: Kinds of 128 bits, whose cast is not always the nearest double, while that of their digits is.
_LONG = {"hugeint", "uhugeint"}
#: Kinds that are read as texts.
TEXTS = {"varchar", "enum"}


def expression(name: str, kind: Any) -> str:
    """What is selected of a column: doubles, NaN where nothing is known, or texts.

    Parameters
    ----------
    kind : as DuckDB tells it.

    Raises
    ------
    KindError : neither numbers nor texts.
    """
    column = name_of(name)
    if kind.id in TEXTS:
        return column
    if kind.id in _LONG:
        column = f"CAST({column} AS VARCHAR)"
    elif kind.id not in _NUMBERS:
        raise unusable(name, kind)
    return f"coalesce(CAST({column} AS DOUBLE), CAST('NaN' AS DOUBLE))"


def read(name: str, array: pa.Array) -> Column:
    """The column of an array that DuckDB gives.

    >>> import pyarrow as pa
    >>> read("job", pa.array(["cook", None, "cook"])).coded.codes.tolist()
    [0, 1, 0]
    """
    import pyarrow as pa

    if pa.types.is_floating(array.type):
        return Column(name, "numeric", array_numbers(array, np.nan))
    declared = pa.types.is_dictionary(array.type)
    coded = array if declared else array.dictionary_encode()
    texts = coded.dictionary.to_pylist()
    codes = array_numbers(coded.indices.cast(pa.int32()), len(texts))
    return Column(name, "categorical", Coded(np.array([*texts, None], dtype=object), codes, declared=declared))
