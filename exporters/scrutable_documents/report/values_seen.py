"""What the values of a column are, told so that no figure is that of few people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from scrutable.data import min_cell
from scrutable.data.frames import Column
from scrutable.plugins.bases import range_of_many
from scrutable_documents.common.figures import count, plain


def values_seen(column: Column, special: Collection[float | str]) -> str:
    """Range and median of numbers, how many texts there are, and how many rows have each special code.

    A range is that of `range_of_many`; it and the median leave special codes out. Where rows are too few for a range,
    neither is told, and a code of few rows is only said to be there.

    Parameters
    ----------
    special : codes that stand for something else than a value.

    Examples
    --------
    >>> import pandas as pd
    >>> from scrutable.data.frames import as_table
    >>> paid = pd.DataFrame({"paid": [-9.0] * 6 + [100.0] * 5 + [250.0] * 9 + [300.0] * 5 + [423903.0]})
    >>> values_seen(as_table(paid).column("paid"), [-9, -1])
    '100 to 300, median 250; code -9: 6'
    """
    values = column.values[~column.missing]
    codes = np.isin(values, np.array(list(special), dtype=values.dtype))
    told = [_code(code, int((values == code).sum())) for code in special if (values == code).any()]
    return "; ".join(each for each in (_values(column.kind, values[~codes]), *told) if each)


def _values(kind: str, values: Any) -> str:
    if kind != "numeric":
        return f"{len(set(values.tolist())):,} different texts"
    finite = values[np.isfinite(values)]
    ends = range_of_many(finite)
    return f"{plain(ends[0])} to {plain(ends[1])}, median {plain(np.median(finite))}" if ends else ""


def _code(code: float | str, rows: int) -> str:
    told = plain(code) if isinstance(code, int | float) else repr(code)
    return f"code {told}: {count(rows) if rows >= min_cell() else 'few'}"
