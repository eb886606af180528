"""Dates written day or month first, as texts with the year first."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from scrutable.data.frames.reading import DateOrder
from scrutable.data.frames.texts import text_columns
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: 31/07/2019, 31.7.2019 or 31-07-2019, with or without a time of day.
YEAR_LAST = re.compile(r"\s*([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})([ T][0-9:.]+)?\s*")


def year_first(frame: pd.DataFrame, order: DateOrder) -> pd.DataFrame:
    """The frame with each column of texts that are all dates with their year last, written year first.

    Raises
    ------
    InputError : a day that there is not in this order, with its column.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"issued": ["31/07/2019", None, "1/8/2019"]})
    >>> year_first(frame, "d/m/Y")["issued"].tolist()
    ['2019-07-31', nan, '2019-08-01']
    """
    rewritten = {}
    for name, texts in text_columns(frame):
        if texts.str.fullmatch(YEAR_LAST).all():
            written = {text: _year_first(text, order, f"column {name!r}") for text in texts.unique()}
            rewritten[name] = texts.map(written).reindex(frame.index)
    return frame.assign(**rewritten)


def _year_first(text: str, order: DateOrder, where: str) -> str:
    match = YEAR_LAST.fullmatch(text)
    assert match is not None
    first, _, second, year, time = match.groups()
    day, month = (first, second) if order == "d/m/Y" else (second, first)
    try:
        return date(int(year), int(month), int(day)).isoformat() + (time or "")
    except ValueError:
        raise InputError(
            "no such day", where=where, got=text, allowed=f"dates as {order}", fix="name the order that the file has"
        ) from None
