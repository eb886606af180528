"""Cells of sheets, databases and files of statistics software as columns with the kinds that CSV files would give."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.reading import MISSING, Reading
from scrutable.errors import KindError

if TYPE_CHECKING:
    import pandas as pd

#: Whole numbers up to here are doubles exactly.
_WHOLE = 2.0**53
_MIDNIGHT = datetime.time()


def frame_of(names: Sequence[str], columns: Iterable[Sequence[Any]], reading: Reading) -> pd.DataFrame:
    """A frame of columns of cells: numbers, truth values, texts, dates and times, None where nothing is.

    Numbers that are all whole are integers, dates are texts such as 2019-07-31, and a column of several kinds is text.
    Texts that say that nothing is known are missing, as in CSV files.

    Raises
    ------
    KindError : a column with cells of another kind, such as bytes.

    Examples
    --------
    >>> cells = [[41.0, 17.0], ["NA", "cook"], [datetime.date(2019, 7, 31), None], [5.0, "n.k."]]
    >>> frame_of(["age", "job", "issued", "years"], cells, Reading()).to_dict("list")
    {'age': [41, 17], 'job': [nan, 'cook'], 'issued': ['2019-07-31', nan], 'years': ['5', 'n.k.']}
    """
    import pandas as pd

    made = {name: _column(name, cells, reading) for name, cells in zip(names, columns, strict=True)}
    return pd.DataFrame(made, columns=list(names))


def _column(name: str, cells: Sequence[Any], reading: Reading) -> pd.Series:
    import pandas as pd

    markers = reading.missing.union(MISSING)
    known = [None if _is_missing(cell, markers) else cell for cell in cells]
    kinds = {type(cell) for cell in known if cell is not None}
    if name not in reading.text and kinds:
        if kinds == {bool}:
            return pd.Series(known, dtype=bool if None not in known else object)
        if kinds <= {int, float, Decimal}:
            return _numbers(known)
    return pd.Series([None if cell is None else _text(name, cell) for cell in known], dtype="str")


def _numbers(known: Sequence[Any]) -> pd.Series:
    import numpy as np
    import pandas as pd

    values = np.array([math.nan if cell is None else float(cell) for cell in known])
    whole = bool(((values % 1 == 0) & (np.abs(values) <= _WHOLE)).all())
    return pd.Series(values.astype(np.int64) if whole else values)


def _is_missing(cell: Any, markers: frozenset[str]) -> bool:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    if isinstance(cell, str):
        return cell.strip() in markers
    return len(markers) > len(MISSING) and not isinstance(cell, bool) and _text("", cell) in markers


def _text(name: str, cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) <= _WHOLE else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == _MIDNIGHT and cell.tzinfo is None else cell.isoformat(" ")
    if isinstance(cell, bool | int | Decimal | datetime.date | datetime.time | datetime.timedelta):
        return str(cell)
    raise KindError(
        "neither a number, a text nor a date",
        where=f"column {name!r}",
        got=type(cell),
        fix="leave the column out, or convert it before",
    )
