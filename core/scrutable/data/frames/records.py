"""Rows of frames as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: Values that JSON holds as they are; others are told as texts.
_KEPT = (int, float, str, bool)


def records(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Rows as plain values for JSON; missing is None.

    >>> import pandas as pd
    >>> list(records(pd.DataFrame({"score": [1.5, None]})))
    [{'score': 1.5}, {'score': None}]
    """
    columns = {name: plain_values(frame[name]) for name in frame.columns}
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def plain_values(column: pd.Series) -> list[Any]:
    """The values of a column for JSON; missing is None."""
    missing = column.isna().tolist()
    return [
        None if gone else value if isinstance(value, _KEPT) else str(value)
        for value, gone in zip(column.tolist(), missing, strict=True)
    ]
